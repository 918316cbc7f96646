import type { Api, RequestOptions } from "../api.js";
import { type Team, type TeamWriteResult, teamSchema, teamWriteResultSchema } from "../entities/team.js";
import { nothing, operation } from "../operation.js";
import type { List } from "../pages/list.js";

/** Which teams to list (section 4.5). */
export interface TeamQuery {
  /** Only teams that have this user (UUID) as a member. */
  user_id?: string | undefined;
}

/** A team as it is written (section 4.5). The service wants all six properties every time. */
export interface TeamWrite {
  name: string;
  /** May be "". */
  description: string;
  privacy: "visible" | "secret";
  /** Whether new members of the organization join by default. */
  is_default_team: boolean;
  /** The role new members of the team get. */
  default_member_role: "member" | "maintainer";
  members_can_create_pipelines: boolean;
}

const path = "/v2/organizations/{org_slug}/teams";
const one = `${path}/{team_uuid}` as const;

export const teamOperations = {
  list: operation("teams.list", "GET", path, "read_teams", "4.5", teamSchema),
  get: operation("teams.get", "GET", one, "view_teams", "4.5", teamSchema),
  create: operation("teams.create", "POST", path, "write_teams", "4.5", teamWriteResultSchema),
  update: operation("teams.update", "PATCH", one, "write_teams", "4.5", teamWriteResultSchema),
  delete: operation("teams.delete", "DELETE", one, "write_teams", "4.5", nothing),
} as const;

/** Teams of an organization (section 4.5). */
export class Teams {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the organization's teams, or those a user belongs to.
   *
   * Scope: `read_teams`. Section 4.5.
   * @example
   * ```ts
   * const mine = await client.teams.list({ user_id: user.id }).all();
   * ```
   */
  list(query: TeamQuery = {}, options?: RequestOptions): List<Team> {
    return this.#api.list(teamOperations.list, {}, { user_id: query.user_id }, options);
  }

  /**
   * Reads one team.
   *
   * Scope: `view_teams`; today's service takes `read_teams` as well. Section 4.5.
   * @throws NotFoundError if there is no such team, or the access token may not see it.
   * @example
   * ```ts
   * const { slug } = await client.teams.get("c5e09619-8648-4896-a936-9d0b8b7b3fe9");
   * ```
   */
  get(uuid: string, options?: RequestOptions): Promise<Team> {
    return this.#api.call(teamOperations.get, { team_uuid: uuid }, {}, options);
  }

  /**
   * Creates a team. The answer may be nothing but what was submitted, without an `id`: find the team by listing then.
   *
   * Scope: `write_teams`. Section 4.5.
   * @throws ValidationError if the service refuses a value.
   * @throws ConnectionError, TimeoutError, ServerError: it may have been created; see `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const team = await client.teams.create({
   *   name: "Platform",
   *   description: "",
   *   privacy: "visible",
   *   is_default_team: false,
   *   default_member_role: "member",
   *   members_can_create_pipelines: false,
   * });
   * ```
   */
  create(body: TeamWrite, options?: RequestOptions): Promise<TeamWriteResult> {
    return this.#api.call(teamOperations.create, {}, { body }, options);
  }

  /**
   * Changes a team; all six properties are given every time. The answer may be nothing but what was submitted.
   *
   * Scope: `write_teams`. Section 4.5.
   * @throws NotFoundError if there is no such team.
   * @throws ValidationError if the service refuses a value.
   * @example
   * ```ts
   * await client.teams.update(team.id, { ...wanted, privacy: "secret" });
   * ```
   */
  update(uuid: string, body: TeamWrite, options?: RequestOptions): Promise<TeamWriteResult> {
    return this.#api.call(teamOperations.update, { team_uuid: uuid }, { body }, options);
  }

  /**
   * Deletes a team.
   *
   * Scope: `write_teams`. Section 4.5.
   * @throws NotFoundError if there is no such team; with `attempts` above 1, an earlier try may have deleted it.
   * @throws ValidationError with the reason if the service refuses.
   * @example
   * ```ts
   * await client.teams.delete(team.id);
   * ```
   */
  delete(uuid: string, options?: RequestOptions): Promise<void> {
    return this.#api.call(teamOperations.delete, { team_uuid: uuid }, {}, options);
  }
}
