import type * as wire from "../client/index.js";
import { entity, leftOut, same } from "./entity-fields.js";

/**
 * Where a pipeline's code lives. The service's `webhook_url` is left out: it is told to those who may edit the
 * pipeline only, because whoever has it can start builds, and a lookup's result ends up in state and logs.
 */
export interface GetBuildPipelineProvider {
  /** Such as `github`. */
  readonly id?: string;
  /** Lists only. */
  readonly settings?: GetBuildPipelineProviderSettings;
}

/** How a pipeline reacts to its repository. */
export interface GetBuildPipelineProviderSettings {
  readonly buildPullRequests?: boolean;
  readonly pullRequestBranchFilterEnabled?: boolean;
  readonly skipPullRequestBuildsForExistingCommits?: boolean;
  readonly buildPullRequestForks?: boolean;
  readonly prefixPullRequestForkBranchNames?: boolean;
  readonly buildTags?: boolean;
  readonly publishCommitStatus?: boolean;
  readonly publishCommitStatusPerStep?: boolean;
  readonly publishBlockedAsPending?: boolean;
  readonly triggerMode?: string;
  readonly repository?: string;
}

/**
 * The pipeline of a build (the API document, section 2.11). Lists tell all of it; a single build tells no `webUrl`,
 * `branchConfiguration`, `defaultBranch` and `provider.settings`.
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
  readonly name?: string;
  /** The name in addresses: what `getBuild` takes. */
  readonly slug?: string;
  /** Address of the Git repository. */
  readonly repository?: string;
  /** Lists only. */
  readonly branchConfiguration?: string;
  /** Lists only. */
  readonly defaultBranch?: string;
  readonly provider?: GetBuildPipelineProvider;
  readonly skipQueuedBranchBuilds?: boolean;
  readonly skipQueuedBranchBuildsFilter?: string;
  readonly cancelRunningBranchBuilds?: boolean;
  readonly cancelRunningBranchBuildsFilter?: string;
  readonly buildsUrl?: string;
  readonly badgeUrl?: string;
  /** ISO 8601 in lists; `<date> <time> UTC` in a single build. */
  readonly createdAt?: string;
  readonly scheduledBuildsCount?: number;
  readonly runningBuildsCount?: number;
  readonly scheduledJobsCount?: number;
  readonly runningJobsCount?: number;
  readonly waitingJobsCount?: number;
}

const readSettings = entity<wire.PipelineProviderSettings, GetBuildPipelineProviderSettings>({
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

/** A build's pipeline as results have it. */
export const readPipeline = entity<wire.Pipeline, GetBuildPipeline>({
  id: same,
  graphql_id: same,
  url: same,
  web_url: same,
  name: same,
  slug: same,
  repository: same,
  branch_configuration: same,
  default_branch: same,
  provider: entity<wire.PipelineProvider, GetBuildPipelineProvider>({
    id: same,
    webhook_url: leftOut,
    settings: readSettings,
  }),
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
