// Generated from the client's entities by `npm run write:exports`.
import type * as api from "../../client/index.js";
import type { EmbeddedUser } from "../../resources/embedded-user.js";
import { each, reader, same, user } from "./fields.js";

/** The access token in use, as the service describes it. Never the token itself. */
export interface AccessTokenResult {
  /** UUID. Not secret. */
  readonly uuid: string;
  /** Scopes of the token, such as `read_clusters`. */
  readonly scopes: string[];
}

export const readAccessTokenResult = reader<api.AccessTokenDescription, AccessTokenResult>({
  uuid: same,
  scopes: same,
});

/** An organization. */
export interface OrganizationResult {
  /** UUID. */
  readonly id: string;
  /** The name in addresses, which settings take as the organization. */
  readonly slug: string;
  /** Name of the organization. */
  readonly name?: string;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** API URL of its pipelines. */
  readonly pipelinesUrl?: string;
  /** API URL of its agents. */
  readonly agentsUrl?: string;
  /** API URL of its emojis. */
  readonly emojisUrl?: string;
  /** When it was created, ISO 8601 in UTC. */
  readonly createdAt?: string;
}

export const readOrganizationResult = reader<api.Organization, OrganizationResult>({
  id: same,
  slug: same,
  name: same,
  graphql_id: same,
  url: same,
  web_url: same,
  pipelines_url: same,
  agents_url: same,
  emojis_url: same,
  created_at: same,
});

/** A person who belongs to an organization. */
export interface MemberResult {
  /** UUID of the user. */
  readonly id: string;
  /** Name of the user. */
  readonly name?: string;
  /** Address of the user. */
  readonly email?: string;
}

export const readMemberResult = reader<api.Member, MemberResult>({
  id: same,
  name: same,
  email: same,
});

/** One run of a test suite. */
export interface RunResult {
  /** UUID. */
  readonly id: string;
  /** `running` or `finished`. A finished run is running again when more results arrive. */
  readonly state?: string;
  /**
   * `pending`, `passed`, `failed` or `stale`. `passed` does not mean that processing is complete; `failed`
   * never changes.
   */
  readonly result?: string;
  /** Branch. */
  readonly branch?: string;
  /** Full commit hash. */
  readonly commitSha?: string;
  /** API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** When it was created, ISO 8601 in UTC. */
  readonly createdAt?: string;
}

export const readRunResult = reader<api.Run, RunResult>({
  id: same,
  state: same,
  result: same,
  branch: same,
  commit_sha: same,
  url: same,
  web_url: same,
  created_at: same,
});

/** Signature of a step's definition. */
export interface GetBuildJobStepSignature {
  /** The signature. */
  readonly value?: string;
  /** Algorithm of the signature. */
  readonly algorithm?: string;
  /** Fields of the step that are signed. */
  readonly signedFields?: string[];
}

export const readBuildJobStepSignature = reader<api.JobSignature, GetBuildJobStepSignature>({
  value: same,
  algorithm: same,
  signed_fields: same,
});

/** The step a job came from, with the signature of its definition. */
export interface GetBuildJobStep {
  /** UUID. */
  readonly id?: string;
  /** Signature of the step's definition. */
  readonly signature?: GetBuildJobStepSignature;
}

export const readBuildJobStep = reader<api.JobStep, GetBuildJobStep>({
  id: same,
  signature: readBuildJobStepSignature,
});

/** The agent of a job, in short. A single build has more of it than a list. */
export interface GetBuildJobAgent {
  /** UUID. */
  readonly id: string;
  /** Name of the agent. */
  readonly name?: string;
  /** API URL. */
  readonly url?: string;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** `connected` and `disconnected` are documented; others are seen. */
  readonly connectionState?: string;
  /** Name of the machine. */
  readonly hostname?: string;
  /** Address of the machine. */
  readonly ipAddress?: string;
  /** User agent that the agent sends. */
  readonly userAgent?: string;
  /** Creator of the token that connected it. */
  readonly creator?: EmbeddedUser;
  /** ISO 8601, UTC. */
  readonly createdAt?: string;
}

export const readBuildJobAgent = reader<api.JobAgent, GetBuildJobAgent>({
  id: same,
  name: same,
  url: same,
  graphql_id: same,
  web_url: same,
  connection_state: same,
  hostname: same,
  ip_address: same,
  user_agent: same,
  creator: user,
  created_at: same,
});

/** A job of a build. Jobs of another type than `script` may leave most fields out. */
export interface GetBuildJob {
  /** UUID. */
  readonly id: string;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** `script` is the value seen; the full list is not documented. */
  readonly type?: string;
  /** Name of the job. */
  readonly name?: string;
  /** Key of the step it came from. */
  readonly stepKey?: string;
  /** The step it came from. */
  readonly step?: GetBuildJobStep;
  /** Tags that an agent needs to run it. */
  readonly agentQueryRules?: string[];
  /** `passed` and `scheduled` are values seen; the full list is not documented. */
  readonly state?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** API URL of the log. */
  readonly logUrl?: string;
  /** API URL of the log as plain text. */
  readonly rawLogUrl?: string;
  /** On jobs of agents. */
  readonly artifactsUrl?: string;
  /** On jobs of agents. */
  readonly scriptPath?: string;
  /** Command that the agent runs. */
  readonly command?: string;
  /** True if it failed without failing the build. */
  readonly softFailed?: boolean;
  /** Exit status of the command. */
  readonly exitStatus?: number;
  /** Paths of the artifacts to upload. */
  readonly artifactPaths?: string;
  /** The agent that runs or ran it. */
  readonly agent?: GetBuildJobAgent;
  /** Time the job was added to the build; ISO 8601, UTC. */
  readonly createdAt?: string;
  /** Time the scheduler processes the job; can be earlier than `createdAt`. */
  readonly scheduledAt?: string;
  /** Time the job was ready to be accepted by an agent. */
  readonly runnableAt?: string;
  /** Time an agent started the job. */
  readonly startedAt?: string;
  /** Time the job was marked finished (passed, failed, paused, canceled). */
  readonly finishedAt?: string;
  /** True if another job repeats this one. */
  readonly retried?: boolean;
  /** UUID of the job that repeats this one. */
  readonly retriedInJobId?: string;
  /** How many times the job was retried. */
  readonly retriesCount?: number;
  /** How it was retried; the values are not documented. */
  readonly retryType?: string;
  /** Which job of its parallel group this is. */
  readonly parallelGroupIndex?: number;
  /** How many jobs its parallel group has. */
  readonly parallelGroupTotal?: number;
  /** The matrix value of the job, as the service gives it; its form is not documented. */
  readonly matrix?: unknown;
  /** UUID of the cluster that ran the job. */
  readonly clusterId?: string;
  /** API URL of the cluster. */
  readonly clusterUrl?: string;
  /** UUID of the queue that ran the job. */
  readonly clusterQueueId?: string;
  /** API URL of the queue. */
  readonly clusterQueueUrl?: string;
}

export const readBuildJob = reader<api.Job, GetBuildJob>({
  id: same,
  graphql_id: same,
  type: same,
  name: same,
  step_key: same,
  step: readBuildJobStep,
  agent_query_rules: same,
  state: same,
  web_url: same,
  log_url: same,
  raw_log_url: same,
  artifacts_url: same,
  script_path: same,
  command: same,
  soft_failed: same,
  exit_status: same,
  artifact_paths: same,
  agent: readBuildJobAgent,
  created_at: same,
  scheduled_at: same,
  runnable_at: same,
  started_at: same,
  finished_at: same,
  retried: same,
  retried_in_job_id: same,
  retries_count: same,
  retry_type: same,
  parallel_group_index: same,
  parallel_group_total: same,
  matrix: same,
  cluster_id: same,
  cluster_url: same,
  cluster_queue_id: same,
  cluster_queue_url: same,
});

/** How a pipeline reacts to its repository. */
export interface GetBuildPipelineProviderSettings {
  /** True if pull requests are built. */
  readonly buildPullRequests?: boolean;
  /** True if only pull requests of some branches are built. */
  readonly pullRequestBranchFilterEnabled?: boolean;
  /** True if a commit that was built already is not built again for its pull request. */
  readonly skipPullRequestBuildsForExistingCommits?: boolean;
  /** True if pull requests from forks are built. */
  readonly buildPullRequestForks?: boolean;
  /**
   * True if branches of forks are named after the fork, so that they cannot be taken for the pipeline's own.
   */
  readonly prefixPullRequestForkBranchNames?: boolean;
  /** True if tags are built. */
  readonly buildTags?: boolean;
  /** True if the state of builds is shown to the repository. */
  readonly publishCommitStatus?: boolean;
  /** The same for each step. */
  readonly publishCommitStatusPerStep?: boolean;
  /** True if a blocked build's commit is shown to be pending. */
  readonly publishBlockedAsPending?: boolean;
  /** Trigger of builds; the values are not documented. */
  readonly triggerMode?: string;
  /** Name of the repository with the provider. */
  readonly repository?: string;
}

export const readBuildPipelineProviderSettings = reader<
  api.PipelineProviderSettings,
  GetBuildPipelineProviderSettings
>({
  build_pull_requests: same,
  pull_request_branch_filter_enabled: same,
  skip_pull_request_builds_for_existing_commits: same,
  build_pull_request_forks: same,
  prefix_pull_request_fork_branch_names: same,
  build_tags: same,
  publish_commit_status: same,
  publish_commit_status_per_step: same,
  publish_blocked_as_pending: same,
  trigger_mode: same,
  repository: same,
});

/**
 * Where a pipeline's code lives. The API's `webhook_url` is left out. Anyone who has it can start builds, and
 * a function's result may end up in state and logs.
 */
export interface GetBuildPipelineProvider {
  /** Such as `github`. */
  readonly id?: string;
  /** Lists only. */
  readonly settings?: GetBuildPipelineProviderSettings;
}

export const readBuildPipelineProvider = reader<api.PipelineProvider, GetBuildPipelineProvider>({
  id: same,
  settings: readBuildPipelineProviderSettings,
});

/**
 * The pipeline of a build. Lists have all of it. A single build has no `webUrl`, `branchConfiguration`,
 * `defaultBranch` and `provider.settings`.
 */
export interface GetBuildPipeline {
  /** UUID. */
  readonly id?: string;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** API URL. */
  readonly url?: string;
  /** Address in the web interface. Lists only. */
  readonly webUrl?: string;
  /** Name of the pipeline. */
  readonly name?: string;
  /** The name in addresses, by which the builds of a pipeline are found. */
  readonly slug?: string;
  /** Address of the Git repository. */
  readonly repository?: string;
  /** Lists only. */
  readonly branchConfiguration?: string;
  /** Lists only. */
  readonly defaultBranch?: string;
  /** Where its code lives. */
  readonly provider?: GetBuildPipelineProvider;
  /** True if a new build of a branch skips those that wait. */
  readonly skipQueuedBranchBuilds?: boolean;
  /** Which branches that counts for. */
  readonly skipQueuedBranchBuildsFilter?: string;
  /** True if a new build of a branch cancels the one that runs. */
  readonly cancelRunningBranchBuilds?: boolean;
  /** Which branches that counts for. */
  readonly cancelRunningBranchBuildsFilter?: string;
  /** API URL of its builds. */
  readonly buildsUrl?: string;
  /** Address of the badge that shows the state of the latest build. */
  readonly badgeUrl?: string;
  /** ISO 8601 in lists; `<date> <time> UTC` in a single build. */
  readonly createdAt?: string;
  /** How many builds are scheduled. */
  readonly scheduledBuildsCount?: number;
  /** How many builds run. */
  readonly runningBuildsCount?: number;
  /** How many jobs are scheduled. */
  readonly scheduledJobsCount?: number;
  /** How many jobs run. */
  readonly runningJobsCount?: number;
  /** How many jobs wait. */
  readonly waitingJobsCount?: number;
}

export const readBuildPipeline = reader<api.Pipeline, GetBuildPipeline>({
  id: same,
  graphql_id: same,
  url: same,
  web_url: same,
  name: same,
  slug: same,
  repository: same,
  branch_configuration: same,
  default_branch: same,
  provider: readBuildPipelineProvider,
  skip_queued_branch_builds: same,
  skip_queued_branch_builds_filter: same,
  cancel_running_branch_builds: same,
  cancel_running_branch_builds_filter: same,
  builds_url: same,
  badge_url: same,
  created_at: same,
  scheduled_builds_count: same,
  running_builds_count: same,
  scheduled_jobs_count: same,
  running_jobs_count: same,
  waiting_jobs_count: same,
});

/** The build another one repeats. */
export interface GetBuildRebuiltFrom {
  /** UUID. */
  readonly id?: string;
  /** Number of the build within its pipeline. */
  readonly number?: number;
  /** API URL. */
  readonly url?: string;
}

export const readBuildRebuiltFrom = reader<api.RebuiltFrom, GetBuildRebuiltFrom>({
  id: same,
  number: same,
  url: same,
});

/** One execution of a pipeline. Requests address it by pipeline slug and `number`, never by `id`. */
export interface BuildResult {
  /** UUID, unique across the whole service. */
  readonly id: string;
  /** Unique within the pipeline, growing, with gaps. */
  readonly number: number;
  /**
   * Documented: `scheduled`, `running`, `failing`, `passed`, `failed`, `blocked`, `canceled`; `canceling` is
   * seen. The full list is not documented.
   */
  readonly state: string;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** Why it was canceled. */
  readonly cancelReason?: string;
  /** True if it waits for a person; `state` then keeps its last value. */
  readonly blocked?: boolean;
  /** Message of the build, such as that of its commit. */
  readonly message?: string;
  /** Commit, as it was asked for: a hash or a name such as `HEAD`. */
  readonly commit?: string;
  /** Branch. */
  readonly branch?: string;
  /**
   * Environment variables of the build. Anyone who starts builds can put anything there, so don't trust it.
   */
  readonly env?: Record<string, string>;
  /** Source of the build; the values are not documented. */
  readonly source?: string;
  /** User who started it. */
  readonly creator?: EmbeddedUser;
  /** Its jobs. */
  readonly jobs?: GetBuildJob[];
  /** Time the build was created, or its upload ran; ISO 8601, UTC. */
  readonly createdAt?: string;
  /** Time the build was created; copied from the uploading job for uploaded pipelines. */
  readonly scheduledAt?: string;
  /** Time an agent started the build's first job. Unset before. */
  readonly startedAt?: string;
  /** Time the build was marked finished. Unset before. */
  readonly finishedAt?: string;
  /** Meta-data by key. */
  readonly metaData?: Record<string, unknown>;
  /** Its form is not documented. */
  readonly pullRequest?: unknown;
  /** The build that this one repeats, if it is a rebuild. */
  readonly rebuiltFrom?: GetBuildRebuiltFrom;
  /** The pipeline it belongs to. */
  readonly pipeline?: GetBuildPipeline;
}

export const readBuildResult = reader<api.Build, BuildResult>({
  id: same,
  number: same,
  state: same,
  graphql_id: same,
  url: same,
  web_url: same,
  cancel_reason: same,
  blocked: same,
  message: same,
  commit: same,
  branch: same,
  env: same,
  source: same,
  creator: user,
  jobs: each(readBuildJob),
  created_at: same,
  scheduled_at: same,
  started_at: same,
  finished_at: same,
  meta_data: same,
  pull_request: same,
  rebuilt_from: readBuildRebuiltFrom,
  pipeline: readBuildPipeline,
});

/** A machine's process that runs jobs. */
export interface AgentResult {
  /** UUID. */
  readonly id: string;
  /** Name of the agent. */
  readonly name: string;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /**
   * `connected` and `disconnected` are documented; `never_connected`, `stopping`, `stopped` and `lost` are
   * seen. Only a `connected` agent can be stopped.
   */
  readonly connectionState?: string;
  /** Name of the machine. */
  readonly hostname?: string;
  /** Address of the machine. */
  readonly ipAddress?: string;
  /** User agent that the agent sends. */
  readonly userAgent?: string;
  /** Exact version of the agent's software. */
  readonly version?: string;
  /** Creator of the token that connected it. */
  readonly creator?: EmbeddedUser;
  /** When it was created, ISO 8601 in UTC. */
  readonly createdAt?: string;
  /** The job it is running, if any. */
  readonly job?: GetBuildJob;
  /** When it finished its last job. The form is not documented; a timestamp is expected. */
  readonly lastJobFinishedAt?: string | number;
  /** Its priority. The form is not documented; a number is expected. */
  readonly priority?: string | number;
  /** Tags of the form `key=value`. */
  readonly metaData?: string[];
}

export const readAgentResult = reader<api.Agent, AgentResult>({
  id: same,
  name: same,
  graphql_id: same,
  url: same,
  web_url: same,
  connection_state: same,
  hostname: same,
  ip_address: same,
  user_agent: same,
  version: same,
  creator: user,
  created_at: same,
  job: readBuildJob,
  last_job_finished_at: same,
  priority: same,
  meta_data: same,
});
