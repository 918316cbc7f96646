import type * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text } from "./api/entity.js";
import type { List } from "./api/list.js";
import { nothing, operations } from "./api/operation.js";

const teamMemberSchema = entity({
  required: {
    /** UUID of the user. A membership has no separate id. */
    user_id: identifier,
  },
  optional: {
    /** `member` or `maintainer`. */
    role: text,
  },
  decorative: {
    /** Name of the user. */
    user_name: text,
    /** Time the user joined the team; ISO 8601, UTC. */
    created_at: text,
  },
});

/** A user's membership in a team. */
export interface TeamMember extends z.output<typeof teamMemberSchema> {}

/** Changes to a member of a team. */
export interface TeamMemberUpdate {
  /** A maintainer may change the team and its members. */
  role: "member" | "maintainer";
}

/** A new member of a team. */
export interface TeamMemberCreate extends TeamMemberUpdate {
  /** UUID of a user who belongs to the organization. */
  user_id: string;
}

const path = "/v2/organizations/{org_slug}/teams/{team_uuid}/members";
const one = `${path}/{user_uuid}` as const;

/** @internal */
export const teamMemberOperations = operations("teamMembers", {
  list: ["GET", path, "view_teams", teamMemberSchema],
  get: ["GET", one, "view_teams", teamMemberSchema],
  create: ["POST", path, "write_teams", teamMemberSchema],
  // The user may have left and joined again, so after a lost response a repeated write might change that membership.
  update: ["PATCH", one, "write_teams", teamMemberSchema, { resendable: false }],
  delete: ["DELETE", one, "write_teams", nothing, { resendable: false }],
});

/** Members of teams, each identified by the team and the user. */
export class TeamMembers extends Section {
  /**
   * Lists the members of a team. Scope: `view_teams`.
   * @throws NotFoundError if there is no such team, or the access token may not see it.
   * @example const members = await client.teamMembers.list(team.id).all();
   */
  list(teamId: string, options?: RequestOptions): List<TeamMember> {
    return this.api.list(teamMemberOperations.list, [teamId], options);
  }

  /**
   * Reads one member of a team. Scope: `view_teams`.
   * @example const { role } = await client.teamMembers.get(team.id, user.id);
   */
  get(teamId: string, userId: string, options?: RequestOptions): Promise<TeamMember> {
    return this.api.call(teamMemberOperations.get, [teamId, userId], options);
  }

  /**
   * Adds a user to a team. Only admins and maintainers of the team may do this. Scope: `write_teams`.
   * @throws ValidationError if the API refuses the user or the role.
   * @throws ConnectionError, TimeoutError, ServerError: the user may have been added; see `mayHaveBeenCarriedOut`.
   * @example await client.teamMembers.create(team.id, { user_id: user.id, role: "member" });
   */
  create(teamId: string, body: TeamMemberCreate, options?: RequestOptions): Promise<TeamMember> {
    return this.api.call(teamMemberOperations.create, [teamId], options, body);
  }

  /**
   * Changes the role of a member. Scope: `write_teams`.
   * @throws ConnectionError, TimeoutError, ServerError: the role may have been changed; see `mayHaveBeenCarriedOut`.
   * @example await client.teamMembers.update(team.id, user.id, { role: "maintainer" });
   */
  update(
    teamId: string,
    userId: string,
    body: TeamMemberUpdate,
    options?: RequestOptions,
  ): Promise<TeamMember> {
    return this.api.call(teamMemberOperations.update, [teamId, userId], options, body);
  }

  /**
   * Removes a user from a team. Scope: `write_teams`.
   * @throws ConnectionError, TimeoutError, ServerError: the user may have been removed; see `mayHaveBeenCarriedOut`.
   * @example await client.teamMembers.delete(team.id, user.id);
   */
  delete(teamId: string, userId: string, options?: RequestOptions): Promise<void> {
    return this.api.call(teamMemberOperations.delete, [teamId, userId], options);
  }
}
