import type { DocumentedOperation } from "../operations.js";

/**
 * The operations of part 2 of the API document, row by row, written down from it and from nothing else. Sections are those
 * of part 2.
 */
export interface OperationOfPart2 extends DocumentedOperation {
  /** The second method that clients of the live service use. */
  readonly also?: "PATCH" | "PUT";
}

const organization = "/v2/organizations/{org_slug}";
const pipelines = `${organization}/pipelines`;
const pipeline = `${pipelines}/{slug}`;
const schedules = `${pipelines}/{pipeline_slug}/schedules`;
const team = `${organization}/teams/{team_uuid}`;
const cluster = `${organization}/clusters/{cluster_id}`;

const invalid = [{ status: 422, message: "Validation failed: …" }] as const;
const reason = [{ status: 422, message: "reason" }] as const;

const pipelineBody = [
  "cluster_id",
  "configuration",
  "steps",
  "env",
  "pipeline_template_uuid",
  "slug",
  "description",
  "emoji",
  "color",
  "default_branch",
  "branch_configuration",
  "skip_queued_branch_builds",
  "skip_queued_branch_builds_filter",
  "cancel_running_branch_builds",
  "cancel_running_branch_builds_filter",
  "clone_mirror_url",
  "allow_rebuilds",
  "default_command_step_timeout",
  "maximum_command_step_timeout",
  "provider_settings",
  "tags",
  "teams",
  "visibility",
];
const scheduleBody = ["label", "message", "commit", "branch", "env", "enabled"];

// biome-ignore format: a row of the document is a line or two here.
export const operationsOfPart2: readonly OperationOfPart2[] = [
  { id: "pipelines.list", method: "GET", path: pipelines, scope: "read_pipelines", success: 200, list: "pages", query: ["name", "repository"] },
  { id: "pipelines.get", method: "GET", path: pipeline, scope: "read_pipelines", success: 200 },
  { id: "pipelines.create", method: "POST", path: pipelines, scope: "write_pipelines", success: 201,
    body: { required: ["name", "repository"], optional: pipelineBody }, errors: invalid },
  { id: "pipelines.update", method: "PATCH", also: "PUT", path: pipeline, scope: "write_pipelines", success: 200,
    body: { required: [], optional: ["name", "repository", ...pipelineBody] }, errors: invalid },
  { id: "pipelines.delete", method: "DELETE", path: pipeline, scope: "write_pipelines", success: 204, errors: reason },
  { id: "pipelines.archive", method: "POST", path: `${pipeline}/archive`, scope: "write_pipelines", success: 200, errors: reason },
  { id: "pipelines.unarchive", method: "POST", path: `${pipeline}/unarchive`, scope: "write_pipelines", success: 200, errors: reason },
  { id: "pipelines.createWebhook", method: "POST", path: `${pipeline}/webhook`, scope: "write_pipelines", success: 201, errors: reason },

  { id: "pipelineSchedules.list", method: "GET", path: schedules, scope: "read_pipelines", success: 200, list: "pages" },
  { id: "pipelineSchedules.get", method: "GET", path: `${schedules}/{id}`, scope: "read_pipelines", success: 200 },
  { id: "pipelineSchedules.create", method: "POST", path: schedules, scope: "write_pipelines", success: 201,
    body: { required: ["cronline"], optional: scheduleBody }, errors: invalid },
  { id: "pipelineSchedules.update", method: "PUT", also: "PATCH", path: `${schedules}/{id}`, scope: "write_pipelines", success: 200,
    body: { required: [], optional: ["cronline", ...scheduleBody] }, errors: invalid },
  { id: "pipelineSchedules.delete", method: "DELETE", path: `${schedules}/{id}`, scope: "write_pipelines", success: 204 },

  { id: "teamMembers.list", method: "GET", path: `${team}/members`, scope: "view_teams", success: 200, list: "whole" },
  { id: "teamMembers.get", method: "GET", path: `${team}/members/{user_uuid}`, scope: "view_teams", success: 200 },
  { id: "teamMembers.create", method: "POST", path: `${team}/members`, scope: "write_teams", success: 201,
    body: { required: ["user_id", "role"], optional: [] }, errors: invalid },
  { id: "teamMembers.update", method: "PATCH", path: `${team}/members/{user_uuid}`, scope: "write_teams", success: 200,
    body: { required: ["role"], optional: [] }, errors: invalid },
  { id: "teamMembers.delete", method: "DELETE", path: `${team}/members/{user_uuid}`, scope: "write_teams", success: 204, errors: reason },

  { id: "teamPipelines.list", method: "GET", path: `${team}/pipelines`, scope: "view_teams", success: 200, list: "pages" },
  { id: "teamPipelines.get", method: "GET", path: `${team}/pipelines/{pipeline_uuid}`, scope: "view_teams", success: 200 },
  { id: "teamPipelines.create", method: "POST", path: `${team}/pipelines`, scope: "write_teams", success: 201,
    body: { required: ["pipeline_id", "access_level"], optional: [] }, errors: invalid },
  { id: "teamPipelines.update", method: "PATCH", path: `${team}/pipelines/{pipeline_uuid}`, scope: "write_teams", success: 200,
    body: { required: ["access_level"], optional: [] }, errors: invalid },
  { id: "teamPipelines.delete", method: "DELETE", path: `${team}/pipelines/{pipeline_uuid}`, scope: "write_teams", success: 204, errors: reason },

  { id: "teamSuites.list", method: "GET", path: `${team}/suites`, scope: "view_teams", success: 200, list: "whole" },
  { id: "teamSuites.get", method: "GET", path: `${team}/suites/{suite_uuid}`, scope: "view_teams", success: 200 },
  { id: "teamSuites.create", method: "POST", path: `${team}/suites`, scope: "write_teams", success: 201,
    body: { required: ["suite_id", "access_level"], optional: [] }, errors: invalid },
  { id: "teamSuites.update", method: "PATCH", path: `${team}/suites/{suite_uuid}`, scope: "write_teams", success: 200,
    body: { required: ["access_level"], optional: [] }, errors: invalid },
  { id: "teamSuites.delete", method: "DELETE", path: `${team}/suites/{suite_uuid}`, scope: "write_teams", success: 204, errors: reason },

  { id: "clusterMaintainers.list", method: "GET", path: `${cluster}/maintainers`, scope: "read_clusters", success: 200, list: "whole" },
  { id: "clusterMaintainers.get", method: "GET", path: `${cluster}/maintainers/{id}`, scope: "read_clusters", success: 200 },
  { id: "clusterMaintainers.create", method: "POST", path: `${cluster}/maintainers`, scope: "write_clusters", success: 201,
    body: { required: [], optional: ["user", "team"] }, errors: invalid },
  { id: "clusterMaintainers.delete", method: "DELETE", path: `${cluster}/maintainers/{id}`, scope: "write_clusters", success: 204, errors: invalid },

  { id: "clusterSecrets.list", method: "GET", path: `${cluster}/secrets`, scope: "read_secrets_details", success: 200, list: "pages" },
  { id: "clusterSecrets.get", method: "GET", path: `${cluster}/secrets/{id}`, scope: "read_secrets_details", success: 200 },
  { id: "clusterSecrets.create", method: "POST", path: `${cluster}/secrets`, scope: "write_secrets", success: 201,
    body: { required: ["key", "value"], optional: ["description", "policy"] }, errors: reason },
  // Both are refused, with a sentence of their own.
  { id: "clusterSecrets.update", method: "PUT", also: "PATCH", path: `${cluster}/secrets/{id}`, scope: "write_secrets", success: 200,
    body: { required: [], optional: ["description", "policy", "key", "value"] }, errors: reason },
  { id: "clusterSecrets.updateValue", method: "PUT", path: `${cluster}/secrets/{id}/value`, scope: "write_secrets", success: 200,
    body: { required: ["value"], optional: [] }, errors: reason },
  { id: "clusterSecrets.delete", method: "DELETE", path: `${cluster}/secrets/{id}`, scope: "write_secrets", success: 204 },
];

/** Properties that part 2 adds to bodies of part 1 (sections 4.4, 7 and 8). */
export const addedProperties: Readonly<Record<string, readonly string[]>> = {
  "clusters.create": ["maintainers"],
  "clusters.update": ["hosted_git_mirror_enabled", "hosted_container_cache_enabled"],
  "queues.create": ["retry_agent_affinity", "hostedAgents"],
  "queues.update": ["retry_agent_affinity", "hostedAgents"],
  "agentTokens.create": ["expires_at"],
  "teams.create": [
    "members_can_create_suites",
    "members_can_create_registries",
    "members_can_destroy_registries",
    "members_can_destroy_packages",
  ],
  "teams.update": [
    "members_can_create_suites",
    "members_can_create_registries",
    "members_can_destroy_registries",
    "members_can_destroy_packages",
  ],
  "suites.create": ["oidc_policy"],
  "suites.update": ["oidc_policy", "show_api_token"],
};

/** Fields that part 2 adds to responses of part 1: a service without it leaves them out. */
export const addedFields = [
  "maintainers",
  "hosted_git_mirror_enabled",
  "hosted_container_cache_enabled",
  "retry_agent_affinity",
  "hosted",
  "hosted_agents",
  "organization_id",
  "oidc_policy",
  "expires_at",
  "user",
] as const;
