import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { isSameObject } from "../../shared/protocol/identity.js";
import type { Address, Context, NewPlace } from "../kind/behavior.js";
import { slugOf } from "../kind/canonical.js";
import { boolean, description, distinctSlug, flag, property, requiredText } from "../kind/fields.js";
import type { EmbeddedUser, Kind, OneOf } from "../kind/kind.js";
import { loses, notices, opensInside, when } from "../kind/review.js";
import { choice } from "../kind/shape.js";
import { type Get, get } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import { TeamDefaultMemberRole, TeamPrivacy } from "./enumerations.js";

/** The API requires each property of a team in each update. */
const always = { inEveryUpdate: true } as const;

const permission = (what: string) =>
  when({
    true: opensInside(`{lets|let} {its|their} members ${what}`),
    false: loses(`no longer {lets|let} {its|their} members ${what}`),
  });

/** A flag that the API got later. */
const addedFlag = {
  ...always,
  ...boolean,
  whenOmitted: "unmanaged",
  mayBeLeftOut: "anywhere",
} as const;

/** Arguments of a {@link Team}. Every change updates in place. */
export interface TeamArgs {
  /** Name of the team. Required, not blank. */
  name: pulumi.Input<string>;
  /** Purpose of the team. Default: `""`. */
  description?: pulumi.Input<string | undefined>;
  /** Visibility of the team: everyone (`visible`) or its members (`secret`). Default: `visible`. */
  privacy?: pulumi.Input<OneOf<"visible" | "secret"> | undefined>;
  /** True if users join the team by default. Default: false. */
  isDefaultTeam?: pulumi.Input<boolean | undefined>;
  /**
   * Role of new members. Default: `member`. If the API doesn't return it, state keeps the last value that was sent, so
   * Pulumi can't detect drift, and an imported team needs it before its first update.
   */
  defaultMemberRole?: pulumi.Input<OneOf<"member" | "maintainer"> | undefined>;
  /** True if members can create pipelines. Default: false. Like `defaultMemberRole`, the API may not return it. */
  membersCanCreatePipelines?: pulumi.Input<boolean | undefined>;
  /**
   * True if members can create test suites. Without this argument, Pulumi doesn't manage it. Buildkite's pages don't say
   * whether an update that lacks it resets it, so each update repeats it where the API returns it.
   */
  membersCanCreateSuites?: pulumi.Input<boolean | undefined>;
  /** True if members can create package registries. Like `membersCanCreateSuites`. */
  membersCanCreateRegistries?: pulumi.Input<boolean | undefined>;
  /** True if members can delete package registries. Like `membersCanCreateSuites`. */
  membersCanDestroyRegistries?: pulumi.Input<boolean | undefined>;
  /** True if members can delete packages. Like `membersCanCreateSuites`. */
  membersCanDestroyPackages?: pulumi.Input<boolean | undefined>;
}

/**
 * A team, without its members. Needs the scopes `read_teams` and `write_teams`, and on some services `view_teams` to
 * read a single team. An organization has at most 250 teams.
 *
 * The API requires all six properties in each write, so each argument has a default. Before an update, the provider
 * reads the team and repeats live values for what the preview didn't change, as far as the API returns them. It refuses
 * to update an imported team with a value that neither the API nor the program has said. A deletion also ends the team's
 * memberships and access.
 *
 * `{ import: "<uuid|slug|name>" }` imports an existing team.
 *
 * @example new Team("platform", { name: "Platform", privacy: "visible", defaultMemberRole: "maintainer" });
 */
export class Team extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:Team";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<Team>(Team.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "Team",
    words: { noun: "team", label: "name" },
    section: "teams",
    scopes: { read: [["read_teams", "view_teams"]], write: [["write_teams"]] },
    arguments: {
      name: {
        ...always,
        ...requiredText,
        review: when(
          {
            changed: notices("{gets|get} another slug with {its|their} name: {form} instead of {old.slug}", {
              rest: "Links and scripts that use the slug must follow.",
            }),
          },
          {
            compare: (before, after) => (slugOf(`${before}`) === slugOf(`${after}`) ? undefined : "changed"),
          },
        ),
        ...property("name"),
      },
      description: { ...always, ...description, default: "" },
      privacy: {
        ...always,
        shape: choice(Object.values(TeamPrivacy)),
        expected: '"visible" or "secret"',
        review: when({
          visible: opensInside("can be seen by everybody in the organization"),
          secret: notices("can be seen only by {its|their} members"),
        }),
        whenOmitted: "cleared",
        default: "visible",
        ...property("privacy"),
      },
      isDefaultTeam: {
        ...always,
        ...flag,
        review: when({
          true: opensInside("{becomes a default team|become default teams}, which every new member joins"),
          false: notices(
            "{is no default team|are no default teams} any more, so new members don't join {it|them}",
          ),
        }),
        sentAs: "is_default_team",
        returnedAs: "default",
      },
      defaultMemberRole: {
        ...always,
        shape: choice(Object.values(TeamDefaultMemberRole)),
        expected: '"member" or "maintainer" (the role of new members)',
        review: when(
          {
            more: opensInside("{gives|give} new members the role {after} instead of {before}"),
            less: notices("{gives|give} new members the role {after} instead of {before}"),
          },
          { levels: Object.values(TeamDefaultMemberRole) },
        ),
        whenOmitted: "cleared",
        default: "member",
        ...property("default_member_role"),
        mayBeLeftOut: "anywhere",
      },
      membersCanCreatePipelines: {
        ...always,
        ...flag,
        expected: "true or false (whether members can create pipelines)",
        review: permission("create pipelines"),
        ...property("members_can_create_pipelines"),
        mayBeLeftOut: "anywhere",
      },
      membersCanCreateSuites: {
        ...addedFlag,
        review: permission("create test suites"),
        ...property("members_can_create_suites"),
      },
      membersCanCreateRegistries: {
        ...addedFlag,
        review: permission("create registries"),
        ...property("members_can_create_registries"),
      },
      membersCanDestroyRegistries: {
        ...addedFlag,
        review: permission("delete registries"),
        ...property("members_can_destroy_registries"),
      },
      membersCanDestroyPackages: {
        ...addedFlag,
        review: permission("delete packages"),
        ...property("members_can_destroy_packages"),
      },
    },
    review: {
      deleted: [
        loses("{is|are} deleted", { rest: "{Its|Their} members lose the access that {it gives|they give}." }),
      ],
      vanished: {
        lost: "Its members lose the access that it gave.",
        remains: "A new team has another id; members and access to pipelines must be given to it.",
      },
    },
    outputs: {
      graphqlId: { returnedAs: "graphql_id" },
      slug: { returnedAs: "slug", spells: "name" },
      createdAt: { returnedAs: "created_at" },
      createdBy: { returnedAs: "created_by", user: true },
    },
    hidden: {
      when: ({ privacy }) => privacy === "secret",
      words: "a secret team is hidden from people who are neither its members nor admins",
    },
    identify: (team) => team.id ?? "",
    inSteps: {
      place: /^allowed_teams(?:\/\d+)?$/,
      output: "id",
      none: "is no team that the access token can see",
      consequence: "Its members can't unblock the step",
      isRejected: false,
      stops: "its members could not unblock {its|their} steps",
      level: "caution",
    },
    unique: { argument: "name", taken: (team) => [team.slug, team.name] },
    once: distinctSlug("teams"),
    importing: { form: "<team uuid|slug|name>", names: (team) => [team.slug, team.name] },
    behavior: {
      list: ({ client, signal }) => client.teams.list({}, { signal }),
      get: ({ client }, { id }) => client.teams.get(id),
      create: createTeam,
      update: updateTeam,
      delete: ({ client }, { id }) => client.teams.delete(id),
    },
  } satisfies Kind<TeamArgs, Team, api.TeamWriteResult, api.TeamWrite, api.TeamWrite>;

  /** Name of the team. */
  declare readonly name: pulumi.Output<string>;
  /** Purpose of the team. */
  declare readonly description: pulumi.Output<string>;
  /** `visible` or `secret`. */
  declare readonly privacy: pulumi.Output<"visible" | "secret">;
  /** True if users join by default. The API calls it `default`. */
  declare readonly isDefaultTeam: pulumi.Output<boolean>;
  /** `member` or `maintainer`; undefined if the API doesn't return it and no program has given it. */
  declare readonly defaultMemberRole: pulumi.Output<"member" | "maintainer" | undefined>;
  /** True if members can create pipelines; undefined in the same case. */
  declare readonly membersCanCreatePipelines: pulumi.Output<boolean | undefined>;
  /** True if members can create test suites; when it is not managed, as the API returned it last. */
  declare readonly membersCanCreateSuites: pulumi.Output<boolean | undefined>;
  /** True if members can create package registries; in the same way. */
  declare readonly membersCanCreateRegistries: pulumi.Output<boolean | undefined>;
  /** True if members can delete package registries; in the same way. */
  declare readonly membersCanDestroyRegistries: pulumi.Output<boolean | undefined>;
  /** True if members can delete packages; in the same way. */
  declare readonly membersCanDestroyPackages: pulumi.Output<boolean | undefined>;
  /** Slug of the organization the team is in. */
  declare readonly organization: pulumi.Output<string>;
  /** Opaque id for the service's GraphQL interface. */
  declare readonly graphqlId: pulumi.Output<string>;
  /** URL slug. */
  declare readonly slug: pulumi.Output<string>;
  /** When it was created, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** User who created it. */
  declare readonly createdBy: pulumi.Output<EmbeddedUser | undefined>;

  /**
   * Reads an existing team without managing it. A missing one is an error.
   * @example Team.get("everyone", teamUuid)
   */
  static readonly get: Get<TeamArgs, Team> = get;

  constructor(name: string, args: TeamArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

/** Creates a team. A response may have only what was sent: then a read, or else the list, shows the rest. */
async function createTeam(
  { client }: Context,
  place: NewPlace,
  body: api.TeamWrite,
  options: api.RequestOptions,
): Promise<api.TeamWriteResult> {
  const existed = await place.whatExisted();
  const response = await client.teams.create(body, options);
  if (!isTerse(response)) return response;
  if (response.id) return client.teams.get(response.id).catch(() => response);
  if (response.name !== body.name) return response;
  // The service accepted the name, so no other new team has it.
  const listed = await client.teams
    .list()
    .all()
    .catch(() => []);
  const [made, ...others] = listed.filter((team) => !existed(team.id) && hasWhatWasSent(team, body));
  return made !== undefined && others.length === 0 ? made : response;
}

/**
 * Updates a team. A token that may write teams may be allowed to list them, but not to read one. If it can do neither, a
 * response that repeats what was sent counts.
 */
async function updateTeam(
  { client }: Context,
  { id }: Address,
  body: api.TeamWrite,
): Promise<api.TeamWriteResult> {
  const response = await client.teams.update(id, body);
  if (!isTerse(response)) return response;
  try {
    return await client.teams.get(id);
  } catch (failure) {
    const listed = await client.teams
      .list()
      .all()
      .catch(() => []);
    const live = listed.find((team) => isSameObject(team.id, id));
    if (live !== undefined) return live;
    if (REPEATED.every((name) => name in response) && hasWhatWasSent(response, body))
      return { ...response, id };
    throw new Error(
      `The response to the update of the team ${id} has only what was sent. The team could not be read: ${messageOf(failure)}`,
      { cause: failure },
    );
  }
}

function isTerse({ id, name, slug }: api.TeamWriteResult): boolean {
  return !(id && name && slug);
}

const REPEATED = ["name", "description", "privacy"] as const;

function hasWhatWasSent(found: api.TeamWriteResult, body: api.TeamWrite): boolean {
  const pairs = [
    [found.name, body.name],
    [found.description ?? "", body.description],
    [found.privacy, body.privacy],
    [found.default ?? found.is_default_team, body.is_default_team],
    [found.default_member_role, body.default_member_role],
    [found.members_can_create_pipelines, body.members_can_create_pipelines],
  ];
  return pairs.every(([value, sent]) => value == null || value === sent);
}
