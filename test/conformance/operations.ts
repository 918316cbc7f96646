/**
 * The operations of the API document, row by row of its section 4, written down from it and from nothing else. Client,
 * emulator, docs/reference/client.md and the emulator's OpenAPI description are held against this table, so that none of them
 * can leave an operation out without a test that says so.
 */
export interface DocumentedOperation {
  /** `<group>.<method>`: what the client calls it. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With the document's placeholders. */
  readonly path: string;
  /** null where none is needed. */
  readonly scope: string | null;
  readonly success: 200 | 201 | 204;
  /** What a list is: `pages` where the document says paginated, `whole` where it says array only. */
  readonly list?: "pages" | "whole";
  /** Query parameters, those of paging apart. */
  readonly query?: readonly string[];
  readonly body?: { readonly required: readonly string[]; readonly optional: readonly string[] };
  /** Errors of the row, by what the message says. */
  readonly errors?: readonly DocumentedError[];
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
const builds = `${organization}/pipelines/{pipeline_slug}/builds` as const;

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

// biome-ignore format: a row of the document is a line or two here.
const rows = [
  { id: "clusters.list", method: "GET", path: clusters, scope: "read_clusters", success: 200, list: "pages" },
  { id: "clusters.get", method: "GET", path: `${clusters}/{id}`, scope: "read_clusters", success: 200 },
  { id: "clusters.create", method: "POST", path: clusters, scope: "write_clusters", success: 201,
    body: { required: ["name"], optional: ["description", "emoji", "color"] }, errors: [invalid] },
  { id: "clusters.update", method: "PUT", path: `${clusters}/{id}`, scope: "write_clusters", success: 200,
    body: { required: [], optional: ["name", "description", "emoji", "color", "default_queue_id"] }, errors: [invalid] },
  { id: "clusters.delete", method: "DELETE", path: `${clusters}/{id}`, scope: "write_clusters", success: 204, errors: [reason] },

  { id: "queues.list", method: "GET", path: queues, scope: "read_clusters", success: 200, list: "pages" },
  { id: "queues.get", method: "GET", path: `${queues}/{queue_id}`, scope: "read_clusters", success: 200 },
  { id: "queues.create", method: "POST", path: queues, scope: "write_clusters", success: 201,
    body: { required: ["key"], optional: ["description"] }, errors: [invalid] },
  { id: "queues.update", method: "PUT", path: `${queues}/{id}`, scope: "write_clusters", success: 200,
    body: { required: [], optional: ["description"] }, errors: [invalid] },
  { id: "queues.delete", method: "DELETE", path: `${queues}/{id}`, scope: "write_clusters", success: 204, errors: [reason] },
  // The property list says note, the sample dispatch_paused_note: which one counts is not shown.
  { id: "queues.pauseDispatch", method: "POST", path: `${queues}/{id}/pause_dispatch`, scope: "write_clusters", success: 200,
    body: { required: [], optional: ["note", "dispatch_paused_note"] }, errors: [{ status: 422, message: "Cluster queue is already paused" }] },
  { id: "queues.resumeDispatch", method: "POST", path: `${queues}/{id}/resume_dispatch`, scope: "write_clusters", success: 200,
    errors: [{ status: 422, message: "Cluster queue is not paused" }] },

  { id: "agentTokens.list", method: "GET", path: tokens, scope: "read_clusters", success: 200, list: "pages" },
  { id: "agentTokens.get", method: "GET", path: `${tokens}/{token_id}`, scope: "read_clusters", success: 200 },
  { id: "agentTokens.create", method: "POST", path: tokens, scope: "write_clusters", success: 201,
    body: { required: ["description"], optional: ["allowed_ip_addresses"] }, errors: [invalid] },
  { id: "agentTokens.update", method: "PUT", path: `${tokens}/{id}`, scope: "write_clusters", success: 200,
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
  { id: "teams.get", method: "GET", path: `${teams}/{team_uuid}`, scope: "view_teams", success: 200 },
  { id: "teams.create", method: "POST", path: teams, scope: "write_teams", success: 201, body: teamBody, errors: [invalid] },
  { id: "teams.update", method: "PATCH", path: `${teams}/{team_uuid}`, scope: "write_teams", success: 200, body: teamBody, errors: [invalid] },
  { id: "teams.delete", method: "DELETE", path: `${teams}/{team_uuid}`, scope: "write_teams", success: 204, errors: [reason] },

  // Errors of suites are not shown, so the general rows of section 7 do not cover them either.
  { id: "suites.list", method: "GET", path: suites, scope: "read_suites", success: 200, list: "pages" },
  { id: "suites.get", method: "GET", path: `${suites}/{suite_slug}`, scope: "read_suites", success: 200 },
  { id: "suites.create", method: "POST", path: suites, scope: "write_suites", success: 201,
    body: { required: ["name", "default_branch"], optional: ["show_api_token", "team_ids", "application_name", "color", "emoji"] } },
  { id: "suites.update", method: "PATCH", path: `${suites}/{suite_slug}`, scope: "write_suites", success: 200,
    body: { required: [], optional: ["name", "default_branch", "application_name", "color", "emoji"] } },
  { id: "suites.delete", method: "DELETE", path: `${suites}/{suite_slug}`, scope: "write_suites", success: 204 },

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
  { id: "builds.rebuild", method: "PUT", path: `${builds}/{number}/rebuild`, scope: "write_builds", success: 200 },
] as const satisfies readonly DocumentedOperation[];

export type OperationId = (typeof rows)[number]["id"];

export type Row = DocumentedOperation & { readonly id: OperationId };

export const documentedOperations: readonly Row[] = rows;

/** A path with its placeholders unnamed: the document calls the same id by several names. */
export function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, "{}");
}
