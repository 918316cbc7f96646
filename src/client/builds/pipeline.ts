import type * as z from "zod";
import { count, entity, flag, text } from "../responses/entity.js";

const pipelineProviderSettings = entity(
  {},
  {
    build_pull_requests: flag,
    pull_request_branch_filter_enabled: flag,
    skip_pull_request_builds_for_existing_commits: flag,
    build_pull_request_forks: flag,
    prefix_pull_request_fork_branch_names: flag,
    build_tags: flag,
    publish_commit_status: flag,
    publish_commit_status_per_step: flag,
    publish_blocked_as_pending: flag,
    trigger_mode: text,
    repository: text,
  },
);

/** How a pipeline reacts to its repository (section 2.11). */
export interface PipelineProviderSettings extends z.output<typeof pipelineProviderSettings> {}

const pipelineProviderSettingsSchema: z.ZodType<PipelineProviderSettings> = pipelineProviderSettings;

const pipelineProvider = entity(
  {},
  {
    /** Such as `github`. */
    id: text,
    /** The address only for users who may edit the pipeline; otherwise "". */
    webhook_url: text,
    /** Missing from single-build answers. */
    settings: pipelineProviderSettingsSchema.nullable(),
  },
);

/** Where a pipeline's code lives (section 2.11). */
export interface PipelineProvider extends z.output<typeof pipelineProvider> {}

const pipelineProviderSchema: z.ZodType<PipelineProvider> = pipelineProvider;

const pipeline = entity(
  {},
  {
    /** UUID. */
    id: text,
    graphql_id: text,
    /** Address in the REST interface. */
    url: text,
    /** Address in the web interface. Lists only. */
    web_url: text,
    name: text,
    /** The name in addresses; what the builds group takes. */
    slug: text,
    /** Address of the Git repository. */
    repository: text,
    /** Lists only. */
    branch_configuration: text,
    /** Lists only. */
    default_branch: text,
    provider: pipelineProviderSchema.nullable(),
    skip_queued_branch_builds: flag,
    skip_queued_branch_builds_filter: text,
    cancel_running_branch_builds: flag,
    cancel_running_branch_builds_filter: text,
    builds_url: text,
    badge_url: text,
    /** ISO 8601 in lists; `<date> <time> UTC` in single-build answers. */
    created_at: text,
    scheduled_builds_count: count,
    running_builds_count: count,
    scheduled_jobs_count: count,
    running_jobs_count: count,
    waiting_jobs_count: count,
  },
);

/**
 * The pipeline of a build, as embedded in it (section 2.11). Two shapes: lists give all of it; the answers to get,
 * create, cancel and rebuild leave out `web_url`, `branch_configuration`, `default_branch` and `provider.settings`.
 */
export interface Pipeline extends z.output<typeof pipeline> {}

export const pipelineSchema: z.ZodType<Pipeline> = pipeline;
