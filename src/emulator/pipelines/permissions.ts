import type { Call } from "../http/operation.js";
import { forbidden } from "../model/refusals.js";
import type { StoredRecord } from "../store/collection.js";

/** What a token's user may do with clusters and pipelines. */

/** The levels of a team's access to a pipeline, from the lowest. */
export const pipelineLevels = ["read_only", "build_and_read", "manage_build_and_read"] as const;

interface Pipeline {
  readonly id: string;
  readonly visibility: string;
}

/** Checks whether the token's user is an administrator, or maintains a cluster by themselves or with a team. */
export function managesCluster({ data, token }: Call, { id }: StoredRecord): boolean {
  const actors = data.clusterMaintainers.list("cluster_id", id);
  const isOwn = (teamId: string) => data.teams.get(teamId)?.member_ids.includes(token.user_id);
  const isUser = actors.some((one) => one.user_id === token.user_id || isOwn(one.team_id ?? ""));
  return token.admin || isUser;
}

/** A pipeline may be put into a cluster by its maintainers, and by everybody into the first, which is the default one. */
export function mayUseCluster(call: Call, cluster: StoredRecord): boolean {
  return managesCluster(call, cluster) || call.data.clusters.list()[0]?.id === cluster.id;
}

/** A token may be unable to see pipelines that none of its user's teams has. Public ones are for everybody. */
export function seesPipeline(call: Call, pipeline: Pipeline): boolean {
  return (
    call.token.sees_all_pipelines !== false ||
    pipeline.visibility === "public" ||
    levelsOf(call, pipeline).length > 0
  );
}

/** Checks for full access: an administrator's, a team's, or everybody's where there are no teams. */
export function managesPipeline(call: Call, pipeline: Pipeline): boolean {
  const isOpen = call.token.admin || call.data.teams.size === 0;
  return isOpen || levelsOf(call, pipeline).includes("manage_build_and_read");
}

/** @throws {Refusal} 403. */
export function requirePipelineManager(call: Call, pipeline: Pipeline): void {
  if (!managesPipeline(call, pipeline)) throw forbidden();
}

function levelsOf({ data, token }: Call, { id }: Pipeline): readonly string[] {
  const pairs = data.teamPipelines.list("pipeline_id", id);
  const isOwn = (teamId: string) => data.teams.get(teamId)?.member_ids.includes(token.user_id);
  return pairs.filter(({ team_id }) => isOwn(team_id)).map(({ access_level }) => access_level);
}
