import type * as api from "../../client/index.js";
import { TeamPipeline } from "../resources/team-pipeline.js";
import type { OutputArguments } from "./invoke/arguments.js";
import { outputForm } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a team's access to a pipeline by the team and the pipeline. */
export interface GetTeamPipelineArgs {
  /** UUID of the team. `getTeamPipelineOutput` also accepts a `Team`. */
  teamId: string;
  /** UUID of the pipeline. */
  pipelineId: string;
}

/** {@link GetTeamPipelineArgs}, each of which may be an Output. `teamId` may also be a `Team`. */
export interface GetTeamPipelineOutputArgs extends OutputArguments<GetTeamPipelineArgs, "teamId"> {}

/** A team's access to a pipeline, as the API returns it. Its id is `<team uuid>/<pipeline uuid>`. */
export interface GetTeamPipelineResult extends KindResult<TeamPipeline, api.TeamPipeline> {}

/** Identifies the team whose access to pipelines to list. */
export interface GetTeamPipelinesArgs {
  /** UUID of the team. `getTeamPipelinesOutput` also accepts a `Team`. */
  teamId: string;
}

/** {@link GetTeamPipelinesArgs}, each of which may be an Output. `teamId` may also be a `Team`. */
export interface GetTeamPipelinesOutputArgs extends OutputArguments<GetTeamPipelinesArgs, "teamId"> {}

/** The pipelines that a team may use, each with its level. */
export interface GetTeamPipelinesResult extends InOrganization {
  /** In the order of the API. */
  readonly teamPipelines: GetTeamPipelineResult[];
  /** UUID of the team. */
  readonly teamId: string;
}

const functions = functionsOf<GetTeamPipelineResult>(TeamPipeline.kind);

/**
 * Looks up a team's access to a pipeline. Scope: `read_teams` or `view_teams`.
 * @example const { accessLevel } = await getTeamPipeline({ teamId, pipelineId });
 */
export const getTeamPipeline = functions.pair<GetTeamPipelineArgs>("pipelineId");

/**
 * {@link getTeamPipeline} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { accessLevel } = getTeamPipelineOutput({ teamId: platform, pipelineId: storefront.id });
 */
export const getTeamPipelineOutput = outputForm<GetTeamPipelineOutputArgs, GetTeamPipelineResult>(
  "getTeamPipeline",
);

/**
 * Lists the pipelines that a team may use. Scope: `read_teams` or `view_teams`.
 * @example const { teamPipelines } = await getTeamPipelines({ teamId });
 */
export const getTeamPipelines = functions.all<GetTeamPipelinesArgs, GetTeamPipelinesResult>();

/**
 * {@link getTeamPipelines} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { teamPipelines } = getTeamPipelinesOutput({ teamId: platform });
 */
export const getTeamPipelinesOutput = outputForm<GetTeamPipelinesOutputArgs, GetTeamPipelinesResult>(
  "getTeamPipelines",
);
