import { type ChangeListener, Collection, type StoredRecord } from "./collection.js";
import type {
  AccessTokenRecord,
  AgentRecord,
  AgentTokenRecord,
  BuildRecord,
  ClusterRecord,
  OrganizationRecord,
  PipelineRecord,
  PipelineTemplateRecord,
  QueueRecord,
  RunRecord,
  SuiteRecord,
  TeamRecord,
  UserRecord,
} from "./records.js";

/**
 * Everything the service remembers, as collections of records. Reading and changing it here is what a
 * colleague does in the web interface: behind the API's back, without its checks, at once visible through it.
 *
 * @example
 * emulator.organizationData.clusters.update(id, { description: "changed by hand" });
 * emulator.organizationData.queues.delete(queueId);
 */
export interface OrganizationData {
  readonly organizations: Collection<OrganizationRecord>;
  readonly users: Collection<UserRecord>;
  readonly accessTokens: Collection<AccessTokenRecord>;
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
  /** Deleting a pipeline deletes its builds. */
  readonly pipelines: Collection<PipelineRecord>;
  readonly builds: Collection<BuildRecord>;
}

/** Makes empty collections that announce every change. */
export function emptyOrganizationData(onChange: ChangeListener): OrganizationData {
  const data: OrganizationData = {
    organizations: new Collection("organizations", { onChange, indexes: ["slug"] }),
    users: new Collection("users", { onChange, indexes: ["email"] }),
    accessTokens: new Collection("accessTokens", { onChange, indexes: ["token"] }),
    clusters: new Collection("clusters", {
      onChange,
      beforeDelete: ({ id }) => {
        for (const queue of data.queues.list("cluster_id", id)) data.queues.delete(queue.id);
        for (const token of data.agentTokens.list("cluster_id", id)) data.agentTokens.delete(token.id);
        for (const agent of data.agents.list("cluster_id", id)) {
          const left = { cluster_id: null, cluster_queue_id: null, connection_state: "disconnected" };
          data.agents.update(agent.id, left);
        }
      },
    }),
    queues: new Collection("queues", {
      onChange,
      indexes: ["cluster_id"],
      beforeDelete: ({ id, cluster_id }) => {
        if (data.clusters.get(cluster_id)?.default_queue_id === id) {
          data.clusters.update(cluster_id, { default_queue_id: null });
        }
      },
    }),
    agentTokens: new Collection("agentTokens", { onChange, indexes: ["cluster_id"] }),
    pipelineTemplates: new Collection("pipelineTemplates", { onChange }),
    teams: new Collection("teams", { onChange, indexes: ["slug"] }),
    suites: new Collection("suites", {
      onChange,
      indexes: ["slug"],
      beforeDelete: ({ id }) => {
        for (const run of data.runs.list("suite_id", id)) data.runs.delete(run.id);
      },
    }),
    runs: new Collection("runs", { onChange, indexes: ["suite_id"] }),
    agents: new Collection("agents", { onChange, indexes: ["cluster_id"] }),
    pipelines: new Collection("pipelines", {
      onChange,
      indexes: ["slug"],
      beforeDelete: ({ id }) => {
        for (const build of data.builds.list("pipeline_id", id)) data.builds.delete(build.id);
      },
    }),
    builds: new Collection("builds", { onChange, indexes: ["pipeline_id"] }),
  };
  return data;
}

/** The collections by name, for what treats all alike: journal, snapshots. */
export function collectionsOf(data: OrganizationData): Collection<StoredRecord>[] {
  // Each collection only ever gets back records it announced itself, so the record's kind cannot be mixed up.
  return Object.values(data) as unknown as Collection<StoredRecord>[];
}
