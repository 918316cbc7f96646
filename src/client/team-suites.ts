import type * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text, texts } from "./api/entity.js";
import type { List } from "./api/list.js";
import { nothing, operations } from "./api/operation.js";

const teamSuiteSchema = entity({
  required: {
    /** UUID of the suite. The pair of team and suite has no separate id. */
    suite_id: identifier,
  },
  optional: {
    /** `read`, or `read` and `edit`, in any order. */
    access_level: texts,
  },
  decorative: {
    /** API URL of the suite. */
    suite_url: text,
    /** Time the team got access; ISO 8601, UTC. */
    created_at: text,
  },
});

/** A team's access to a test suite. */
export interface TeamSuite extends z.output<typeof teamSuiteSchema> {}

/** Changes to a team's access to a test suite. */
export interface TeamSuiteUpdate {
  /** `read` alone, or with `edit`. The API may refuse `edit` alone. */
  access_level: readonly ("read" | "edit")[];
}

/** A new access of a team to a test suite. */
export interface TeamSuiteCreate extends TeamSuiteUpdate {
  /** UUID of the suite. */
  suite_id: string;
}

const path = "/v2/organizations/{org_slug}/teams/{team_uuid}/suites";
const one = `${path}/{suite_uuid}` as const;

/** @internal */
export const teamSuiteOperations = operations("teamSuites", {
  list: ["GET", path, "view_teams", teamSuiteSchema],
  get: ["GET", one, "view_teams", teamSuiteSchema],
  create: ["POST", path, "write_teams", teamSuiteSchema],
  // Somebody may have removed the pair and added it again, so after a lost response a repeated write might change that.
  update: ["PATCH", one, "write_teams", teamSuiteSchema, { resendable: false }],
  delete: ["DELETE", one, "write_teams", nothing, { resendable: false }],
});

/** Access of teams to test suites, each identified by the team and the suite's UUID. */
export class TeamSuites extends Section {
  /**
   * Lists the test suites that a team has access to. Scope: `view_teams`.
   * @throws NotFoundError if there is no such team, or the access token may not see it.
   * @example for await (const { suite_url } of client.teamSuites.list(team.id)) console.log(suite_url);
   */
  list(teamId: string, options?: RequestOptions): List<TeamSuite> {
    return this.api.list(teamSuiteOperations.list, [teamId], options);
  }

  /**
   * Reads a team's access to one test suite. Scope: `view_teams`.
   * @example const { access_level } = await client.teamSuites.get(team.id, suite.id);
   */
  get(teamId: string, suiteId: string, options?: RequestOptions): Promise<TeamSuite> {
    return this.api.call(teamSuiteOperations.get, [teamId, suiteId], options);
  }

  /**
   * Gives a team access to a test suite. Scope: `write_teams`.
   * @throws ValidationError if the API refuses the suite or the level, or the team has access already.
   * @throws ConnectionError, TimeoutError, ServerError: the team may have access; see `mayHaveBeenCarriedOut`.
   * @example await client.teamSuites.create(team.id, { suite_id: suite.id, access_level: ["read"] });
   */
  create(teamId: string, body: TeamSuiteCreate, options?: RequestOptions): Promise<TeamSuite> {
    return this.api.call(teamSuiteOperations.create, [teamId], options, body);
  }

  /**
   * Changes a team's access to a test suite. Scope: `write_teams`.
   * @throws ConnectionError, TimeoutError, ServerError: the level may have been changed; see `mayHaveBeenCarriedOut`.
   * @example await client.teamSuites.update(team.id, suite.id, { access_level: ["read", "edit"] });
   */
  update(
    teamId: string,
    suiteId: string,
    body: TeamSuiteUpdate,
    options?: RequestOptions,
  ): Promise<TeamSuite> {
    return this.api.call(teamSuiteOperations.update, [teamId, suiteId], options, body);
  }

  /**
   * Takes a team's access to a test suite away. Scope: `write_teams`.
   * @throws ConnectionError, TimeoutError, ServerError: the access may be gone; see `mayHaveBeenCarriedOut`.
   * @example await client.teamSuites.delete(team.id, suite.id);
   */
  delete(teamId: string, suiteId: string, options?: RequestOptions): Promise<void> {
    return this.api.call(teamSuiteOperations.delete, [teamId, suiteId], options);
  }
}
