/**
 * The API's operations, row by row, written down from Buildkite's documentation (https://buildkite.com/docs/apis/rest-api)
 * and from nothing else. Client, emulator, docs/reference/client.md and the emulator's OpenAPI description are held against
 * this table, so that none of them can leave an operation out without a test that says so.
 */
export interface DocumentedOperation {
  /** `<group>.<method>`: what the client calls it. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The second method that published clients use. */
  readonly also?: "PUT" | "PATCH";
  /** With the documentation's placeholders. */
  readonly path: string;
  /** null where none is needed. */
  readonly scope: string | null;
  readonly success: 200 | 201 | 204;
  /** What a list is: `pages` where the documentation says paginated, `cursor` where the body has links, `whole` where it says array only. */
  readonly list?: "pages" | "whole" | "cursor";
  /** Query parameters, those of paging apart. */
  readonly query?: readonly string[];
  readonly body?: {
    readonly required: readonly string[];
    readonly optional: readonly string[];
    /** Those that an older service doesn't know. */
    readonly newer?: readonly string[];
  };
  /** Errors of the row, by what the message says. */
  readonly errors?: readonly DocumentedError[];
  /** True if a second request could do something else: at an address that others can reuse, or another build. */
  readonly once?: true;
}

export interface DocumentedError {
  readonly status: 400 | 422;
  /** The message, as far as it is documented: `Validation failed: …`, a whole sentence, or `reason` for any text. */
  readonly message: string;
}

const organization = "/v2/organizations/{org_slug}";
const clusters = `${organization}/clusters` as const;
const queues = `${clusters}/{cluster_id}/queues` as const;
const tokens = `${clusters}/{cluster_id}/tokens` as const;
const templates = `${organization}/pipeline-templates` as const;
const teams = `${organization}/teams` as const;
const suites = "/v2/analytics/organizations/{org_slug}/suites";
const agents = `${organization}/agents` as const;
const pipelines = `${organization}/pipelines` as const;
const pipeline = `${pipelines}/{pipeline_slug}` as const;
const builds = `${pipeline}/builds` as const;
const schedules = `${pipeline}/schedules` as const;
const team = `${teams}/{team_uuid}` as const;
const maintainers = `${clusters}/{cluster_id}/maintainers` as const;
const pipelineSettingsPath = `${organization}/pipeline-settings` as const;
const secrets = `${clusters}/{cluster_id}/secrets` as const;
const services = `${organization}/services` as const;
const rules = `${organization}/rules` as const;

const invalid: DocumentedError = { status: 422, message: "Validation failed: …" };
const reason: DocumentedError = { status: 422, message: "reason" };

const teamBody = {
  required: [
    "name",
    "description",
    "privacy",
    "is_default_team",
    "default_member_role",
    "members_can_create_pipelines",
  ],
  optional: [],
  newer: [
    "members_can_create_suites",
    "members_can_create_registries",
    "members_can_destroy_registries",
    "members_can_destroy_packages",
  ],
};

const buildQuery = [
  "branch",
  "commit",
  "created_from",
  "created_to",
  "creator",
  "finished_from",
  "include_retried_jobs",
  "meta_data",
  "state",
] as const;

const buildBody = {
  required: ["commit", "branch"],
  optional: [
    "message",
    "author",
    "clean_checkout",
    "env",
    "ignore_pipeline_branch_filters",
    "meta_data",
    "pull_request_base_branch",
    "pull_request_id",
    "pull_request_repository",
  ],
};

/** Settings of a pipeline with the values that its cases send: responses have them as they are sent. */
export const shownSettings = {
  description: "Sells things",
  emoji: ":cart:",
  color: "#FF8800",
  default_branch: "trunk",
  branch_configuration: "trunk !old",
  skip_queued_branch_builds: true,
  skip_queued_branch_builds_filter: "!trunk",
  cancel_running_branch_builds: true,
  cancel_running_branch_builds_filter: "!trunk",
  clone_mirror_url: "https://mirror.example/web.git",
  allow_rebuilds: false,
  default_command_step_timeout: 10,
  maximum_command_step_timeout: 60,
  tags: ["shop", ":cart:"],
  visibility: "public",
  slug: "the-shop",
  pipeline_template_uuid: null,
  configuration: "steps:\n  - label: Make\n    command: make\n    agents: { queue: fast }\n  - wait\n",
} as const;
const pipelineSettings = [...Object.keys(shownSettings), "cluster_id", "env", "provider_settings", "steps"];
const scheduleSettings = ["label", "message", "commit", "branch", "env", "enabled"] as const;

const serviceSettings = [
  "branch_configuration",
  "build_states",
  "description",
  "scope",
  "scope_uuids",
] as const;

// biome-ignore format: a row is a line or two here.
const rows = [
  { id: "clusters.list", method: "GET", path: clusters, scope: "read_clusters", success: 200, list: "pages" },
  { id: "clusters.get", method: "GET", path: `${clusters}/{id}`, scope: "read_clusters", success: 200 },
  { id: "clusters.create", method: "POST", path: clusters, scope: "write_clusters", success: 201,
    body: { required: ["name"], optional: ["description", "emoji", "color"], newer: ["maintainers"] }, errors: [invalid] },
  { id: "clusters.update", method: "PUT", also: "PATCH", path: `${clusters}/{id}`, scope: "write_clusters", success: 200,
    body: { required: [], optional: ["name", "description", "emoji", "color", "default_queue_id"], newer: ["hosted_git_mirror_enabled", "hosted_container_cache_enabled"] }, errors: [invalid] },
  { id: "clusters.delete", method: "DELETE", path: `${clusters}/{id}`, scope: "write_clusters", success: 204, errors: [reason] },

  { id: "queues.list", method: "GET", path: queues, scope: "read_clusters", success: 200, list: "pages" },
  { id: "queues.get", method: "GET", path: `${queues}/{queue_id}`, scope: "read_clusters", success: 200 },
  { id: "queues.create", method: "POST", path: queues, scope: "write_clusters", success: 201,
    body: { required: ["key"], optional: ["description"], newer: ["retry_agent_affinity", "hostedAgents"] }, errors: [invalid] },
  { id: "queues.update", method: "PUT", also: "PATCH", path: `${queues}/{id}`, scope: "write_clusters", success: 200,
    body: { required: [], optional: ["description"], newer: ["retry_agent_affinity", "hostedAgents"] }, errors: [invalid] },
  { id: "queues.delete", method: "DELETE", path: `${queues}/{id}`, scope: "write_clusters", success: 204, errors: [reason] },
  // The property list says note, the sample dispatch_paused_note: which one counts is not shown.
  { id: "queues.pauseDispatch", method: "POST", path: `${queues}/{id}/pause_dispatch`, scope: "write_clusters", success: 200,
    body: { required: [], optional: ["note", "dispatch_paused_note"] }, errors: [{ status: 422, message: "Cluster queue is already paused" }] },
  { id: "queues.resumeDispatch", method: "POST", path: `${queues}/{id}/resume_dispatch`, scope: "write_clusters", success: 200,
    errors: [{ status: 422, message: "Cluster queue is not paused" }] },

  { id: "agentTokens.list", method: "GET", path: tokens, scope: "read_clusters", success: 200, list: "pages" },
  { id: "agentTokens.get", method: "GET", path: `${tokens}/{token_id}`, scope: "read_clusters", success: 200 },
  { id: "agentTokens.create", method: "POST", path: tokens, scope: "write_clusters", success: 201,
    body: { required: ["description"], optional: ["allowed_ip_addresses"], newer: ["expires_at"] }, errors: [invalid] },
  { id: "agentTokens.update", method: "PUT", also: "PATCH", path: `${tokens}/{id}`, scope: "write_clusters", success: 200,
    body: { required: [], optional: ["description", "allowed_ip_addresses"] }, errors: [invalid] },
  { id: "agentTokens.delete", method: "DELETE", path: `${tokens}/{id}`, scope: "write_clusters", success: 204, errors: [reason] },

  { id: "pipelineTemplates.list", method: "GET", path: templates, scope: "read_pipeline_templates", success: 200, list: "whole" },
  { id: "pipelineTemplates.get", method: "GET", path: `${templates}/{uuid}`, scope: "read_pipeline_templates", success: 200 },
  { id: "pipelineTemplates.create", method: "POST", path: templates, scope: "write_pipeline_templates", success: 201,
    body: { required: ["name", "configuration"], optional: ["description", "available"] }, errors: [invalid] },
  { id: "pipelineTemplates.update", method: "PATCH", path: `${templates}/{uuid}`, scope: "write_pipeline_templates", success: 200,
    body: { required: [], optional: ["name", "description", "configuration", "available"] }, errors: [invalid] },
  { id: "pipelineTemplates.delete", method: "DELETE", path: `${templates}/{uuid}`, scope: "write_pipeline_templates", success: 204, errors: [reason] },

  { id: "teams.list", method: "GET", path: teams, scope: "read_teams", success: 200, list: "pages", query: ["user_id"] },
  { id: "teams.get", method: "GET", path: team, scope: "view_teams", success: 200 },
  { id: "teams.create", method: "POST", path: teams, scope: "write_teams", success: 201, body: teamBody, errors: [invalid] },
  { id: "teams.update", method: "PATCH", path: team, scope: "write_teams", success: 200, body: teamBody, errors: [invalid] },
  { id: "teams.delete", method: "DELETE", path: team, scope: "write_teams", success: 204, errors: [reason] },

  // Errors of suites are not shown, so the general ones do not cover them either.
  { id: "suites.list", method: "GET", path: suites, scope: "read_suites", success: 200, list: "pages" },
  { id: "suites.get", method: "GET", path: `${suites}/{suite_slug}`, scope: "read_suites", success: 200 },
  { id: "suites.create", method: "POST", path: suites, scope: "write_suites", success: 201,
    body: { required: ["name", "default_branch"], optional: ["show_api_token", "team_ids", "application_name", "color", "emoji"], newer: ["oidc_policy"] } },
  { id: "suites.update", once: true, method: "PATCH", path: `${suites}/{suite_slug}`, scope: "write_suites", success: 200,
    body: { required: [], optional: ["name", "default_branch", "application_name", "color", "emoji"], newer: ["oidc_policy", "show_api_token"] } },
  { id: "suites.delete", once: true, method: "DELETE", path: `${suites}/{suite_slug}`, scope: "write_suites", success: 204 },

  { id: "runs.list", method: "GET", path: `${suites}/{suite_slug}/runs`, scope: "read_suites", success: 200, list: "pages", query: ["build_id"] },
  { id: "runs.get", method: "GET", path: `${suites}/{suite_slug}/runs/{run_id}`, scope: "read_suites", success: 200 },

  { id: "agents.list", method: "GET", path: agents, scope: "read_agents", success: 200, list: "pages", query: ["name", "hostname", "version"] },
  { id: "agents.get", method: "GET", path: `${agents}/{id}`, scope: "read_agents", success: 200 },
  { id: "agents.stop", method: "PUT", path: `${agents}/{id}/stop`, scope: "write_agents", success: 204,
    body: { required: [], optional: ["force"] }, errors: [{ status: 400, message: "Can only stop connected agents" }] },

  { id: "organizations.list", method: "GET", path: "/v2/organizations", scope: "read_organizations", success: 200, list: "pages" },
  { id: "organizations.get", method: "GET", path: organization, scope: "read_organizations", success: 200 },
  { id: "members.list", method: "GET", path: `${organization}/members`, scope: "read_organizations", success: 200, list: "whole" },
  { id: "members.get", method: "GET", path: `${organization}/members/{user_uuid}`, scope: "read_organizations", success: 200 },

  { id: "accessToken.get", method: "GET", path: "/v2/access-token", scope: null, success: 200 },
  { id: "accessToken.revoke", method: "DELETE", path: "/v2/access-token", scope: null, success: 204 },

  { id: "builds.listAll", method: "GET", path: "/v2/builds", scope: "read_builds", success: 200, list: "pages", query: buildQuery },
  { id: "builds.list", method: "GET", path: `${organization}/builds`, scope: "read_builds", success: 200, list: "pages", query: buildQuery },
  { id: "builds.listForPipeline", method: "GET", path: builds, scope: "read_builds", success: 200, list: "pages", query: buildQuery },
  { id: "builds.get", method: "GET", path: `${builds}/{number}`, scope: "read_builds", success: 200, query: ["include_retried_jobs"] },
  { id: "builds.create", method: "POST", path: builds, scope: "write_builds", success: 201, body: buildBody,
    errors: [{ status: 422, message: "Validation Failed" }, reason] },
  { id: "builds.cancel", method: "PUT", path: `${builds}/{number}/cancel`, scope: "write_builds", success: 200, errors: [reason] },
  { id: "builds.rebuild", once: true, method: "PUT", path: `${builds}/{number}/rebuild`, scope: "write_builds", success: 200 },

  { id: "pipelines.list", method: "GET", path: pipelines, scope: "read_pipelines", success: 200, list: "pages", query: ["name", "repository"] },
  { id: "pipelines.get", method: "GET", path: pipeline, scope: "read_pipelines", success: 200 },
  { id: "pipelines.create", method: "POST", path: pipelines, scope: "write_pipelines", success: 201,
    body: { required: ["name", "repository"], optional: [...pipelineSettings, "teams"] }, errors: [{ status: 422, message: "Validation Failed" }] },
  // The property list of the update has teams, and a note on the same page says that they can't be changed.
  { id: "pipelines.update", once: true, method: "PATCH", also: "PUT", path: pipeline, scope: "write_pipelines", success: 200,
    body: { required: [], optional: ["name", "repository", ...pipelineSettings] }, errors: [{ status: 422, message: "Validation Failed" }] },
  { id: "pipelines.delete", once: true, method: "DELETE", path: pipeline, scope: "write_pipelines", success: 204 },
  { id: "pipelines.archive", method: "POST", path: `${pipeline}/archive`, scope: "write_pipelines", success: 200,
    errors: [{ status: 422, message: "Pipeline could not be archived." }] },
  { id: "pipelines.unarchive", method: "POST", path: `${pipeline}/unarchive`, scope: "write_pipelines", success: 200,
    errors: [{ status: 422, message: "Pipeline could not be unarchived." }] },
  { id: "pipelines.createWebhook", method: "POST", path: `${pipeline}/webhook`, scope: "write_pipelines", success: 201,
    errors: [{ status: 422, message: "Auto-creating webhooks is not supported for your repository." },
      { status: 422, message: "Webhooks could not be created for your repository." }] },
  { id: "pipelines.githubWebhooks.get", method: "GET", path: `${pipeline}/github-webhooks`, scope: "read_pipelines", success: 200 },
  { id: "pipelines.githubWebhooks.enable", once: true, method: "PUT", path: `${pipeline}/github-webhooks`, scope: "write_pipelines", success: 200 },
  { id: "pipelines.githubWebhooks.disable", once: true, method: "DELETE", path: `${pipeline}/github-webhooks`, scope: "write_pipelines", success: 200 },

  { id: "pipelineSchedules.list", method: "GET", path: schedules, scope: "read_pipelines", success: 200, list: "pages" },
  { id: "pipelineSchedules.get", method: "GET", path: `${schedules}/{id}`, scope: "read_pipelines", success: 200 },
  { id: "pipelineSchedules.create", method: "POST", path: schedules, scope: "write_pipelines", success: 201,
    body: { required: ["cronline"], optional: scheduleSettings }, errors: [invalid] },
  { id: "pipelineSchedules.update", method: "PUT", also: "PATCH", path: `${schedules}/{id}`, scope: "write_pipelines", success: 200,
    body: { required: [], optional: ["cronline", ...scheduleSettings] }, errors: [invalid] },
  { id: "pipelineSchedules.delete", method: "DELETE", path: `${schedules}/{id}`, scope: "write_pipelines", success: 204 },

  { id: "teamMembers.list", method: "GET", path: `${team}/members`, scope: "view_teams", success: 200, list: "whole" },
  { id: "teamMembers.get", method: "GET", path: `${team}/members/{user_uuid}`, scope: "view_teams", success: 200 },
  { id: "teamMembers.create", method: "POST", path: `${team}/members`, scope: "write_teams", success: 201,
    body: { required: ["user_id", "role"], optional: [] }, errors: [invalid] },
  { id: "teamMembers.update", once: true, method: "PATCH", path: `${team}/members/{user_uuid}`, scope: "write_teams", success: 200,
    body: { required: ["role"], optional: [] }, errors: [invalid] },
  { id: "teamMembers.delete", once: true, method: "DELETE", path: `${team}/members/{user_uuid}`, scope: "write_teams", success: 204, errors: [reason] },

  { id: "teamPipelines.list", method: "GET", path: `${team}/pipelines`, scope: "view_teams", success: 200, list: "pages" },
  { id: "teamPipelines.get", method: "GET", path: `${team}/pipelines/{pipeline_uuid}`, scope: "view_teams", success: 200 },
  { id: "teamPipelines.create", method: "POST", path: `${team}/pipelines`, scope: "write_teams", success: 201,
    body: { required: ["pipeline_id", "access_level"], optional: [] }, errors: [invalid] },
  { id: "teamPipelines.update", once: true, method: "PATCH", path: `${team}/pipelines/{pipeline_uuid}`, scope: "write_teams", success: 200,
    body: { required: ["access_level"], optional: [] }, errors: [invalid] },
  { id: "teamPipelines.delete", once: true, method: "DELETE", path: `${team}/pipelines/{pipeline_uuid}`, scope: "write_teams", success: 204, errors: [reason] },

  { id: "teamSuites.list", method: "GET", path: `${team}/suites`, scope: "view_teams", success: 200, list: "whole" },
  { id: "teamSuites.get", method: "GET", path: `${team}/suites/{suite_uuid}`, scope: "view_teams", success: 200 },
  { id: "teamSuites.create", method: "POST", path: `${team}/suites`, scope: "write_teams", success: 201,
    body: { required: ["suite_id", "access_level"], optional: [] }, errors: [invalid] },
  { id: "teamSuites.update", once: true, method: "PATCH", path: `${team}/suites/{suite_uuid}`, scope: "write_teams", success: 200,
    body: { required: ["access_level"], optional: [] }, errors: [invalid] },
  { id: "teamSuites.delete", once: true, method: "DELETE", path: `${team}/suites/{suite_uuid}`, scope: "write_teams", success: 204, errors: [reason] },

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
  { id: "clusterSecrets.update", method: "PUT", also: "PATCH", path: `${secrets}/{id}`, scope: "write_secrets", success: 200,
    body: { required: [], optional: ["description", "policy"] } },
  { id: "clusterSecrets.updateValue", method: "PUT", path: `${secrets}/{id}/value`, scope: "write_secrets", success: 200,
    body: { required: ["value"], optional: [] } },
  { id: "clusterSecrets.delete", method: "DELETE", path: `${secrets}/{id}`, scope: "write_secrets", success: 204 },

  { id: "notificationServices.list", method: "GET", path: services, scope: "read_notification_services", success: 200, list: "cursor" },
  { id: "notificationServices.get", method: "GET", path: `${services}/{uuid}`, scope: "read_notification_services", success: 200 },
  { id: "notificationServices.create", method: "POST", path: services, scope: "write_notification_services", success: 201,
    body: { required: ["provider", "settings"], optional: serviceSettings }, errors: [invalid] },
  { id: "notificationServices.update", method: "PATCH", path: `${services}/{uuid}`, scope: "write_notification_services", success: 200,
    body: { required: [], optional: ["settings", ...serviceSettings] }, errors: [invalid] },
  { id: "notificationServices.delete", method: "DELETE", path: `${services}/{uuid}`, scope: "write_notification_services", success: 204, errors: [reason] },
  { id: "notificationServices.enable", method: "PUT", path: `${services}/{uuid}/enable`, scope: "write_notification_services", success: 200 },
  { id: "notificationServices.disable", method: "PUT", path: `${services}/{uuid}/disable`, scope: "write_notification_services", success: 200 },

  { id: "organizationRules.list", method: "GET", path: rules, scope: "read_rules", success: 200, list: "pages" },
  { id: "organizationRules.get", method: "GET", path: `${rules}/{uuid}`, scope: "read_rules", success: 200 },
  { id: "organizationRules.create", method: "POST", path: rules, scope: "write_rules", success: 201,
    body: { required: ["type", "value"], optional: ["description"] }, errors: [reason] },
  { id: "organizationRules.delete", method: "DELETE", path: `${rules}/{uuid}`, scope: "write_rules", success: 204, errors: [reason] },

  { id: "pipelineSettings.get", method: "GET", path: pipelineSettingsPath, scope: "read_organization_settings", success: 200 },
  { id: "pipelineSettings.update", method: "PATCH", path: pipelineSettingsPath, scope: "write_organization_settings", success: 200,
    body: { required: [], optional: ["default_branch", "default_cluster_id", "default_timeout_in_minutes", "maximum_timeout_in_minutes", "scheduled_job_expiry_in_minutes"] }, errors: [invalid] },
  { id: "pipelineSettings.enableHostedAgentsSsh", method: "PUT", path: `${pipelineSettingsPath}/hosted-agents-ssh`, scope: "write_organization_settings", success: 200 },
  { id: "pipelineSettings.disableHostedAgentsSsh", method: "DELETE", path: `${pipelineSettingsPath}/hosted-agents-ssh`, scope: "write_organization_settings", success: 200 },
  { id: "pipelineSettings.enablePublicPipelines", method: "PUT", path: `${pipelineSettingsPath}/public-pipelines`, scope: "write_organization_settings", success: 200 },
  { id: "pipelineSettings.disablePublicPipelines", method: "DELETE", path: `${pipelineSettingsPath}/public-pipelines`, scope: "write_organization_settings", success: 200 },

  { id: "apiSettings.get", method: "GET", path: `${organization}/api-settings`, scope: "read_organization_settings", success: 200 },
  { id: "apiSettings.update", method: "PATCH", path: `${organization}/api-settings`, scope: "write_organization_settings", success: 200,
    body: { required: [], optional: ["allowed_ip_addresses", "revoke_inactive_tokens_after_days", "restrict_user_api_token_creation"] }, errors: [invalid] },

  { id: "invitations.list", method: "GET", path: `${organization}/invitations`, scope: "read_organization_invitations", success: 200, list: "cursor" },
  { id: "invitations.get", method: "GET", path: `${organization}/invitations/{uuid}`, scope: "read_organization_invitations", success: 200 },
  { id: "auditEvents.list", method: "GET", path: `${organization}/audit_events`, scope: "read_audit_events", success: 200, list: "cursor" },
  { id: "auditEvents.get", method: "GET", path: `${organization}/audit_events/{uuid}`, scope: "read_audit_events", success: 200 },
] as const satisfies readonly DocumentedOperation[];

export type OperationId = (typeof rows)[number]["id"];

export type Row = DocumentedOperation & { readonly id: OperationId };

const newerGroups =
  "pipelines pipelineSchedules teamMembers teamPipelines teamSuites clusterMaintainers clusterSecrets notificationServices organizationRules pipelineSettings apiSettings invitations auditEvents".split(
    " ",
  );

/** Whether an older service lacks an operation. */
export const isNewer = ({ id }: Row) => newerGroups.includes(id.split(".")[0] ?? "");

/** Whether a request goes out again after its response was lost. */
export const isResent = ({ method, once }: Row) => method !== "POST" && once === undefined;

export const documentedOperations: readonly Row[] = rows;

/** A path with its placeholders unnamed: the documentation calls the same id by several names. */
export function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, "{}");
}
