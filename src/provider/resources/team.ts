import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { slugOf } from "../kind/canonical.js";
import { distinctSlug, flag, optionalText, property, requiredText } from "../kind/fields.js";
import type { EmbeddedUser, Kind } from "../kind/kind.js";
import { choice } from "../kind/shape.js";
import { lookup, type ResourceOptions, register, registered } from "../program/registration.js";

/**
 * The values of a team's `privacy`. A plain string does as well. Pulumi writes these names after `pulumi import`.
 *
 * @example new Team("owners", { name: "Owners", privacy: TeamPrivacy.Secret })
 */
export const TeamPrivacy = { Visible: "visible", Secret: "secret" } as const;

/** The values of a team's `defaultMemberRole`, as {@link TeamPrivacy} has those of `privacy`. */
export const TeamDefaultMemberRole = { Member: "member", Maintainer: "maintainer" } as const;

/** Arguments of a {@link Team}. Every change updates in place. */
export interface TeamArgs {
  /** Name of the team. Required, not blank. */
  name: pulumi.Input<string>;
  /** Purpose of the team. Default: `""`. */
  description?: pulumi.Input<string | undefined>;
  /** Visibility of the team: everyone (`visible`) or its members (`secret`). Default: `visible`. */
  privacy?: pulumi.Input<"visible" | "secret" | undefined>;
  /** True if users join the team by default. Default: false. */
  isDefaultTeam?: pulumi.Input<boolean | undefined>;
  /**
   * Role of new members. Default: `member`. If the API doesn't return it, state keeps the last value that was sent, so
   * Pulumi can't detect drift, and an imported team needs it before its first update.
   */
  defaultMemberRole?: pulumi.Input<"member" | "maintainer" | undefined>;
  /** True if members can create pipelines. Default: false. Like `defaultMemberRole`, the API may not return it. */
  membersCanCreatePipelines?: pulumi.Input<boolean | undefined>;
}

/**
 * A team, without its members. Needs the scopes `read_teams` and `write_teams`, and on some services `view_teams` to
 * read a single team. An organization has at most 250 teams.
 *
 * The API requires all six properties in each write, so each argument has a default. Before an update, the provider
 * reads the team and repeats live values for what the preview didn't change, as far as the API returns them. It refuses
 * to update an imported team with a value that neither the API nor the program has said.
 *
 * `{ import: "<uuid|slug|name>" }` imports an existing team.
 *
 * @example
 * ```ts
 * new Team("platform", { name: "Platform", privacy: "visible", defaultMemberRole: "maintainer" });
 * ```
 */
export class Team extends CustomResource {
  /** @internal */
  static readonly kind = {
    name: "Team",
    words: { noun: "team", label: "name" },
    section: "4.5",
    scopes: { read: [["read_teams", "view_teams"]], write: [["write_teams"]] },
    arguments: {
      name: { ...requiredText, ...property("name") },
      description: { ...optionalText, default: "", ...property("description") },
      privacy: {
        shape: choice(Object.values(TeamPrivacy)),
        expected: '"visible" or "secret"',
        whenOmitted: "cleared",
        default: "visible",
        ...property("privacy"),
      },
      isDefaultTeam: { ...flag, sentAs: "is_default_team", returnedAs: "default" },
      defaultMemberRole: {
        shape: choice(Object.values(TeamDefaultMemberRole)),
        expected: '"member" or "maintainer" (the role of new members)',
        whenOmitted: "cleared",
        default: "member",
        ...property("default_member_role"),
        returnedSometimes: true,
      },
      membersCanCreatePipelines: {
        ...flag,
        expected: "true or false (whether members can create pipelines)",
        ...property("members_can_create_pipelines"),
        returnedSometimes: true,
      },
    },
    outputs: {
      graphqlId: { returnedAs: "graphql_id" },
      slug: { returnedAs: "slug", spells: "name" },
      createdAt: { returnedAs: "created_at" },
      createdBy: { returnedAs: "created_by", user: true },
    },
    updatesSendAll: true,
    hidden: {
      when: ({ privacy }) => privacy === "secret",
      words: "a secret team is hidden from people who are neither its members nor admins",
    },
    identify: (team) => team.id ?? "",
    unique: "name",
    isTakenBy: ({ name }, team) =>
      name !== undefined &&
      [team.slug, team.name].some((taken) => taken != null && slugOf(taken) === slugOf(name)),
    isTerse: (answer) => !(answer.id && answer.name && answer.slug),
    once: distinctSlug("teams"),
    importing: { form: "<team uuid|slug|name>", names: (team) => [team.slug, team.name] },
    calls: {
      list: ({ client, signal }) => client.teams.list({}, { signal }),
      get: ({ client }, { id }) => client.teams.get(id),
      create: ({ client }, _, body) => client.teams.create(body),
      update: ({ client }, { id }, body) => client.teams.update(id, body),
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
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<TeamArgs>,
    opts?: pulumi.CustomResourceOptions,
  ): Team {
    return new this(name, ...lookup<TeamArgs>(id, state, opts));
  }

  constructor(name: string, args: TeamArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}
