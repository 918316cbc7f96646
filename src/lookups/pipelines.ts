import type * as api from "../client/index.js";
import { describe, type ResultOf, verbatim } from "./results/fields.js";

const settings = describe<api.PipelineProviderSettings>()({
  buildPullRequests: verbatim,
  pullRequestBranchFilterEnabled: verbatim,
  skipPullRequestBuildsForExistingCommits: verbatim,
  buildPullRequestForks: verbatim,
  prefixPullRequestForkBranchNames: verbatim,
  buildTags: verbatim,
  publishCommitStatus: verbatim,
  publishCommitStatusPerStep: verbatim,
  publishBlockedAsPending: verbatim,
  triggerMode: verbatim,
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
 * Where a pipeline's code lives. The service's `webhook_url` is left out: it is told to those who may edit the
 * pipeline only, because whoever has it can start builds, and a lookup's result ends up in state and logs.
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
  name: verbatim,
  /** The name in addresses: what `getBuild` takes. */
  slug: verbatim,
  /** Address of the Git repository. */
  repository: verbatim,
  /** Lists only. */
  branchConfiguration: verbatim,
  /** Lists only. */
  defaultBranch: verbatim,
  provider: (given): GetBuildPipelineProvider => provider.read(given),
  skipQueuedBranchBuilds: verbatim,
  skipQueuedBranchBuildsFilter: verbatim,
  cancelRunningBranchBuilds: verbatim,
  cancelRunningBranchBuildsFilter: verbatim,
  buildsUrl: verbatim,
  badgeUrl: verbatim,
  /** ISO 8601 in lists; `<date> <time> UTC` in a single build. */
  createdAt: verbatim,
  scheduledBuildsCount: verbatim,
  runningBuildsCount: verbatim,
  scheduledJobsCount: verbatim,
  runningJobsCount: verbatim,
  waitingJobsCount: verbatim,
});

/**
 * The pipeline of a build (the API document, section 2.11). Lists tell all of it; a single build tells no `webUrl`,
 * `branchConfiguration`, `defaultBranch` and `provider.settings`.
 */
export interface GetBuildPipeline extends ResultOf<typeof pipeline> {}

/** A build's pipeline as results have it. */
export const readPipeline: (given: api.Pipeline) => GetBuildPipeline = pipeline.read;
