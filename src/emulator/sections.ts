import { type AccessTokenRecord, accessToken } from "./access-token.js";
import { type AgentTokenRecord, agentTokens } from "./agent-tokens.js";
import { type AgentRecord, agents } from "./agents.js";
import type { BuildRecord } from "./builds/build.js";
import { builds } from "./builds/builds.js";
import type { PipelineRecord } from "./builds/pipelines.js";
import { type ClusterRecord, clusters } from "./clusters.js";
import type { Operation } from "./http/operation.js";
import { members } from "./members.js";
import type { UserRecord } from "./model/entity.js";
import { type OrganizationRecord, organizations } from "./organizations.js";
import { type PipelineTemplateRecord, pipelineTemplates } from "./pipeline-templates.js";
import { type QueueRecord, queues } from "./queues.js";
import { type RunRecord, runs } from "./runs.js";
import type { Collection } from "./store/collection.js";
import type { Collections } from "./store/store.js";
import { type SuiteRecord, suites } from "./suites.js";
import { type TeamRecord, teams } from "./teams.js";

/** All operations, in the order of the API document. */
export const operations: readonly Operation[] = [
  clusters,
  queues,
  agentTokens,
  pipelineTemplates,
  teams,
  suites,
  runs,
  agents,
  organizations,
  members,
  accessToken,
  builds,
].flat();

/** Public facts about an operation. */
export type EmulatorOperation = Pick<Operation, "id" | "method" | "path" | "section" | "scope" | "summary">;

/** Every operation the emulator serves: one entry for each in the API document. */
export const emulatorOperations: readonly EmulatorOperation[] = operations.map(
  ({ id, method, path, section, scope, summary }) => ({ id, method, path, section, scope, summary }),
);

declare module "./store/collection.js" {
  interface OrganizationData {
    /** Deleting a cluster deletes its queues and tokens, and disconnects its agents. */
    readonly clusters: Collection<ClusterRecord>;
    /** Deleting the default queue of a cluster leaves the cluster without one. */
    readonly queues: Collection<QueueRecord>;
    readonly agentTokens: Collection<AgentTokenRecord>;
    readonly pipelineTemplates: Collection<PipelineTemplateRecord>;
    readonly teams: Collection<TeamRecord>;
    /** Deleting a suite deletes its runs. */
    readonly suites: Collection<SuiteRecord>;
    readonly runs: Collection<RunRecord>;
    readonly agents: Collection<AgentRecord>;
    readonly organizations: Collection<OrganizationRecord>;
    readonly users: Collection<UserRecord>;
    readonly accessTokens: Collection<AccessTokenRecord>;
    /** Deleting a pipeline deletes its builds. */
    readonly pipelines: Collection<PipelineRecord>;
    readonly builds: Collection<BuildRecord>;
  }
}

const nothing = () => {};

export const collections: Collections = {
  clusters: ({ id }, data) => {
    for (const queue of data.queues.list("cluster_id", id)) data.queues.delete(queue.id);
    for (const token of data.agentTokens.list("cluster_id", id)) data.agentTokens.delete(token.id);
    for (const agent of data.agents.list("cluster_id", id)) {
      const left = { cluster_id: null, cluster_queue_id: null, connection_state: "disconnected" };
      data.agents.update(agent.id, left);
    }
  },
  queues: ({ id, cluster_id }, data) => {
    if (data.clusters.get(cluster_id)?.default_queue_id === id) {
      data.clusters.update(cluster_id, { default_queue_id: null });
    }
  },
  agentTokens: nothing,
  pipelineTemplates: nothing,
  teams: nothing,
  suites: ({ id }, data) => {
    for (const run of data.runs.list("suite_id", id)) data.runs.delete(run.id);
  },
  runs: nothing,
  agents: nothing,
  organizations: nothing,
  users: nothing,
  accessTokens: nothing,
  pipelines: ({ id }, data) => {
    for (const record of data.builds.list("pipeline_id", id)) data.builds.delete(record.id);
  },
  builds: nothing,
};
