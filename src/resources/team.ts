import * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import type { EmbeddedUser } from "./embedded-user.js";
import { optionalText, requiredText, yesOrNo } from "./fields.js";
import type { Kind, Service } from "./kind.js";
import { lookupOptions, type ResourceOptions, register } from "./registration.js";

/** Arguments of a {@link Team}. Every change updates in place. */
export interface TeamArgs {
  /** Name of the team. Required, not blank. */
  name: pulumi.Input<string>;
  /** What the team is for. Default: `""`. */
  description?: pulumi.Input<string | undefined>;
  /** Who can see the team: everybody (`visible`) or its members (`secret`). Default: `visible`. */
  privacy?: pulumi.Input<"visible" | "secret" | undefined>;
  /** Whether users join the team by default. Default: false. */
  isDefaultTeam?: pulumi.Input<boolean | undefined>;
  /**
   * Role of new members. Default: `member`. A service that does not tell it keeps what was sent last, so a change
   * made by hand may go unseen.
   */
  defaultMemberRole?: pulumi.Input<"member" | "maintainer" | undefined>;
  /** Whether members can create pipelines. Default: false. Unseen when changed by hand, as `defaultMemberRole`. */
  membersCanCreatePipelines?: pulumi.Input<boolean | undefined>;
}

/**
 * A team (the API document, sections 2.6 and 4.5). Needs the scopes `read_teams` (or `view_teams`) and
 * `write_teams`. An organization has room for 250.
 *
 * The API takes all six properties each time, so each has a default and every update sends all of them.
 *
 * `{ import: "<uuid|slug>" }` adopts an existing team.
 *
 * @example
 * ```ts
 * new Team("platform", { name: "Platform", privacy: "visible", defaultMemberRole: "maintainer" });
 * ```
 */
export class Team extends pulumi.CustomResource {
  /** @internal */
  static readonly kind = {
    name: "Team",
    noun: "team",
    section: "4.5",
    scopes: { read: [["read_teams", "view_teams"]], write: [["write_teams"]] },
    arguments: {
      name: { ...requiredText, sentAs: "name", returnedAs: "name" },
      description: { ...optionalText, default: "", sentAs: "description", returnedAs: "description" },
      privacy: {
        check: ({ z }) => z.enum(["visible", "secret"]),
        expected: '"visible" or "secret"',
        leftOut: "cleared",
        default: "visible",
        sentAs: "privacy",
        returnedAs: "privacy",
      },
      isDefaultTeam: {
        ...yesOrNo,
        leftOut: "cleared",
        default: false,
        sentAs: "is_default_team",
        returnedAs: "default",
      },
      defaultMemberRole: {
        check: ({ z }) => z.enum(["member", "maintainer"]),
        expected: '"member" or "maintainer"',
        leftOut: "cleared",
        default: "member",
        sentAs: "default_member_role",
        returnedAs: "default_member_role",
        returnedSometimes: true,
      },
      membersCanCreatePipelines: {
        ...yesOrNo,
        leftOut: "cleared",
        default: false,
        sentAs: "members_can_create_pipelines",
        returnedAs: "members_can_create_pipelines",
        returnedSometimes: true,
      },
    },
    outputs: {
      graphqlId: { returnedAs: "graphql_id" },
      slug: { returnedAs: "slug" },
      createdAt: { returnedAs: "created_at" },
      createdBy: { returnedAs: "created_by", user: true },
    },
    calls: {
      async create(service, body) {
        const answer = await service.client.teams.create(body);
        if (isWhole(answer)) return { entity: answer };
        const { id } = answer;
        if (!id) return { entity: await findCreated(service, body) };
        try {
          return { entity: await service.client.teams.get(id) };
        } catch (unfinished) {
          return { entity: { ...answer, id, name: body.name }, unfinished };
        }
      },
      read: ({ client }, id) => client.teams.get(id),
      async update({ client }, id, { whole }) {
        const answer = await client.teams.update(id, whole);
        return { entity: isWhole(answer) ? answer : await client.teams.get(id) };
      },
      delete: ({ client }, id) => client.teams.delete(id),
      identify: (team) => team.id,
    },
    collection: {
      key: () => "teams",
      list: ({ client }) => client.teams.list().all(),
    },
    adoption: { form: "<team uuid|slug>", inCluster: false, names: (team) => [team.slug] },
  } satisfies Kind<TeamArgs, Team, wire.Team, wire.TeamWrite>;

  /** Name of the team. */
  declare readonly name: pulumi.Output<string>;
  /** What the team is for. */
  declare readonly description: pulumi.Output<string>;
  /** `visible` or `secret`. */
  declare readonly privacy: pulumi.Output<"visible" | "secret">;
  /** Whether users join by default: the API document's `default`. */
  declare readonly isDefaultTeam: pulumi.Output<boolean>;
  /** `member` or `maintainer`. */
  declare readonly defaultMemberRole: pulumi.Output<"member" | "maintainer">;
  /** Whether members can create pipelines. */
  declare readonly membersCanCreatePipelines: pulumi.Output<boolean>;
  /** Slug of the organization the team is in. */
  declare readonly organization: pulumi.Output<string>;
  /** Opaque id for the service's GraphQL interface. */
  declare readonly graphqlId: pulumi.Output<string>;
  /** URL slug. */
  declare readonly slug: pulumi.Output<string>;
  /** When it was created, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** Who created it. */
  declare readonly createdBy: pulumi.Output<EmbeddedUser | undefined>;

  /**
   * Reads an existing team without managing it. A missing one is an error.
   * @example Team.get("everyone", teamUuid)
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<TeamArgs>,
    opts?: pulumi.CustomResourceOptions,
  ): Team {
    return new Team(name, state, lookupOptions(id, opts));
  }

  constructor(name: string, args: TeamArgs, opts?: ResourceOptions);
  /** @internal */
  constructor(name: string, args: Partial<TeamArgs> | undefined, opts: ResourceOptions);
  constructor(name: string, args: Partial<TeamArgs> | undefined, opts?: ResourceOptions) {
    const { type, props, options, remember } = register(Team.kind, args, opts);
    super(type, name, props, options);
    remember(this);
  }
}

/** Whether the service answered with the team and not only with what was submitted. */
function isWhole(answer: wire.TeamWriteResult): answer is wire.Team {
  return typeof answer.id === "string" && typeof answer.name === "string" && typeof answer.slug === "string";
}

/**
 * The team just created, where the answer did not tell its id: the newest of that name, and of that content where
 * there are several. Teams of equal names may be created at the same time, so each is taken once.
 */
async function findCreated({ client, found }: Service, body: wire.TeamWrite): Promise<wire.Team> {
  let named: wire.Team[];
  try {
    const teams = await client.teams.list().all();
    named = teams.filter((team) => team.name === body.name && !found.has(team.id));
  } catch (error) {
    throw new Error(createdButUnseen(error instanceof Error ? error.message : String(error)), {
      cause: error,
    });
  }
  const alike = named.filter(
    (team) =>
      (team.description ?? "") === body.description &&
      team.privacy === body.privacy &&
      team.default === body.is_default_team,
  );
  const [newest] = (alike.length > 0 ? alike : named).sort((a, b) =>
    (b.created_at ?? "").localeCompare(a.created_at ?? ""),
  );
  if (newest === undefined) throw new Error(createdButUnseen("The list of teams does not have it."));
  found.add(newest.id);
  return newest;
}

function createdButUnseen(why: string): string {
  return (
    "The service created the team but did not tell its id, and looking it up failed. " +
    `${why} Before you run again, look whether the team exists, and if so adopt it: { import: "<slug>" }.`
  );
}
