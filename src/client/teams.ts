import * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, flag, identifier, text, userSchema } from "./api/entity.js";
import type { List } from "./api/list.js";
import { nothing, operations } from "./api/operation.js";

const settable = {
  /** May be empty. */
  description: text,
  /** `visible` or `secret`. */
  privacy: text,
  /** True if new members of the organization join the team by default. */
  default: flag,
  /** Value of the request. The documentation doesn't say whether responses contain it. */
  is_default_team: flag,
  /** `member` or `maintainer`. The documentation doesn't say whether responses contain it. */
  default_member_role: text,
  /** Value of the request. The documentation doesn't say whether responses contain it. */
  members_can_create_pipelines: flag,
};

const decorative = {
  /** True if members can create test suites. Some responses omit it. */
  members_can_create_suites: flag,
  /** True if members can create package registries. Some responses omit it. */
  members_can_create_registries: flag,
  /** True if members can delete package registries. Some responses omit it. */
  members_can_destroy_registries: flag,
  /** True if members can delete packages. Some responses omit it. */
  members_can_destroy_packages: flag,
  /** Opaque id for Buildkite's GraphQL API. */
  graphql_id: text,
  /** Name in web addresses. */
  slug: text,
  /** ISO 8601, UTC. */
  created_at: text,
  created_by: userSchema.nullable(),
};

const teamSchema = entity({
  required: {
    /** UUID. */
    id: identifier,
    name: identifier,
  },
  optional: settable,
  decorative,
});

/** A team of an organization. */
export interface Team extends z.output<typeof teamSchema> {}

const teamWriteResultSchema = entity({
  optional: {
    ...settable,
    /** UUID. */
    id: identifier,
    name: z.string(),
  },
  decorative,
});

/**
 * Response to the creation or update of a team: the whole team, or only the submitted properties. If the response has
 * no `id`, list the teams to find it.
 */
export interface TeamWriteResult extends z.output<typeof teamWriteResultSchema> {}

/** Filters for a list of teams. */
export interface TeamQuery {
  /** UUID of a user, to list only teams that the user is a member of. */
  user_id?: string | undefined;
}

/**
 * Properties of a new or changed team. The API requires the first six in every request. It may set each of the other four
 * to false if an update omits it.
 */
export interface TeamWrite {
  name: string;
  /** May be "". */
  description: string;
  privacy: "visible" | "secret";
  /** True if new members of the organization join the team by default. */
  is_default_team: boolean;
  /** Role that new members of the team get. */
  default_member_role: "member" | "maintainer";
  members_can_create_pipelines: boolean;
  members_can_create_suites?: boolean | undefined;
  /** True if members can create package registries. */
  members_can_create_registries?: boolean | undefined;
  /** True if members can delete package registries. */
  members_can_destroy_registries?: boolean | undefined;
  /** True if members can delete packages. */
  members_can_destroy_packages?: boolean | undefined;
}

const path = "/v2/organizations/{org_slug}/teams";
const one = `${path}/{team_uuid}` as const;

/** @internal */
export const teamOperations = operations("teams", {
  list: ["GET", path, "read_teams", teamSchema],
  get: ["GET", one, "view_teams", teamSchema],
  create: ["POST", path, "write_teams", teamWriteResultSchema],
  update: ["PATCH", one, "write_teams", teamWriteResultSchema],
  delete: ["DELETE", one, "write_teams", nothing],
});

/** Teams of an organization. */
export class Teams extends Section {
  /**
   * Lists the organization's teams, or only the teams of one user. Scope: `read_teams`.
   * @example const mine = await client.teams.list({ user_id: user.id }).all();
   */
  list(query: TeamQuery = {}, options?: RequestOptions): List<Team> {
    return this.api.list(teamOperations.list, [], options, { user_id: query.user_id });
  }

  /**
   * Reads one team. Scope: `view_teams`; the API currently also accepts `read_teams`.
   * @throws NotFoundError if there is no such team, or the access token may not see it.
   * @example const { slug } = await client.teams.get("c5e09619-8648-4896-a936-9d0b8b7b3fe9");
   */
  get(uuid: string, options?: RequestOptions): Promise<Team> {
    return this.api.call(teamOperations.get, [uuid], options);
  }

  /**
   * Creates a team. The response may contain only the submitted fields. If it has no `id`, list the teams to find it.
   * Scope: `write_teams`.
   * @throws ConnectionError, TimeoutError, ServerError: the team may have been created; see `mayHaveBeenCarriedOut`.
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
    return this.api.call(teamOperations.create, [], options, body);
  }

  /**
   * Changes a team. Every call sends the six properties that the API requires. The response may contain only the submitted fields. Scope:
   * `write_teams`.
   * @example await client.teams.update(team.id, { ...wanted, privacy: "secret" });
   */
  update(uuid: string, body: TeamWrite, options?: RequestOptions): Promise<TeamWriteResult> {
    return this.api.call(teamOperations.update, [uuid], options, body);
  }

  /**
   * Deletes a team. Scope: `write_teams`.
   * @throws NotFoundError if there is no such team; if `attempts` is above 1, an earlier attempt may have deleted it.
   * @example await client.teams.delete(team.id);
   */
  delete(uuid: string, options?: RequestOptions): Promise<void> {
    return this.api.call(teamOperations.delete, [uuid], options);
  }
}
