import type * as api from "../../client/index.js";
import { TeamSuite } from "../resources/team-suite.js";
import type { OutputArguments } from "./invoke/arguments.js";
import { outputForm } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a team's access to a suite by the team and the suite. */
export interface GetTeamSuiteArgs {
  /** UUID of the team. `getTeamSuiteOutput` also accepts a `Team`. */
  teamId: string;
  /** UUID of the suite. */
  suiteId: string;
}

/** {@link GetTeamSuiteArgs}, each of which may be an Output. `teamId` may also be a `Team`. */
export interface GetTeamSuiteOutputArgs extends OutputArguments<GetTeamSuiteArgs, "teamId"> {}

/** A team's access to a suite, as the API returns it. Its id is `<team uuid>/<suite uuid>`. */
export interface GetTeamSuiteResult extends KindResult<TeamSuite, api.TeamSuite> {}

/** Identifies the team whose access to suites to list. */
export interface GetTeamSuitesArgs {
  /** UUID of the team. `getTeamSuitesOutput` also accepts a `Team`. */
  teamId: string;
}

/** {@link GetTeamSuitesArgs}, each of which may be an Output. `teamId` may also be a `Team`. */
export interface GetTeamSuitesOutputArgs extends OutputArguments<GetTeamSuitesArgs, "teamId"> {}

/** The suites that a team may use, each with its level. */
export interface GetTeamSuitesResult extends InOrganization {
  /** In the order of the API. */
  readonly teamSuites: GetTeamSuiteResult[];
  /** UUID of the team. */
  readonly teamId: string;
}

const functions = functionsOf<GetTeamSuiteResult>(TeamSuite.kind);

/**
 * Looks up a team's access to a suite. Scope: `read_teams` or `view_teams`.
 * @example const { accessLevel } = await getTeamSuite({ teamId, suiteId });
 */
export const getTeamSuite = functions.pair<GetTeamSuiteArgs>("suiteId");

/**
 * {@link getTeamSuite} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { accessLevel } = getTeamSuiteOutput({ teamId: platform, suiteId: unit.id });
 */
export const getTeamSuiteOutput = outputForm<GetTeamSuiteOutputArgs, GetTeamSuiteResult>("getTeamSuite");

/**
 * Lists the suites that a team may use. Scope: `read_teams` or `view_teams`.
 * @example const { teamSuites } = await getTeamSuites({ teamId });
 */
export const getTeamSuites = functions.all<GetTeamSuitesArgs, GetTeamSuitesResult>();

/**
 * {@link getTeamSuites} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { teamSuites } = getTeamSuitesOutput({ teamId: platform });
 */
export const getTeamSuitesOutput = outputForm<GetTeamSuitesOutputArgs, GetTeamSuitesResult>("getTeamSuites");
