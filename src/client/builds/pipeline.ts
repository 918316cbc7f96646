import type * as z from "zod";
import { count, entity, flag, text } from "../responses/entity.js";

const pipelineProviderSettings = entity(
  {},
  {
    /** True if pull requests are built. */
    build_pull_requests: flag,
    /** True if only pull requests of some branches are built. */
    pull_request_branch_filter_enabled: flag,
    /** True if a commit that was built already is not built again for its pull request. */
    skip_pull_request_builds_for_existing_commits: flag,
    /** True if pull requests from forks are built. */
    build_pull_request_forks: flag,
    /** True if branches of forks are named after the fork, so that they cannot be taken for the pipeline's own. */
    prefix_pull_request_fork_branch_names: flag,
    /** True if tags are built. */
    build_tags: flag,
    /** True if the state of builds is shown to the repository. */
    publish_commit_status: flag,
    /** The same for each step. */
    publish_commit_status_per_step: flag,
    /** True if a blocked build's commit is shown to be pending. */
    publish_blocked_as_pending: flag,
    /** Trigger of builds; the values are not documented. */
    trigger_mode: text,
    /** Name of the repository with the provider. */
    repository: text,
  },
);

/** How a pipeline reacts to its repository. */
export interface PipelineProviderSettings extends z.output<typeof pipelineProviderSettings> {}

const pipelineProviderSettingsSchema: z.ZodType<PipelineProviderSettings> = pipelineProviderSettings;

const pipelineProvider = entity(
  {},
  {
    /** Such as `github`. */
    id: text,
    /** The address only for users who may edit the pipeline; otherwise "". */
    webhook_url: text,
    /** Lists only. */
    settings: pipelineProviderSettingsSchema.nullable(),
  },
);

/** Where a pipeline's code lives. */
export interface PipelineProvider extends z.output<typeof pipelineProvider> {}

const pipelineProviderSchema: z.ZodType<PipelineProvider> = pipelineProvider;

const pipeline = entity(
  {},
  {
    /** UUID. */
    id: text,
    /** Opaque id for the service's GraphQL interface. */
    graphql_id: text,
    /** API URL. */
    url: text,
    /** Address in the web interface. Lists only. */
    web_url: text,
    /** Name of the pipeline. */
    name: text,
    /** The name in addresses, by which the builds of a pipeline are found. */
    slug: text,
    /** Address of the Git repository. */
    repository: text,
    /** Lists only. */
    branch_configuration: text,
    /** Lists only. */
    default_branch: text,
    /** Where its code lives. */
    provider: pipelineProviderSchema.nullable(),
    /** True if a new build of a branch skips those that wait. */
    skip_queued_branch_builds: flag,
    /** Which branches that counts for. */
    skip_queued_branch_builds_filter: text,
    /** True if a new build of a branch cancels the one that runs. */
    cancel_running_branch_builds: flag,
    /** Which branches that counts for. */
    cancel_running_branch_builds_filter: text,
    /** API URL of its builds. */
    builds_url: text,
    /** Address of the badge that shows the state of the latest build. */
    badge_url: text,
    /** ISO 8601 in lists; `<date> <time> UTC` in a single build. */
    created_at: text,
    /** How many builds are scheduled. */
    scheduled_builds_count: count,
    /** How many builds run. */
    running_builds_count: count,
    /** How many jobs are scheduled. */
    scheduled_jobs_count: count,
    /** How many jobs run. */
    running_jobs_count: count,
    /** How many jobs wait. */
    waiting_jobs_count: count,
  },
);

/**
 * The pipeline of a build. Lists have all of it. A single build has no `web_url`, `branch_configuration`,
 * `default_branch` and `provider.settings`.
 */
export interface Pipeline extends z.output<typeof pipeline> {}

export const pipelineSchema: z.ZodType<Pipeline> = pipeline;
