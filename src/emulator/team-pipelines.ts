import { z } from "zod";
import { type Call, deletion, listing, newerSection, operation, reading } from "./http/operation.js";
import { choice, id } from "./model/body.js";
import * as model from "./model/entity.js";
import { found, validationFailed } from "./model/refusals.js";
import { pipelineLevels, seesPipeline } from "./pipelines/permissions.js";
import type { StoredRecord } from "./store/collection.js";
import { findTeam, maintainedTeam, readsTeams } from "./teams.js";

const fields = {
  pipeline_id: model.uuid,
  pipeline_url: model.apiUrl((pair: { pipeline_id: string }, { data }) => {
    return `/pipelines/${data.pipelines.get(pair.pipeline_id)?.slug}`;
  }),
  access_level: z.enum(pipelineLevels),
  created_at: model.timestamp,
};

/** A team's access to a pipeline. Its id is never shown: paths have the pipeline's. */
export interface TeamPipelineRecord extends model.RecordOf<typeof fields>, StoredRecord {
  readonly team_id: string;
}

const pair = model.entity<TeamPipelineRecord>("TeamPipeline", fields);

const collection = "/v2/organizations/{org_slug}/teams/{team_uuid}/pipelines";
const single = `${collection}/{pipeline_uuid}`;
const access_level = choice(pipelineLevels);

export const teamPipelines = newerSection("teamPipelines", "teams", {
  list: listing(
    collection,
    "List the pipelines of a team",
    pair,
    (call) => call.data.teamPipelines.list("team_id", findTeam(call).id),
    readsTeams,
  ),
  get: reading(single, "Get a team's access to a pipeline", pair, findPair, readsTeams),
  create: operation("POST", collection, "Give a team access to a pipeline", {
    body: z.object({ pipeline_id: id, access_level }),
    response: pair,
    errors: { 422: "validation fails, or the team has the pipeline" },
    run: (call) => {
      const { body, data, now } = call;
      const { id: team_id } = maintainedTeam(call);
      const pipeline = data.pipelines.get(body.pipeline_id);
      if (pipeline === undefined || !seesPipeline(call, pipeline)) {
        throw validationFailed("Pipeline must be a pipeline of this organization");
      }
      const others = data.teamPipelines.list("team_id", team_id);
      if (others.some(({ pipeline_id }) => pipeline_id === pipeline.id)) {
        throw validationFailed("Pipeline has already been added to this team");
      }
      const made = { id: crypto.randomUUID(), created_at: now };
      return data.teamPipelines.insert({ ...made, team_id, ...body });
    },
  }),
  update: operation("PATCH", single, "Change a team's access to a pipeline", {
    body: z.object({ access_level }),
    response: pair,
    run: (call) => {
      maintainedTeam(call);
      return call.data.teamPipelines.update(findPair(call).id, call.body);
    },
  }),
  delete: deletion(single, "Take a pipeline from a team", "the pipeline cannot be taken", (call) => {
    maintainedTeam(call);
    return call.data.teamPipelines.delete(findPair(call).id);
  }),
});

function findPair(call: Call<"team_uuid" | "pipeline_uuid">): TeamPipelineRecord {
  const pairs = call.data.teamPipelines.list("team_id", findTeam(call).id);
  const wanted = call.params.pipeline_uuid.toLowerCase();
  return found(
    pairs.find(({ pipeline_id }) => pipeline_id === wanted),
    "team pipeline",
  );
}
