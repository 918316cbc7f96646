import type * as z from "zod";
import { count, entity, flag, text } from "../api/entity.js";

const pipelineProviderSettings = entity({
  decorative: {
    /** True if pull requests are built. */
    build_pull_requests: flag,
    /** True if only pull requests of some branches are built. */
    pull_request_branch_filter_enabled: flag,
    /** True if a commit that was built already is not built again for its pull request. */
    skip_pull_request_builds_for_existing_commits: flag,
    /** True if pull requests from forks are built. */
    build_pull_request_forks: flag,
    /**
     * True if branches of forks are named after the fork, so that they are not mistaken for the pipeline's own
     * branches.
     */
    prefix_pull_request_fork_branch_names: flag,
    /** True if tags are built. */
    build_tags: flag,
    /** True if Buildkite reports the state of builds to the repository. */
    publish_commit_status: flag,
    /** True if Buildkite reports the state of each step to the repository. */
    publish_commit_status_per_step: flag,
    /** True if Buildkite reports the commit of a blocked build as pending. */
    publish_blocked_as_pending: flag,
    /** What starts builds: `code`, `deployment`, `fork` or `none`. */
    trigger_mode: text,
    /** Name of the repository at the provider. */
    repository: text,
  },
});

/** How a pipeline reacts to its repository. The provider of the repository decides which settings there are. */
export interface PipelineProviderSettings extends z.output<typeof pipelineProviderSettings> {
  readonly [setting: string]: unknown;
}

const pipelineProviderSettingsSchema: z.ZodType<PipelineProviderSettings> = pipelineProviderSettings;

const pipelineProvider = entity({
  decorative: {
    /** Id of the provider, such as `github`. */
    id: text,
    /**
     * Secret: anyone who knows this address can start builds. It is "" for users who may not edit the pipeline, and for
     * access tokens without the scope `write_pipelines`.
     */
    webhook_url: text,
    /** How the pipeline reacts to its repository. A single build doesn't contain it. */
    settings: pipelineProviderSettingsSchema.nullable(),
  },
});

/** Provider of a pipeline's repository. */
export interface PipelineProvider extends z.output<typeof pipelineProvider> {}

const pipelineProviderSchema: z.ZodType<PipelineProvider> = pipelineProvider;

/** Fields that requests set, of a pipeline and of the pipeline of a build. */
export const pipelineSettings = {
  /** Address of the Git repository. */
  repository: text,
  /** Patterns of branches to build, separated by spaces; null or "" for all branches. */
  branch_configuration: text,
  /** Branch that Buildkite shows first, and builds if a request names none. */
  default_branch: text,
  /** True if a new build of a branch skips the waiting builds of that branch. */
  skip_queued_branch_builds: flag,
  /** Branches that `skip_queued_branch_builds` applies to. */
  skip_queued_branch_builds_filter: text,
  /** True if a new build of a branch cancels the running build of that branch. */
  cancel_running_branch_builds: flag,
  /** Branches that `cancel_running_branch_builds` applies to. */
  cancel_running_branch_builds_filter: text,
};

/** Fields that the API decides, of a pipeline and of the pipeline of a build. */
export const pipelineFacts = {
  /** Provider of the pipeline's repository. */
  provider: pipelineProviderSchema.nullable(),
  /** Opaque id for Buildkite's GraphQL API. */
  graphql_id: text,
  /** API URL. */
  url: text,
  /** Address in the web interface. */
  web_url: text,
  /** API URL of the pipeline's builds. */
  builds_url: text,
  /** Address of a badge with the state of the latest build. Anyone who knows the address sees the badge. */
  badge_url: text,
  /** Time the pipeline was created: ISO 8601, UTC, or `<date> <time> UTC`. */
  created_at: text,
  /** Number of scheduled builds. */
  scheduled_builds_count: count,
  /** Number of running builds. */
  running_builds_count: count,
  /** Number of scheduled jobs. */
  scheduled_jobs_count: count,
  /** Number of running jobs. */
  running_jobs_count: count,
  /** Number of waiting jobs. */
  waiting_jobs_count: count,
};

const buildPipeline = entity({
  decorative: {
    /** UUID. */
    id: text,
    /** Name of the pipeline. */
    name: text,
    /** Name in web addresses, which requests for the builds of a pipeline use. */
    slug: text,
    ...pipelineSettings,
    ...pipelineFacts,
  },
});

/**
 * The pipeline of a build. Lists contain all fields. A single build has no `web_url`, `branch_configuration`,
 * `default_branch` and `provider.settings`.
 */
export interface BuildPipeline extends z.output<typeof buildPipeline> {}

export const buildPipelineSchema: z.ZodType<BuildPipeline> = buildPipeline;
