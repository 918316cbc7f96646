// Generated from the client's entities by `npm run generate`.
import type * as api from "../../../client/index.js";
import type { EmbeddedUser } from "../../kind/kind.js";
import { each, reader, user } from "./result-fields.js";

/** The user whose access token it is. */
export interface GetAccessTokenUser {
  /** Name of the user. */
  readonly name?: string;
  /** User's email address. */
  readonly email?: string;
}

export const readAccessTokenUser = reader<api.AccessTokenUser, GetAccessTokenUser>("name email");

/** Description of the access token in use. It doesn't contain the token itself. */
export interface AccessTokenResult {
  /** UUID. Not secret. */
  readonly uuid: string;
  /** Scopes of the token, such as `read_clusters`. */
  readonly scopes: string[];
  /** Purpose of the token. */
  readonly description?: string;
  /** ISO 8601, UTC. */
  readonly createdAt?: string;
  /** Time the token expires; ISO 8601, UTC; unset if it doesn't expire. */
  readonly expiresAt?: string;
  /** User whose token it is. */
  readonly user?: GetAccessTokenUser;
}

export const readAccessTokenResult = reader<api.AccessTokenDescription, AccessTokenResult>(
  "uuid scopes description created_at expires_at user",
  { user: readAccessTokenUser },
);

/** An organization. */
export interface OrganizationResult {
  /** UUID. */
  readonly id: string;
  /** Name in web addresses. This is the value of the `organization` setting. */
  readonly slug: string;
  /** Name of the organization. */
  readonly name?: string;
  /** Opaque id for Buildkite's GraphQL API. */
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

export const readOrganizationResult = reader<api.Organization, OrganizationResult>(
  "id slug name graphql_id url web_url pipelines_url agents_url emojis_url created_at",
);

/** A person who belongs to an organization. */
export interface MemberResult {
  /** UUID of the user. */
  readonly id: string;
  /** Name of the user. */
  readonly name?: string;
  /** User's email address. */
  readonly email?: string;
}

export const readMemberResult = reader<api.Member, MemberResult>("id name email");

/** One run of a test suite. */
export interface RunResult {
  /** UUID. */
  readonly id: string;
  /** `running` or `finished`. A finished run returns to `running` when more results arrive. */
  readonly state?: string;
  /**
   * `pending`, `passed`, `failed` or `stale`. `passed` does not mean that processing is complete; `failed` is
   * final.
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
  /** Time the run was created; ISO 8601, UTC. */
  readonly createdAt?: string;
}

export const readRunResult = reader<api.Run, RunResult>(
  "id state result branch commit_sha url web_url created_at",
);

/** Signature of a step's definition. */
export interface GetBuildJobStepSignature {
  /** The signature. */
  readonly value?: string;
  /** Algorithm of the signature. */
  readonly algorithm?: string;
  /** Fields of the step that are signed. */
  readonly signedFields?: string[];
}

export const readBuildJobStepSignature = reader<api.JobSignature, GetBuildJobStepSignature>(
  "value algorithm signed_fields",
);

/** The step that defines a job, with the signature of its definition. */
export interface GetBuildJobStep {
  /** UUID. */
  readonly id?: string;
  /** Signature of the step's definition. */
  readonly signature?: GetBuildJobStepSignature;
}

export const readBuildJobStep = reader<api.JobStep, GetBuildJobStep>("id signature", {
  signature: readBuildJobStepSignature,
});

/** Summary of the agent of a job. A single build contains more of its fields than a list of builds. */
export interface GetBuildJobAgent {
  /** UUID. */
  readonly id: string;
  /** Name of the agent. */
  readonly name?: string;
  /** API URL. */
  readonly url?: string;
  /** Opaque id for Buildkite's GraphQL API. */
  readonly graphqlId?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** `connected` and `disconnected` are documented; other values were observed. */
  readonly connectionState?: string;
  /** Name of the machine. */
  readonly hostname?: string;
  /** Address of the machine. */
  readonly ipAddress?: string;
  /** User agent that the agent sends. */
  readonly userAgent?: string;
  /** User who created the token that the agent connects with. */
  readonly creator?: EmbeddedUser;
  /** ISO 8601, UTC. */
  readonly createdAt?: string;
}

export const readBuildJobAgent = reader<api.JobAgent, GetBuildJobAgent>(
  "id name url graphql_id web_url connection_state hostname ip_address user_agent creator created_at",
  { creator: user },
);

/** A job of a build. Jobs of a type other than `script` may omit most fields. */
export interface GetBuildJob {
  /** UUID. */
  readonly id: string;
  /** `script` was observed; the full list is not documented. */
  readonly type?: string;
  /** Tags that an agent needs to run the job. */
  readonly agentQueryRules?: string[];
  /** `passed` and `scheduled` were observed; the full list is not documented. */
  readonly state?: string;
  /** Agent that runs or ran the job. */
  readonly agent?: GetBuildJobAgent;
  /** Time the job was marked finished (passed, failed, paused, canceled). */
  readonly finishedAt?: string;
  /** True if another job repeats this one. */
  readonly retried?: boolean;
  /** UUID of the cluster that ran the job. */
  readonly clusterId?: string;
  /** UUID of the queue that ran the job. */
  readonly clusterQueueId?: string;
  /** Opaque id for Buildkite's GraphQL API. */
  readonly graphqlId?: string;
  /** Name of the job. */
  readonly name?: string;
  /** Key of the step that defines the job. */
  readonly stepKey?: string;
  /** The step that defines the job. */
  readonly step?: GetBuildJobStep;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** API URL of the log. */
  readonly logUrl?: string;
  /** API URL of the log as plain text. */
  readonly rawLogUrl?: string;
  /** Present on jobs that agents run. */
  readonly artifactsUrl?: string;
  /** Present on jobs that agents run. */
  readonly scriptPath?: string;
  /** Command that the agent runs. */
  readonly command?: string;
  /** True if the job failed without failing the build. */
  readonly softFailed?: boolean;
  /** Exit status of the command. */
  readonly exitStatus?: number;
  /** Paths of the artifacts to upload. */
  readonly artifactPaths?: string;
  /** Time the job was added to the build; ISO 8601, UTC. */
  readonly createdAt?: string;
  /** Time the scheduler processes the job; can be earlier than `createdAt`. */
  readonly scheduledAt?: string;
  /** Time the job was ready to be accepted by an agent. */
  readonly runnableAt?: string;
  /** Time an agent started the job. */
  readonly startedAt?: string;
  /** UUID of the job that repeats this one. */
  readonly retriedInJobId?: string;
  /** How many times the job was retried. */
  readonly retriesCount?: number;
  /** How the job was retried; the values are not documented. */
  readonly retryType?: string;
  /** Position of the job in its parallel group. */
  readonly parallelGroupIndex?: number;
  /** Number of jobs in the job's parallel group. */
  readonly parallelGroupTotal?: number;
  /** The matrix value of the job, as the API returns it; the format is not documented. */
  readonly matrix?: unknown;
  /** API URL of the cluster. */
  readonly clusterUrl?: string;
  /** API URL of the queue. */
  readonly clusterQueueUrl?: string;
}

export const readBuildJob = reader<api.Job, GetBuildJob>(
  `
     id type agent_query_rules state agent finished_at retried cluster_id cluster_queue_id graphql_id name
     step_key step web_url log_url raw_log_url artifacts_url script_path command soft_failed exit_status
     artifact_paths created_at scheduled_at runnable_at started_at retried_in_job_id retries_count retry_type
     parallel_group_index parallel_group_total matrix cluster_url cluster_queue_url
  `,
  { agent: readBuildJobAgent, step: readBuildJobStep },
);

/**
 * How a pipeline reacts to its repository. The provider of the repository decides which settings there are.
 */
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
   * True if branches of forks are named after the fork, so that they are not mistaken for the pipeline's own
   * branches.
   */
  readonly prefixPullRequestForkBranchNames?: boolean;
  /** True if tags are built. */
  readonly buildTags?: boolean;
  /** True if Buildkite reports the state of builds to the repository. */
  readonly publishCommitStatus?: boolean;
  /** True if Buildkite reports the state of each step to the repository. */
  readonly publishCommitStatusPerStep?: boolean;
  /** True if Buildkite reports the commit of a blocked build as pending. */
  readonly publishBlockedAsPending?: boolean;
  /** What starts builds: `code`, `deployment`, `fork` or `none`. */
  readonly triggerMode?: string;
  /** Name of the repository at the provider. */
  readonly repository?: string;
}

export const readBuildPipelineProviderSettings = reader<
  api.PipelineProviderSettings,
  GetBuildPipelineProviderSettings
>(
  `
     build_pull_requests pull_request_branch_filter_enabled skip_pull_request_builds_for_existing_commits
     build_pull_request_forks prefix_pull_request_fork_branch_names build_tags publish_commit_status
     publish_commit_status_per_step publish_blocked_as_pending trigger_mode repository
  `,
);

/**
 * Provider of a pipeline's repository. The API's `webhook_url` is left out. Anyone who has it can start
 * builds, and a function's result may end up in state and logs.
 */
export interface GetBuildPipelineProvider {
  /** Id of the provider, such as `github`. */
  readonly id?: string;
  /** How the pipeline reacts to its repository. A single build doesn't contain it. */
  readonly settings?: GetBuildPipelineProviderSettings;
}

export const readBuildPipelineProvider = reader<api.PipelineProvider, GetBuildPipelineProvider>(
  "id settings",
  { settings: readBuildPipelineProviderSettings },
);

/**
 * The pipeline of a build. Lists contain all fields. A single build has no `webUrl`, `branchConfiguration`,
 * `defaultBranch` and `provider.settings`.
 */
export interface GetBuildPipeline {
  /** Provider of the pipeline's repository. */
  readonly provider?: GetBuildPipelineProvider;
  /** Opaque id for Buildkite's GraphQL API. */
  readonly graphqlId?: string;
  /** API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** API URL of the pipeline's builds. */
  readonly buildsUrl?: string;
  /** Address of a badge with the state of the latest build. Anyone who knows the address sees the badge. */
  readonly badgeUrl?: string;
  /** Time the pipeline was created: ISO 8601, UTC, or `<date> <time> UTC`. */
  readonly createdAt?: string;
  /** Number of scheduled builds. */
  readonly scheduledBuildsCount?: number;
  /** Number of running builds. */
  readonly runningBuildsCount?: number;
  /** Number of scheduled jobs. */
  readonly scheduledJobsCount?: number;
  /** Number of running jobs. */
  readonly runningJobsCount?: number;
  /** Number of waiting jobs. */
  readonly waitingJobsCount?: number;
  /** Address of the Git repository. */
  readonly repository?: string;
  /** Patterns of branches to build, separated by spaces; null or "" for all branches. */
  readonly branchConfiguration?: string;
  /** Branch that Buildkite shows first, and builds if a request names none. */
  readonly defaultBranch?: string;
  /** True if a new build of a branch skips the waiting builds of that branch. */
  readonly skipQueuedBranchBuilds?: boolean;
  /** Branches that `skipQueuedBranchBuilds` applies to. */
  readonly skipQueuedBranchBuildsFilter?: string;
  /** True if a new build of a branch cancels the running build of that branch. */
  readonly cancelRunningBranchBuilds?: boolean;
  /** Branches that `cancelRunningBranchBuilds` applies to. */
  readonly cancelRunningBranchBuildsFilter?: string;
  /** UUID. */
  readonly id?: string;
  /** Name of the pipeline. */
  readonly name?: string;
  /** Name in web addresses, which requests for the builds of a pipeline use. */
  readonly slug?: string;
}

export const readBuildPipeline = reader<api.BuildPipeline, GetBuildPipeline>(
  `
     provider graphql_id url web_url builds_url badge_url created_at scheduled_builds_count
     running_builds_count scheduled_jobs_count running_jobs_count waiting_jobs_count repository
     branch_configuration default_branch skip_queued_branch_builds skip_queued_branch_builds_filter
     cancel_running_branch_builds cancel_running_branch_builds_filter id name slug
  `,
  { provider: readBuildPipelineProvider },
);

/** The author of a build's commit, who need not be a user of Buildkite. */
export interface GetBuildAuthor {
  /** Account at the repository's host, if it is known. */
  readonly username?: string;
  /** Name. */
  readonly name?: string;
  /** Email address. */
  readonly email?: string;
}

export const readBuildAuthor = reader<api.BuildAuthor, GetBuildAuthor>("username name email");

/** The original of a rebuild. */
export interface GetBuildRebuiltFrom {
  /** UUID. */
  readonly id?: string;
  /** Number of the build within its pipeline. */
  readonly number?: number;
  /** API URL. */
  readonly url?: string;
}

export const readBuildRebuiltFrom = reader<api.RebuiltFrom, GetBuildRebuiltFrom>("id number url");

/** One execution of a pipeline. Requests identify a build by pipeline slug and `number`, never by `id`. */
export interface BuildResult {
  /** UUID, unique across the whole service. */
  readonly id: string;
  /** Number that is unique within the pipeline. Numbers increase, with gaps. */
  readonly number: number;
  /**
   * Documented: `scheduled`, `running`, `failing`, `passed`, `failed`, `blocked`, `canceled`. `canceling` was
   * observed. The full list is not documented.
   */
  readonly state: string;
  /** True if the build waits for a person; `state` then keeps its last value. */
  readonly blocked?: boolean;
  /** Jobs of the build. */
  readonly jobs?: GetBuildJob[];
  /** Time the build was marked finished; unset until then. */
  readonly finishedAt?: string;
  /** Opaque id for Buildkite's GraphQL API. */
  readonly graphqlId?: string;
  /** API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /**
   * State of a blocked build before the block; empty if it isn't blocked. Undocumented, but the API returns
   * it.
   */
  readonly blockedState?: string;
  /** Reason for the cancellation. */
  readonly cancelReason?: string;
  /** Message of the build, such as that of its commit. */
  readonly message?: string;
  /** Commit as requested: a hash or a name such as `HEAD`. */
  readonly commit?: string;
  /** Branch. */
  readonly branch?: string;
  /** Git tag of the build. Undocumented, but the API returns it. */
  readonly tag?: string;
  /**
   * Environment variables of the build. Anyone who starts builds can set them, so don't trust their values.
   */
  readonly env?: Record<string, string>;
  /** Source of the build; the values are not documented. */
  readonly source?: string;
  /** User who started the build. */
  readonly creator?: EmbeddedUser;
  /** Author of the commit, if one was named. Undocumented, but the API returns it. */
  readonly author?: GetBuildAuthor;
  /** Time the build was created, or its pipeline was uploaded; ISO 8601, UTC. */
  readonly createdAt?: string;
  /** Time the build was created; copied from the uploading job for uploaded pipelines. */
  readonly scheduledAt?: string;
  /** Time an agent started the build's first job; unset until then. */
  readonly startedAt?: string;
  /** Meta-data by key. */
  readonly metaData?: Record<string, unknown>;
  /** Pull request of the build. The format is not documented. */
  readonly pullRequest?: unknown;
  /** The original build, if this build is a rebuild. */
  readonly rebuiltFrom?: GetBuildRebuiltFrom;
  /** Pipeline that the build belongs to. */
  readonly pipeline?: GetBuildPipeline;
}

export const readBuildResult = reader<api.Build, BuildResult>(
  `
     id number state blocked jobs finished_at graphql_id url web_url blocked_state cancel_reason message
     commit branch tag env source creator author created_at scheduled_at started_at meta_data pull_request
     rebuilt_from pipeline
  `,
  {
    jobs: each(readBuildJob),
    creator: user,
    author: readBuildAuthor,
    rebuilt_from: readBuildRebuiltFrom,
    pipeline: readBuildPipeline,
  },
);

/** A process on a machine that runs jobs. */
export interface AgentResult {
  /** UUID. */
  readonly id: string;
  /** Name of the agent. */
  readonly name: string;
  /**
   * `connected` and `disconnected` are documented; `never_connected`, `stopping`, `stopped` and `lost` were
   * observed. Only a `connected` agent can be stopped.
   */
  readonly connectionState?: string;
  /** The job that the agent is running, if any. */
  readonly job?: GetBuildJob;
  /** Tags of the form `key=value`. */
  readonly metaData?: string[];
  /** Opaque id for Buildkite's GraphQL API. */
  readonly graphqlId?: string;
  /** API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** Name of the machine. */
  readonly hostname?: string;
  /** Address of the machine. */
  readonly ipAddress?: string;
  /** User agent that the agent sends. */
  readonly userAgent?: string;
  /** Exact version of the agent's software. */
  readonly version?: string;
  /** User who created the token that the agent connects with. */
  readonly creator?: EmbeddedUser;
  /** Time the agent was created; ISO 8601, UTC. */
  readonly createdAt?: string;
  /** Time the agent finished its last job. The format is not documented; the client expects a timestamp. */
  readonly lastJobFinishedAt?: string | number;
  /** Priority of the agent. The format is not documented; the client expects a number. */
  readonly priority?: string | number;
}

export const readAgentResult = reader<api.Agent, AgentResult>(
  `
     id name connection_state job meta_data graphql_id url web_url hostname ip_address user_agent version
     creator created_at last_job_finished_at priority
  `,
  { job: readBuildJob, creator: user },
);
