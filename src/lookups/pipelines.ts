import type * as api from "../client/index.js";
import { describe, type ResultOf, verbatim } from "./results/fields.js";

const settings = describe<api.PipelineProviderSettings>()({
  /** True if pull requests are built. */
  buildPullRequests: verbatim,
  /** True if only pull requests of some branches are built. */
  pullRequestBranchFilterEnabled: verbatim,
  /** True if a commit that was built already is not built again for its pull request. */
  skipPullRequestBuildsForExistingCommits: verbatim,
  /** True if pull requests from forks are built. */
  buildPullRequestForks: verbatim,
  /** True if branches of forks are named after the fork, so that they cannot be taken for the pipeline's own. */
  prefixPullRequestForkBranchNames: verbatim,
  /** True if tags are built. */
  buildTags: verbatim,
  /** True if the state of builds is shown to the repository. */
  publishCommitStatus: verbatim,
  /** The same for each step. */
  publishCommitStatusPerStep: verbatim,
  /** True if a blocked build's commit is shown to be pending. */
  publishBlockedAsPending: verbatim,
  /** Trigger of builds; the values are not documented. */
  triggerMode: verbatim,
  /** Name of the repository with the provider. */
  repository: verbatim,
});

/** How a pipeline reacts to its repository. */
export interface GetBuildPipelineProviderSettings extends ResultOf<typeof settings> {}

const provider = describe<api.PipelineProvider, "webhook_url">()({
  /** Such as `github`. */
  id: verbatim,
  /** Lists only. */
  settings: (given): GetBuildPipelineProviderSettings => settings.read(given),
});

/**
 * Repository of a pipeline's code. The service's `webhook_url` is left out. Anyone who has it can start builds, and a
 * function's result may end up in state and logs.
 */
export interface GetBuildPipelineProvider extends ResultOf<typeof provider> {}

const pipeline = describe<api.Pipeline>()({
  /** UUID. */
  id: verbatim,
  /** Opaque id for the service's GraphQL interface. */
  graphqlId: verbatim,
  /** API URL. */
  url: verbatim,
  /** Address in the web interface. Lists only. */
  webUrl: verbatim,
  /** Name of the pipeline. */
  name: verbatim,
  /** The name in addresses: what `getBuild` takes. */
  slug: verbatim,
  /** Address of the Git repository. */
  repository: verbatim,
  /** Lists only. */
  branchConfiguration: verbatim,
  /** Lists only. */
  defaultBranch: verbatim,
  /** Where its code lives. */
  provider: (given): GetBuildPipelineProvider => provider.read(given),
  /** True if a new build of a branch skips those that wait. */
  skipQueuedBranchBuilds: verbatim,
  /** Which branches that counts for. */
  skipQueuedBranchBuildsFilter: verbatim,
  /** True if a new build of a branch cancels the one that runs. */
  cancelRunningBranchBuilds: verbatim,
  /** Which branches that counts for. */
  cancelRunningBranchBuildsFilter: verbatim,
  /** API URL of its builds. */
  buildsUrl: verbatim,
  /** Address of the badge that shows the state of the latest build. */
  badgeUrl: verbatim,
  /** ISO 8601 in lists; `<date> <time> UTC` in a single build. */
  createdAt: verbatim,
  /** How many builds are scheduled. */
  scheduledBuildsCount: verbatim,
  /** How many builds run. */
  runningBuildsCount: verbatim,
  /** How many jobs are scheduled. */
  scheduledJobsCount: verbatim,
  /** How many jobs run. */
  runningJobsCount: verbatim,
  /** How many jobs wait. */
  waitingJobsCount: verbatim,
});

/**
 * The pipeline of a build. Lists have all of it; a single build has no `webUrl`,
 * `branchConfiguration`, `defaultBranch` and `provider.settings`.
 */
export interface GetBuildPipeline extends ResultOf<typeof pipeline> {}

/** A build's pipeline as results have it. */
export const readPipeline: (given: api.Pipeline) => GetBuildPipeline = pipeline.read;
