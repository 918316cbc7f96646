import type * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text } from "./api/entity.js";
import type { List } from "./api/list.js";
import { nothing, operations } from "./api/operation.js";
import type { PipelineAccess } from "./pipelines.js";

const teamPipelineSchema = entity({
  required: {
    /** UUID of the pipeline. The pair of team and pipeline has no separate id. */
    pipeline_id: identifier,
  },
  optional: {
    /** `read_only`, `build_and_read` or `manage_build_and_read`. The response to a creation may have another value. */
    access_level: text,
  },
  decorative: {
    /** API URL of the pipeline. */
    pipeline_url: text,
    /** Time the team got access; ISO 8601, UTC. */
    created_at: text,
  },
});

/** A team's access to a pipeline. */
export interface TeamPipeline extends z.output<typeof teamPipelineSchema> {}

/** Changes to a team's access to a pipeline. */
export interface TeamPipelineUpdate {
  access_level: PipelineAccess;
}

/** A new access of a team to a pipeline. */
export interface TeamPipelineCreate extends TeamPipelineUpdate {
  /** UUID of the pipeline. */
  pipeline_id: string;
}

const path = "/v2/organizations/{org_slug}/teams/{team_uuid}/pipelines";
const one = `${path}/{pipeline_uuid}` as const;

/** @internal */
export const teamPipelineOperations = operations("teamPipelines", {
  list: ["GET", path, "view_teams", teamPipelineSchema],
  get: ["GET", one, "view_teams", teamPipelineSchema],
  create: ["POST", path, "write_teams", teamPipelineSchema],
  // Somebody may have removed the pair and added it again, so after a lost response a repeated write might change that.
  update: ["PATCH", one, "write_teams", teamPipelineSchema, { resendable: false }],
  delete: ["DELETE", one, "write_teams", nothing, { resendable: false }],
});

/** Access of teams to pipelines, each identified by the team and the pipeline's UUID. */
export class TeamPipelines extends Section {
  /**
   * Lists the pipelines that a team has access to. Scope: `view_teams`.
   * @throws NotFoundError if there is no such team, or the access token may not see it.
   * @example for await (const { pipeline_url } of client.teamPipelines.list(team.id)) console.log(pipeline_url);
   */
  list(teamId: string, options?: RequestOptions): List<TeamPipeline> {
    return this.api.list(teamPipelineOperations.list, [teamId], options);
  }

  /**
   * Reads a team's access to one pipeline. Scope: `view_teams`.
   * @example const { access_level } = await client.teamPipelines.get(team.id, pipeline.id);
   */
  get(teamId: string, pipelineId: string, options?: RequestOptions): Promise<TeamPipeline> {
    return this.api.call(teamPipelineOperations.get, [teamId, pipelineId], options);
  }

  /**
   * Gives a team access to a pipeline. Scope: `write_teams`.
   * @throws ValidationError if the API refuses the pipeline or the level, or the team has access already.
   * @throws ConnectionError, TimeoutError, ServerError: the team may have access; see `mayHaveBeenCarriedOut`.
   * @example await client.teamPipelines.create(team.id, { pipeline_id: pipeline.id, access_level: "build_and_read" });
   */
  create(teamId: string, body: TeamPipelineCreate, options?: RequestOptions): Promise<TeamPipeline> {
    return this.api.call(teamPipelineOperations.create, [teamId], options, body);
  }

  /**
   * Changes a team's access to a pipeline. Scope: `write_teams`.
   * @throws ConnectionError, TimeoutError, ServerError: the level may have been changed; see `mayHaveBeenCarriedOut`.
   * @example await client.teamPipelines.update(team.id, pipeline.id, { access_level: "read_only" });
   */
  update(
    teamId: string,
    pipelineId: string,
    body: TeamPipelineUpdate,
    options?: RequestOptions,
  ): Promise<TeamPipeline> {
    return this.api.call(teamPipelineOperations.update, [teamId, pipelineId], options, body);
  }

  /**
   * Takes a team's access to a pipeline away. Scope: `write_teams`.
   * @throws ConnectionError, TimeoutError, ServerError: the access may be gone; see `mayHaveBeenCarriedOut`.
   * @example await client.teamPipelines.delete(team.id, pipeline.id);
   */
  delete(teamId: string, pipelineId: string, options?: RequestOptions): Promise<void> {
    return this.api.call(teamPipelineOperations.delete, [teamId, pipelineId], options);
  }
}
