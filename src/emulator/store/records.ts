import type { StoredRecord } from "./collection.js";

/*
 * What the service remembers, one interface per kind. Addresses (`url`, `web_url` …), `graphql_id` and
 * embedded users are not kept: they follow from the ids when a record is shown.
 * Times are ISO 8601 text; optional text that is not set is null.
 */

/** The organization. `seeded` tells whether it started with example pipelines, builds, agents and members. */
export interface OrganizationRecord extends StoredRecord {
  readonly slug: string;
  readonly name: string;
  readonly created_at: string;
  readonly seeded: boolean;
}

/** A person. Only members appear in the organization's member list. */
export interface UserRecord extends StoredRecord {
  readonly name: string;
  readonly email: string;
  readonly member: boolean;
  readonly created_at: string;
}

/** An API access token. `purpose` marks the ones the emulator hands out itself. */
export interface AccessTokenRecord extends StoredRecord {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly user_id: string;
  /** Whether its user administers the organization (section 4.4 and section 5). */
  readonly admin: boolean;
  readonly purpose: "full" | "read-only" | "spare" | null;
  readonly revoked_at: string | null;
}

export interface ClusterRecord extends StoredRecord {
  readonly name: string;
  readonly description: string | null;
  readonly emoji: string | null;
  readonly color: string | null;
  readonly default_queue_id: string | null;
  readonly created_at: string;
  readonly created_by: string;
}

export interface QueueRecord extends StoredRecord {
  readonly cluster_id: string;
  readonly key: string;
  readonly description: string | null;
  readonly dispatch_paused: boolean;
  readonly dispatch_paused_by: string | null;
  readonly dispatch_paused_at: string | null;
  readonly dispatch_paused_note: string | null;
  readonly created_at: string;
  readonly created_by: string;
}

export interface AgentTokenRecord extends StoredRecord {
  readonly cluster_id: string;
  readonly description: string;
  readonly allowed_ip_addresses: string | null;
  /** The secret. Shown once, in the answer that creates the token. */
  readonly token: string;
  readonly created_at: string;
  readonly created_by: string;
}

export interface PipelineTemplateRecord extends StoredRecord {
  readonly name: string;
  readonly description: string | null;
  readonly configuration: string;
  readonly available: boolean;
  readonly created_at: string;
  readonly created_by: string;
  readonly updated_at: string;
  readonly updated_by: string;
}

export interface TeamRecord extends StoredRecord {
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly privacy: "visible" | "secret";
  readonly is_default_team: boolean;
  readonly default_member_role: "member" | "maintainer";
  readonly members_can_create_pipelines: boolean;
  readonly member_ids: readonly string[];
  readonly created_at: string;
  readonly created_by: string;
}

export interface SuiteRecord extends StoredRecord {
  readonly slug: string;
  readonly name: string;
  readonly default_branch: string;
  readonly application_name: string | null;
  readonly color: string | null;
  readonly emoji: string | null;
  readonly team_ids: readonly string[];
  /** The secret with which results are uploaded. */
  readonly api_token: string;
  readonly created_at: string;
}

export interface RunRecord extends StoredRecord {
  readonly suite_id: string;
  readonly build_id: string | null;
  readonly branch: string;
  readonly commit_sha: string;
  readonly state: "running" | "finished";
  readonly result: "pending" | "passed" | "failed" | "stale";
  readonly created_at: string;
}

export interface AgentRecord extends StoredRecord {
  readonly name: string;
  /** `connected` and `disconnected` in the document; services also show `stopping`, `stopped`, `lost`, `never_connected`. */
  readonly connection_state: string;
  readonly hostname: string;
  readonly ip_address: string;
  readonly user_agent: string;
  readonly version: string;
  readonly priority: number | null;
  readonly meta_data: readonly string[];
  readonly cluster_id: string | null;
  readonly cluster_queue_id: string | null;
  /** The job it runs now. */
  readonly job_id: string | null;
  readonly last_job_finished_at: string | null;
  readonly created_at: string;
  readonly created_by: string;
}

/** A pipeline: no endpoint makes one, builds show it. */
export interface PipelineRecord extends StoredRecord {
  readonly slug: string;
  readonly name: string;
  readonly repository: string;
  /** Branch patterns divided by blanks; null builds every branch. */
  readonly branch_configuration: string | null;
  readonly default_branch: string;
  readonly pipeline_template_id: string | null;
  readonly steps: readonly PipelineStep[];
  readonly last_build_number: number;
  readonly created_at: string;
}

/** What each new build of a pipeline runs. */
export interface PipelineStep {
  readonly key: string;
  readonly name: string;
  readonly command: string;
}

export interface BuildRecord extends StoredRecord {
  readonly pipeline_id: string;
  readonly number: number;
  readonly state: string;
  readonly blocked: boolean;
  readonly cancel_reason: string | null;
  readonly message: string | null;
  readonly commit: string;
  readonly branch: string;
  readonly env: Readonly<Record<string, string>>;
  readonly source: string;
  /** The user who made it; an author given with the request, who need not be a user, is shown instead. */
  readonly creator_id: string;
  readonly author: Omit<UserRecord, "member"> | null;
  readonly clean_checkout: boolean;
  readonly meta_data: Readonly<Record<string, string>>;
  readonly pull_request: {
    readonly id: string;
    readonly base: string | null;
    readonly repository: string | null;
  } | null;
  readonly rebuilt_from: { readonly id: string; readonly number: number } | null;
  readonly jobs: readonly JobRecord[];
  readonly created_at: string;
  readonly scheduled_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** One execution of a step, kept inside its build. */
export interface JobRecord extends StoredRecord {
  readonly step_id: string;
  readonly step_key: string;
  readonly name: string;
  readonly command: string;
  readonly state: string;
  readonly exit_status: number | null;
  readonly soft_failed: boolean;
  readonly agent_id: string | null;
  readonly retried: boolean;
  readonly retried_in_job_id: string | null;
  readonly retries_count: number | null;
  readonly retry_type: string | null;
  readonly created_at: string;
  readonly scheduled_at: string;
  readonly runnable_at: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}
