import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { isSameObject } from "../../shared/protocol/identity.js";
import { noticedPair, pairs } from "../kind/behavior.js";
import { inTeam, property, teamId, uuid } from "../kind/fields.js";
import type { Kind, OneOf } from "../kind/kind.js";
import { idOfUser } from "../kind/people.js";
import { loses, opensInside, replaced, when } from "../kind/review.js";
import { choice } from "../kind/shape.js";
import { type Get, getNamed } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import { TeamMemberRole } from "./enumerations.js";
import type { Team } from "./team.js";

/** Arguments of a {@link TeamMember}. */
export interface TeamMemberArgs {
  /** Team that the user joins: a {@link Team} or the UUID of one. Required. Changing it replaces the membership. */
  teamId: pulumi.Input<string> | Team;
  /**
   * UUID of the user, who must belong to the organization; `getOrganizationMember({ email: "…" })` finds it. Required. Changing it
   * replaces the membership.
   */
  userId: pulumi.Input<string>;
  /** Role in the team. A maintainer may change the team and its members. Default: `member`. Changing it updates in place. */
  role?: pulumi.Input<OneOf<"member" | "maintainer"> | undefined>;
}

/**
 * A user's membership in a team. Needs the scopes `read_teams` (or `view_teams`) and `write_teams`, and an access token
 * of an admin or of a maintainer of the team. Its id is `<team uuid>/<user uuid>`.
 *
 * A deletion takes the user out of the team, but not out of the organization. What leaving the organization does to a
 * membership is not documented.
 *
 * A membership that exists already is an error, which shows its role and its import. The exception is the one of the user
 * who created the team, if the same program declares the team: it is taken over, and gets the role of the program. If
 * somebody removes the user from the team and adds the user again, a refresh records the new membership; Pulumi deletes
 * only the membership in its state.
 *
 * `{ import: "<team uuid|slug|name>/<user uuid|email>" }` imports an existing membership. An email needs the scope
 * `read_organizations`.
 *
 * @example
 * ```ts
 * const platform = new Team("platform", { name: "Platform" });
 * const ada = getOrganizationMemberOutput({ email: "ada@example.com" });
 * new TeamMember("ada", { teamId: platform, userId: ada.id, role: "maintainer" });
 * ```
 */
export class TeamMember extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:TeamMember";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<TeamMember>(TeamMember.__pulumiType);
  /** @internal */
  static readonly kind = {
    name: "TeamMember",
    words: { noun: "team member", short: "member", label: "userId", knownBy: ["userName"] },
    section: "teamMembers",
    scopes: { read: [["read_teams", "view_teams"]], write: [["write_teams"]] },
    requires: "newer API",
    parent: inTeam,
    arguments: {
      teamId,
      userId: {
        ...uuid("a user of the organization"),
        review: replaced,
        whenOmitted: "required",
        ...property("user_id"),
        creationOnly: true,
        replaces: true,
      },
      role: {
        shape: choice(Object.values(TeamMemberRole)),
        expected: '"member" or "maintainer"',
        review: when(
          {
            more: opensInside(
              "{objects} {becomes|become} {after} of {place}, and {is|are} no longer only {before}",
            ),
            less: loses("{objects} {is|are} only {after} of {place} from then on, and no longer {before}", {
              now: "restrict",
            }),
          },
          { levels: Object.values(TeamMemberRole) },
        ),
        whenOmitted: "cleared",
        default: "member",
        ...property("role"),
      },
    },
    review: {
      created: opensInside("{objects} {joins|join} {place} as {role}"),
      deleted: [
        loses("{objects} {leaves|leave} {place} ({role}), and {loses|lose} the access that it gives"),
      ],
      vanished: { lost: "The user lost the access that the team gives." },
    },
    outputs: {
      userName: { returnedAs: "user_name", spells: "userId" },
      createdAt: { returnedAs: "created_at" },
    },
    identify: (member) => member.user_id,
    isPair: true,
    // Whoever creates a team maintains it.
    comesWith: {
      argument: "teamId",
      gives: ({ creator }, { userId }) =>
        isSameObject(creator, userId) ? { role: "maintainer" } : undefined,
    },
    unique: { argument: "userId", isRefused: true },
    once: {
      argument: "userId",
      words: "is a member of the same team by {other} already. Declare each membership once.",
    },
    importing: {
      form: "<user uuid|email>",
      names: () => [],
      idOf: idOfUser,
    },
    noticed: noticedPair("team member"),
    behavior: pairs((client) => client.teamMembers, "team member"),
  } satisfies Kind<TeamMemberArgs, TeamMember, api.TeamMember, api.TeamMemberCreate, api.TeamMemberUpdate>;

  /** UUID of the team. */
  declare readonly teamId: pulumi.Output<string>;
  /** UUID of the user. */
  declare readonly userId: pulumi.Output<string>;
  /** `member` or `maintainer`. */
  declare readonly role: pulumi.Output<"member" | "maintainer">;
  /** Slug of the organization the team is in. */
  declare readonly organization: pulumi.Output<string>;
  /** Name of the user. */
  declare readonly userName: pulumi.Output<string | undefined>;
  /** When the user joined the team, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * Reads an existing membership without managing it. A missing one is an error.
   * @example TeamMember.get("ada", `${teamUuid}/${userUuid}`)
   */
  static readonly get: Get<TeamMemberArgs, TeamMember> = getNamed("teamId", "userId");

  constructor(name: string, args: TeamMemberArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}
