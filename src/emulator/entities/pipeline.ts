import { z } from "zod";
import type { BuildRecord, PipelineRecord } from "../store/records.js";
import { apiUrl, graphqlId, type View, webUrl } from "./view.js";
import { address, opaqueId, timestamp, uuid } from "./wire.js";

const providerSettingsSchema = z.object({
  trigger_mode: z.string(),
  build_pull_requests: z.boolean(),
  pull_request_branch_filter_enabled: z.boolean(),
  skip_pull_request_builds_for_existing_commits: z.boolean(),
  build_pull_request_forks: z.boolean(),
  prefix_pull_request_fork_branch_names: z.boolean(),
  build_tags: z.boolean(),
  publish_commit_status: z.boolean(),
  publish_commit_status_per_step: z.boolean(),
  publish_blocked_as_pending: z.boolean(),
  repository: z.string(),
});

/** Section 2.11: the pipeline inside a build. Single builds show it reduced, with the other form of `created_at`. */
export const pipelineSchema = z
  .object({
    id: uuid,
    graphql_id: opaqueId,
    url: address,
    web_url: address.optional(),
    name: z.string(),
    slug: z.string(),
    repository: z.string(),
    branch_configuration: z.string().nullable().optional(),
    default_branch: z.string().optional(),
    provider: z.object({
      id: z.string(),
      webhook_url: z.string(),
      settings: z.union([providerSettingsSchema, z.object({}).strict()]),
    }),
    skip_queued_branch_builds: z.boolean(),
    skip_queued_branch_builds_filter: z.string().nullable(),
    cancel_running_branch_builds: z.boolean(),
    cancel_running_branch_builds_filter: z.string().nullable(),
    builds_url: address,
    badge_url: address,
    created_at: z.union([timestamp, z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)]),
    scheduled_builds_count: z.int(),
    running_builds_count: z.int(),
    scheduled_jobs_count: z.int(),
    running_jobs_count: z.int(),
    waiting_jobs_count: z.int(),
  })
  .meta({ id: "Pipeline" });

/** `full` in lists; `reduced` where a single build is shown, created, canceled or rebuilt. */
export type PipelineShape = "full" | "reduced";

export function showPipeline(
  view: View,
  pipeline: PipelineRecord,
  shape: PipelineShape,
): z.infer<typeof pipelineSchema> {
  const url = apiUrl(view, `/pipelines/${pipeline.slug}`);
  const full = shape === "full";
  return {
    id: pipeline.id,
    graphql_id: graphqlId("Pipeline", pipeline.id),
    url,
    ...(full ? { web_url: webUrl(view, `/pipelines/${pipeline.slug}`) } : {}),
    name: pipeline.name,
    slug: pipeline.slug,
    repository: pipeline.repository,
    ...(full
      ? { branch_configuration: pipeline.branch_configuration, default_branch: pipeline.default_branch }
      : {}),
    provider: {
      id: "github",
      webhook_url: view.variations.webhookUrlVisible ? `${view.base}/webhooks/${pipeline.id}` : "",
      settings: full ? providerSettings(pipeline) : {},
    },
    skip_queued_branch_builds: false,
    skip_queued_branch_builds_filter: null,
    cancel_running_branch_builds: false,
    cancel_running_branch_builds_filter: null,
    builds_url: `${url}/builds`,
    badge_url: `${view.base}/badges/${pipeline.id}.svg`,
    created_at: full ? pipeline.created_at : dateAndTime(pipeline.created_at),
    ...countsOf(view.data.builds.list("pipeline_id", pipeline.id)),
  };
}

/** `<date> <time> UTC`, without the fraction of a second. */
function dateAndTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

function providerSettings(pipeline: PipelineRecord): z.infer<typeof providerSettingsSchema> {
  return {
    trigger_mode: "code",
    build_pull_requests: true,
    pull_request_branch_filter_enabled: false,
    skip_pull_request_builds_for_existing_commits: true,
    build_pull_request_forks: false,
    prefix_pull_request_fork_branch_names: true,
    build_tags: false,
    publish_commit_status: true,
    publish_commit_status_per_step: false,
    publish_blocked_as_pending: false,
    repository: pipeline.repository.replace(/^.*[:/]([^/:]+\/[^/]+?)(\.git)?$/, "$1"),
  };
}

function countsOf(builds: readonly BuildRecord[]) {
  const counts = {
    scheduled_builds_count: 0,
    running_builds_count: 0,
    scheduled_jobs_count: 0,
    running_jobs_count: 0,
    waiting_jobs_count: 0,
  };
  for (const build of builds) {
    if (build.state === "scheduled") counts.scheduled_builds_count += 1;
    else if (build.state === "running" || build.state === "failing") counts.running_builds_count += 1;
    else continue;
    for (const job of build.jobs) {
      if (job.state === "scheduled") counts.scheduled_jobs_count += 1;
      else if (job.state === "running") counts.running_jobs_count += 1;
      else if (job.state === "waiting") counts.waiting_jobs_count += 1;
    }
  }
  return counts;
}
