import { type AccessTokenRecord, accessToken } from "./access-token.js";
import { type AgentTokenRecord, agentTokens } from "./agent-tokens.js";
import { type AgentRecord, agents } from "./agents.js";
import { apiSettings } from "./api-settings.js";
import { type AuditEventRecord, auditEvents } from "./audit-events.js";
import type { BuildRecord } from "./builds/build.js";
import { builds } from "./builds/builds.js";
import { clusterMaintainers } from "./cluster-maintainers.js";
import { type ClusterSecretRecord, clusterSecrets } from "./cluster-secrets.js";
import { type ClusterRecord, clusters } from "./clusters.js";
import type { Operation } from "./http/operation.js";
import { type InvitationRecord, invitations } from "./invitations.js";
import type { ClusterMaintainerRecord } from "./maintainers.js";
import { members } from "./members.js";
import type { UserRecord } from "./model/entity.js";
import { type NotificationServiceRecord, notificationServices } from "./notification-services.js";
import { type OrganizationRuleRecord, organizationRules } from "./organization-rules.js";
import { type OrganizationRecord, organizations } from "./organizations.js";
import { type PipelineScheduleRecord, pipelineSchedules } from "./pipeline-schedules.js";
import { pipelineSettings } from "./pipeline-settings.js";
import { type PipelineTemplateRecord, pipelineTemplates } from "./pipeline-templates.js";
import { pipelines } from "./pipelines/pipelines.js";
import type { PipelineRecord } from "./pipelines/record.js";
import { type QueueRecord, queues } from "./queues.js";
import { type RunRecord, runs } from "./runs.js";
import type { Collection, StoredRecord } from "./store/collection.js";
import type { Collections } from "./store/store.js";
import { type SuiteRecord, suites } from "./suites.js";
import { teamMembers } from "./team-members.js";
import { type TeamPipelineRecord, teamPipelines } from "./team-pipelines.js";
import { type TeamSuiteRecord, teamSuites } from "./team-suites.js";
import { type TeamRecord, teams } from "./teams.js";

/** All operations, in the order of the client's groups. */
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
  pipelines,
  pipelineSchedules,
  teamMembers,
  teamPipelines,
  teamSuites,
  clusterMaintainers,
  clusterSecrets,
  notificationServices,
  organizationRules,
  pipelineSettings,
  apiSettings,
  invitations,
  auditEvents,
].flat();

/** Public facts about an operation. */
export type EmulatorOperation = Pick<Operation, "id" | "method" | "path" | "isNewer" | "scope" | "summary">;

/** Every operation that the emulator serves. */
export const emulatorOperations: readonly EmulatorOperation[] = operations.map(
  ({ id, method, path, isNewer, scope, summary }) => {
    return { id, method, path, isNewer, scope, summary };
  },
);

declare module "./store/collection.js" {
  interface OrganizationData {
    /** Deleting a cluster deletes all that is in it, disconnects its agents, and takes pipelines out of it. */
    readonly clusters: Collection<ClusterRecord>;
    /** Deleting the default queue of a cluster leaves the cluster without one. */
    readonly queues: Collection<QueueRecord>;
    readonly agentTokens: Collection<AgentTokenRecord>;
    readonly pipelineTemplates: Collection<PipelineTemplateRecord>;
    readonly teams: Collection<TeamRecord>;
    /** Deleting a suite deletes its runs, and takes it from its teams. */
    readonly suites: Collection<SuiteRecord>;
    readonly runs: Collection<RunRecord>;
    readonly agents: Collection<AgentRecord>;
    readonly organizations: Collection<OrganizationRecord>;
    readonly users: Collection<UserRecord>;
    readonly accessTokens: Collection<AccessTokenRecord>;
    /** Deleting a pipeline deletes its builds, schedules and rules, and takes it from its teams. */
    readonly pipelines: Collection<PipelineRecord>;
    readonly builds: Collection<BuildRecord>;
    readonly pipelineSchedules: Collection<PipelineScheduleRecord>;
    readonly teamPipelines: Collection<TeamPipelineRecord>;
    readonly teamSuites: Collection<TeamSuiteRecord>;
    readonly clusterMaintainers: Collection<ClusterMaintainerRecord>;
    readonly clusterSecrets: Collection<ClusterSecretRecord>;
    readonly notificationServices: Collection<NotificationServiceRecord>;
    readonly organizationRules: Collection<OrganizationRuleRecord>;
    readonly invitations: Collection<InvitationRecord>;
    readonly auditEvents: Collection<AuditEventRecord>;
  }
}

const nothing = () => {};

function deleteAll<T extends StoredRecord, Field extends keyof T>(
  from: Collection<T>,
  field: Field,
  value: T[Field],
): void {
  for (const { id } of from.list(field, value)) from.delete(id);
}

export const collections: Collections = {
  clusters: ({ id }, data) => {
    deleteAll(data.queues, "cluster_id", id);
    deleteAll(data.agentTokens, "cluster_id", id);
    deleteAll(data.clusterSecrets, "cluster_id", id);
    deleteAll(data.clusterMaintainers, "cluster_id", id);
    for (const one of data.pipelines.list("cluster_id", id))
      data.pipelines.update(one.id, { cluster_id: null });
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
  teams: ({ id }, data) => {
    deleteAll(data.teamPipelines, "team_id", id);
    deleteAll(data.teamSuites, "team_id", id);
    deleteAll(data.clusterMaintainers, "team_id", id);
  },
  suites: ({ id }, data) => {
    deleteAll(data.runs, "suite_id", id);
    deleteAll(data.teamSuites, "suite_id", id);
  },
  runs: nothing,
  agents: nothing,
  organizations: nothing,
  users: ({ id }, data) => {
    deleteAll(data.clusterMaintainers, "user_id", id);
    for (const team of data.teams.list()) {
      data.teams.update(team.id, { member_ids: team.member_ids.filter((member) => member !== id) });
    }
  },
  accessTokens: nothing,
  pipelines: ({ id }, data) => {
    deleteAll(data.builds, "pipeline_id", id);
    deleteAll(data.pipelineSchedules, "pipeline_id", id);
    deleteAll(data.teamPipelines, "pipeline_id", id);
    deleteAll(data.organizationRules, "source_uuid", id);
    deleteAll(data.organizationRules, "target_uuid", id);
  },
  builds: nothing,
  pipelineSchedules: nothing,
  teamPipelines: nothing,
  teamSuites: nothing,
  clusterMaintainers: nothing,
  clusterSecrets: nothing,
  notificationServices: nothing,
  organizationRules: nothing,
  invitations: nothing,
  auditEvents: nothing,
};
