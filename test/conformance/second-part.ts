import type { DocumentedOperation } from "./operations.js";

/**
 * The operations of the second part of the API document, row by row, written down from it and from nothing else. Paths have no
 * slash at their end, as published clients send them.
 */
const organization = "/v2/organizations/{org_slug}";
const team = `${organization}/teams/{team_uuid}` as const;
const pipelines = `${organization}/pipelines` as const;
const pipeline = `${pipelines}/{pipeline_slug}` as const;
const schedules = `${pipeline}/schedules` as const;
const members = `${team}/members` as const;
const teamPipelines = `${team}/pipelines` as const;
const teamSuites = `${team}/suites` as const;
const maintainers = `${organization}/clusters/{cluster_id}/maintainers` as const;
const secrets = `${organization}/clusters/{cluster_id}/secrets` as const;

const invalid = { status: 422, message: "Validation failed: …" } as const;
const reason = { status: 422, message: "reason" } as const;

const pipelineSettings = [
  "allow_rebuilds",
  "branch_configuration",
  "cancel_running_branch_builds",
  "cancel_running_branch_builds_filter",
  "clone_mirror_url",
  "cluster_id",
  "color",
  "configuration",
  "default_branch",
  "default_command_step_timeout",
  "description",
  "emoji",
  "env",
  "maximum_command_step_timeout",
  "pipeline_template_uuid",
  "provider_settings",
  "skip_queued_branch_builds",
  "skip_queued_branch_builds_filter",
  "slug",
  "steps",
  "tags",
  "visibility",
] as const;
const scheduleSettings = ["label", "message", "commit", "branch", "env", "enabled"] as const;

// biome-ignore format: a row of the document is a line or two here.
const rows = [
  { id: "pipelines.list", method: "GET", path: pipelines, scope: "read_pipelines", success: 200, list: "pages", query: ["name", "repository"] },
  { id: "pipelines.get", method: "GET", path: pipeline, scope: "read_pipelines", success: 200 },
  { id: "pipelines.create", method: "POST", path: pipelines, scope: "write_pipelines", success: 201,
    body: { required: ["name", "repository"], optional: [...pipelineSettings, "teams"] }, errors: [{ status: 422, message: "Validation Failed" }] },
  // The property list of the update has teams, and a note on the same page says that they can't be changed.
  { id: "pipelines.update", method: "PATCH", path: pipeline, scope: "write_pipelines", success: 200,
    body: { required: [], optional: ["name", "repository", ...pipelineSettings] }, errors: [{ status: 422, message: "Validation Failed" }] },
  { id: "pipelines.delete", method: "DELETE", path: pipeline, scope: "write_pipelines", success: 204 },
  { id: "pipelines.archive", method: "POST", path: `${pipeline}/archive`, scope: "write_pipelines", success: 200,
    errors: [{ status: 422, message: "Pipeline could not be archived." }] },
  { id: "pipelines.unarchive", method: "POST", path: `${pipeline}/unarchive`, scope: "write_pipelines", success: 200,
    errors: [{ status: 422, message: "Pipeline could not be unarchived." }] },
  { id: "pipelines.createWebhook", method: "POST", path: `${pipeline}/webhook`, scope: "write_pipelines", success: 201,
    errors: [{ status: 422, message: "Auto-creating webhooks is not supported for your repository." },
      { status: 422, message: "Webhooks could not be created for your repository." }] },

  { id: "pipelineSchedules.list", method: "GET", path: schedules, scope: "read_pipelines", success: 200, list: "pages" },
  { id: "pipelineSchedules.get", method: "GET", path: `${schedules}/{id}`, scope: "read_pipelines", success: 200 },
  { id: "pipelineSchedules.create", method: "POST", path: schedules, scope: "write_pipelines", success: 201,
    body: { required: ["cronline"], optional: scheduleSettings }, errors: [invalid] },
  { id: "pipelineSchedules.update", method: "PUT", path: `${schedules}/{id}`, scope: "write_pipelines", success: 200,
    body: { required: [], optional: ["cronline", ...scheduleSettings] }, errors: [invalid] },
  { id: "pipelineSchedules.delete", method: "DELETE", path: `${schedules}/{id}`, scope: "write_pipelines", success: 204 },

  { id: "teamMembers.list", method: "GET", path: members, scope: "view_teams", success: 200, list: "whole" },
  { id: "teamMembers.get", method: "GET", path: `${members}/{user_uuid}`, scope: "view_teams", success: 200 },
  { id: "teamMembers.create", method: "POST", path: members, scope: "write_teams", success: 201,
    body: { required: ["user_id", "role"], optional: [] }, errors: [invalid] },
  { id: "teamMembers.update", method: "PATCH", path: `${members}/{user_uuid}`, scope: "write_teams", success: 200,
    body: { required: ["role"], optional: [] }, errors: [invalid] },
  { id: "teamMembers.delete", method: "DELETE", path: `${members}/{user_uuid}`, scope: "write_teams", success: 204, errors: [reason] },

  { id: "teamPipelines.list", method: "GET", path: teamPipelines, scope: "view_teams", success: 200, list: "pages" },
  { id: "teamPipelines.get", method: "GET", path: `${teamPipelines}/{pipeline_uuid}`, scope: "view_teams", success: 200 },
  { id: "teamPipelines.create", method: "POST", path: teamPipelines, scope: "write_teams", success: 201,
    body: { required: ["pipeline_id", "access_level"], optional: [] }, errors: [invalid] },
  { id: "teamPipelines.update", method: "PATCH", path: `${teamPipelines}/{pipeline_uuid}`, scope: "write_teams", success: 200,
    body: { required: ["access_level"], optional: [] }, errors: [invalid] },
  { id: "teamPipelines.delete", method: "DELETE", path: `${teamPipelines}/{pipeline_uuid}`, scope: "write_teams", success: 204, errors: [reason] },

  { id: "teamSuites.list", method: "GET", path: teamSuites, scope: "view_teams", success: 200, list: "whole" },
  { id: "teamSuites.get", method: "GET", path: `${teamSuites}/{suite_uuid}`, scope: "view_teams", success: 200 },
  { id: "teamSuites.create", method: "POST", path: teamSuites, scope: "write_teams", success: 201,
    body: { required: ["suite_id", "access_level"], optional: [] }, errors: [invalid] },
  { id: "teamSuites.update", method: "PATCH", path: `${teamSuites}/{suite_uuid}`, scope: "write_teams", success: 200,
    body: { required: ["access_level"], optional: [] }, errors: [invalid] },
  { id: "teamSuites.delete", method: "DELETE", path: `${teamSuites}/{suite_uuid}`, scope: "write_teams", success: 204, errors: [reason] },

  { id: "clusterMaintainers.list", method: "GET", path: maintainers, scope: "read_clusters", success: 200, list: "whole" },
  { id: "clusterMaintainers.get", method: "GET", path: `${maintainers}/{id}`, scope: "read_clusters", success: 200 },
  // One of the two.
  { id: "clusterMaintainers.create", method: "POST", path: maintainers, scope: "write_clusters", success: 201,
    body: { required: [], optional: ["user", "team"] }, errors: [invalid] },
  { id: "clusterMaintainers.delete", method: "DELETE", path: `${maintainers}/{id}`, scope: "write_clusters", success: 204, errors: [invalid] },

  { id: "clusterSecrets.list", method: "GET", path: secrets, scope: "read_secrets_details", success: 200, list: "pages" },
  { id: "clusterSecrets.get", method: "GET", path: `${secrets}/{id}`, scope: "read_secrets_details", success: 200 },
  { id: "clusterSecrets.create", method: "POST", path: secrets, scope: "write_secrets", success: 201,
    body: { required: ["key", "value"], optional: ["description", "policy"] } },
  { id: "clusterSecrets.update", method: "PUT", path: `${secrets}/{id}`, scope: "write_secrets", success: 200,
    body: { required: [], optional: ["description", "policy"] } },
  { id: "clusterSecrets.updateValue", method: "PUT", path: `${secrets}/{id}/value`, scope: "write_secrets", success: 200,
    body: { required: ["value"], optional: [] } },
  { id: "clusterSecrets.delete", method: "DELETE", path: `${secrets}/{id}`, scope: "write_secrets", success: 204 },
] as const satisfies readonly DocumentedOperation[];

export type SecondPartId = (typeof rows)[number]["id"];

export const secondPart: readonly (DocumentedOperation & { readonly id: SecondPartId })[] = rows;
