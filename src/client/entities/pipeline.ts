import type * as z from "zod";
import { count, entity, flag, text } from "./entity.js";

/** Where a pipeline's code lives (section 2.11). */
export interface PipelineProvider {
  /** Such as `github`. */
  id?: string | null;
  /** The address only for users who may edit the pipeline; otherwise "". */
  webhook_url?: string | null;
  /** Missing from single-build answers. */
  settings?: PipelineProviderSettings | null;
}

/** How a pipeline reacts to its repository (section 2.11). */
export interface PipelineProviderSettings {
  build_pull_requests?: boolean | null;
  pull_request_branch_filter_enabled?: boolean | null;
  skip_pull_request_builds_for_existing_commits?: boolean | null;
  build_pull_request_forks?: boolean | null;
  prefix_pull_request_fork_branch_names?: boolean | null;
  build_tags?: boolean | null;
  publish_commit_status?: boolean | null;
  publish_commit_status_per_step?: boolean | null;
  publish_blocked_as_pending?: boolean | null;
  trigger_mode?: string | null;
  repository?: string | null;
}

/**
 * The pipeline of a build, as embedded in it (section 2.11). Two shapes: lists give all of it; the answers to get,
 * create, cancel and rebuild leave out `web_url`, `branch_configuration`, `default_branch` and `provider.settings`.
 */
export interface Pipeline {
  /** UUID. */
  id?: string | null;
  graphql_id?: string | null;
  /** Address in the REST interface. */
  url?: string | null;
  /** Address in the web interface. Lists only. */
  web_url?: string | null;
  name?: string | null;
  /** The name in addresses; what the builds group takes. */
  slug?: string | null;
  /** Address of the Git repository. */
  repository?: string | null;
  /** Lists only. */
  branch_configuration?: string | null;
  /** Lists only. */
  default_branch?: string | null;
  provider?: PipelineProvider | null;
  skip_queued_branch_builds?: boolean | null;
  skip_queued_branch_builds_filter?: string | null;
  cancel_running_branch_builds?: boolean | null;
  cancel_running_branch_builds_filter?: string | null;
  builds_url?: string | null;
  badge_url?: string | null;
  /** ISO 8601 in lists; `<date> <time> UTC` in single-build answers. */
  created_at?: string | null;
  scheduled_builds_count?: number | null;
  running_builds_count?: number | null;
  scheduled_jobs_count?: number | null;
  running_jobs_count?: number | null;
  waiting_jobs_count?: number | null;
}

const settingsSchema = entity<PipelineProviderSettings>(
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

export const pipelineSchema: z.ZodType<Pipeline> = entity<Pipeline>(
  {},
  {
    id: text,
    graphql_id: text,
    url: text,
    web_url: text,
    name: text,
    slug: text,
    repository: text,
    branch_configuration: text,
    default_branch: text,
    provider: entity<PipelineProvider>(
      {},
      { id: text, webhook_url: text, settings: settingsSchema.nullable() },
    ).nullable(),
    skip_queued_branch_builds: flag,
    skip_queued_branch_builds_filter: text,
    cancel_running_branch_builds: flag,
    cancel_running_branch_builds_filter: text,
    builds_url: text,
    badge_url: text,
    created_at: text,
    scheduled_builds_count: count,
    running_builds_count: count,
    scheduled_jobs_count: count,
    running_jobs_count: count,
    waiting_jobs_count: count,
  },
);
