import type * as api from "../../client/index.js";
import { TeamMember } from "../resources/team-member.js";
import type { OutputArguments } from "./invoke/arguments.js";
import { outputForm } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a user's membership in a team by the team and the user. */
export interface GetTeamMemberArgs {
  /** UUID of the team. `getTeamMemberOutput` also accepts a `Team`. */
  teamId: string;
  /** UUID of the user. */
  userId: string;
}

/** {@link GetTeamMemberArgs}, each of which may be an Output. `teamId` may also be a `Team`. */
export interface GetTeamMemberOutputArgs extends OutputArguments<GetTeamMemberArgs, "teamId"> {}

/** A user's membership in a team, as the API returns it. Its id is `<team uuid>/<user uuid>`. */
export interface GetTeamMemberResult extends KindResult<TeamMember, api.TeamMember> {}

/** Identifies the team whose members to list. */
export interface GetTeamMembersArgs {
  /** UUID of the team. `getTeamMembersOutput` also accepts a `Team`. */
  teamId: string;
}

/** {@link GetTeamMembersArgs}, each of which may be an Output. `teamId` may also be a `Team`. */
export interface GetTeamMembersOutputArgs extends OutputArguments<GetTeamMembersArgs, "teamId"> {}

/** The members of a team. */
export interface GetTeamMembersResult extends InOrganization {
  /** In the order of the API. */
  readonly teamMembers: GetTeamMemberResult[];
  /** UUID of the team. */
  readonly teamId: string;
}

const functions = functionsOf<GetTeamMemberResult>(TeamMember.kind);

/**
 * Looks up a user's membership in a team. Scope: `read_teams` or `view_teams`.
 * @example const { role } = await getTeamMember({ teamId, userId });
 */
export const getTeamMember = functions.pair<GetTeamMemberArgs>("userId");

/**
 * {@link getTeamMember} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { role } = getTeamMemberOutput({ teamId: platform, userId: ada.id });
 */
export const getTeamMemberOutput = outputForm<GetTeamMemberOutputArgs, GetTeamMemberResult>("getTeamMember");

/**
 * Lists the members of a team. Scope: `read_teams` or `view_teams`.
 * @example const { teamMembers } = await getTeamMembers({ teamId });
 */
export const getTeamMembers = functions.all<GetTeamMembersArgs, GetTeamMembersResult>();

/**
 * {@link getTeamMembers} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { teamMembers } = getTeamMembersOutput({ teamId: platform });
 */
export const getTeamMembersOutput = outputForm<GetTeamMembersOutputArgs, GetTeamMembersResult>(
  "getTeamMembers",
);
