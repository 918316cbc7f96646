import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { noticedPair, pairs, type Reads } from "../kind/behavior.js";
import { canonicalSet } from "../kind/canonical.js";
import { inTeam, property, teamId, uuid } from "../kind/fields.js";
import type { Kind, OneOf } from "../kind/kind.js";
import { loses, opensInside, replaced, when } from "../kind/review.js";
import { choice, list } from "../kind/shape.js";
import { type Get, getNamed } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import { TeamSuiteAccessLevel } from "./enumerations.js";
import type { Suite } from "./suite.js";
import type { Team } from "./team.js";

/** Arguments of a {@link TeamSuite}. */
export interface TeamSuiteArgs {
  /** Team that gets access: a {@link Team} or the UUID of one. Required. Changing it replaces the access. */
  teamId: pulumi.Input<string> | Team;
  /** Suite that the team may use: a {@link Suite} or the UUID of one. Required. Changing it replaces the access. */
  suiteId: pulumi.Input<string> | Suite;
  /**
   * What the team may do: `["read"]`, or `["read", "edit"]` in any order. Buildkite's pages don't say whether `["edit"]`
   * alone is valid, so the preview warns of it. Required. Changing it updates in place.
   * @example ["read", "edit"]
   */
  accessLevel: pulumi.Input<pulumi.Input<OneOf<"read" | "edit">>[]>;
}

/**
 * A team's access to a test suite. Needs the scopes `read_teams` (or `view_teams`) and `write_teams`, and an access token
 * of an admin or of a maintainer of the team. Its id is `<team uuid>/<suite uuid>`.
 *
 * A suite gives access to the teams in its `teamIds` when it is created. If the same deployment creates the suite and
 * declares the access, the access is taken over, and its level is set. A deletion keeps the team and the suite, and deleting
 * either of the two deletes the access.
 *
 * `{ import: "<team uuid|slug|name>/<suite uuid|slug>" }` imports an existing access.
 *
 * @example new TeamSuite("platform-unit", { teamId: platform, suiteId: unit, accessLevel: ["read", "edit"] });
 */
export class TeamSuite extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:TeamSuite";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<TeamSuite>(TeamSuite.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "TeamSuite",
    words: { noun: "team suite", label: "suiteId" },
    section: "teamSuites",
    scopes: { read: [["read_teams", "view_teams"]], write: [["write_teams"]] },
    requires: "newer API",
    parent: inTeam,
    arguments: {
      teamId,
      suiteId: {
        ...uuid("a suite, or a Suite resource"),
        review: replaced,
        whenOmitted: "required",
        refersTo: "Suite",
        takesResource: true,
        goesWith: true,
        ...property("suite_id"),
        creationOnly: true,
        replaces: true,
      },
      accessLevel: {
        shape: list(choice(Object.values(TeamSuiteAccessLevel))),
        expected: 'a list such as ["read", "edit"]',
        review: when(
          {
            more: opensInside("{place} gets {after} on {objects} instead of {before}", {
              todo: "Make sure that every member of the team may have that level.",
            }),
            less: loses("{place} keeps only {after} on {objects} instead of {before}", { now: "restrict" }),
          },
          { levels: Object.values(TeamSuiteAccessLevel) },
        ),
        doubt: (levels) =>
          levels.includes("read")
            ? undefined
            : 'lacks "read", and the API may refuse a team that may edit alone',
        whenOmitted: "required",
        ...property("access_level"),
        canonical: canonicalSet,
      },
    },
    review: {
      created: opensInside("{place} gets {accessLevel} on {objects}"),
      deleted: [loses("{place} loses {accessLevel} on {objects}")],
      vanished: { lost: "The team lost the access that it gave." },
    },
    outputs: {
      suiteUrl: { returnedAs: "suite_url", spells: "suiteId" },
      createdAt: { returnedAs: "created_at" },
    },
    identify: (pair) => pair.suite_id,
    isPair: true,
    // A suite is created with teams.
    comesWith: { argument: "suiteId", gives: () => ({ accessLevel: ["read", "edit"] }) },
    unique: { argument: "suiteId", isRefused: true },
    once: {
      argument: "suiteId",
      words: "is a suite of the same team by {other} already. Declare each access once.",
    },
    importing: { form: "<suite uuid|slug>", names: () => [], idOf: idOfSuite },
    noticed: noticedPair("team suite"),
    behavior: pairs((client) => client.teamSuites, "team suite"),
  } satisfies Kind<TeamSuiteArgs, TeamSuite, api.TeamSuite, api.TeamSuiteCreate, api.TeamSuiteUpdate>;

  /** UUID of the team. */
  declare readonly teamId: pulumi.Output<string>;
  /** UUID of the suite. */
  declare readonly suiteId: pulumi.Output<string>;
  /** What the team may do. */
  declare readonly accessLevel: pulumi.Output<("read" | "edit")[]>;
  /** Slug of the organization the team is in. */
  declare readonly organization: pulumi.Output<string>;
  /** API URL of the suite. */
  declare readonly suiteUrl: pulumi.Output<string | undefined>;
  /** When the team got access, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * Reads an existing access without managing it. A missing one is an error.
   * @example TeamSuite.get("platform-unit", `${teamUuid}/${suiteUuid}`)
   */
  static readonly get: Get<TeamSuiteArgs, TeamSuite> = getNamed("teamId", "suiteId");

  constructor(name: string, args: TeamSuiteArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

async function idOfSuite({ client, signal }: Reads, slug: string): Promise<string | undefined> {
  const suites = await client.suites.list({ signal }).all();
  return suites.find((suite) => suite.slug === slug)?.id;
}
