import { randomUUID } from "node:crypto";
import { z } from "zod";
import { entity, type RecordOf, type View } from "../model/entity.js";
import * as field from "../model/fields.js";
import type { OrganizationData } from "../store/organization-data.js";

export interface PipelineView extends View {
  /** `full` in lists; `reduced` where a single build is shown, created, canceled or rebuilt. */
  readonly pipelineShape: "full" | "reduced";
}

const isFull = ({ pipelineShape }: PipelineView) => pipelineShape === "full";

interface Place {
  readonly id: string;
  readonly slug: string;
}

const path = ({ slug }: Place) => `/pipelines/${slug}`;

const commonSettings = {
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
};

const schemas = Object.entries(commonSettings).map(([name, value]) => {
  return [name, typeof value === "string" ? z.string() : z.boolean()] as const;
});
const providerSettings = z.object({ ...Object.fromEntries(schemas), repository: z.string() });

const provider = z.object({
  id: z.string(),
  webhook_url: z.string(),
  settings: z.union([providerSettings, z.object({}).strict()]),
});

/** The pipeline inside a build. Single builds show it reduced, with the other form of `created_at`. */
const fields = {
  id: field.uuid,
  graphql_id: field.graphqlId("Pipeline"),
  url: field.apiUrl(path),
  web_url: field.derived(field.address.optional(), (pipeline: Place, view: PipelineView) =>
    isFull(view) ? field.webUrl(path).derive(pipeline, view) : undefined,
  ),
  name: z.string(),
  slug: z.string(),
  repository: z.string(),
  /** Branch patterns divided by blanks; null builds every branch. */
  branch_configuration: field.shownIf(z.string().nullable(), isFull),
  default_branch: field.shownIf(z.string(), isFull),
  provider: field.derived(
    provider,
    ({ id, repository }: { id: string; repository: string }, view: PipelineView) => ({
      id: "github",
      webhook_url: view.variations.webhookUrlVisible ? `${view.base}/webhooks/${id}` : "",
      settings: isFull(view) ? { ...commonSettings, repository: nameOf(repository) } : {},
    }),
  ),
  skip_queued_branch_builds: field.derived(z.boolean(), () => false),
  skip_queued_branch_builds_filter: field.derived(z.string().nullable(), () => null),
  cancel_running_branch_builds: field.derived(z.boolean(), () => false),
  cancel_running_branch_builds_filter: field.derived(z.string().nullable(), () => null),
  builds_url: field.apiUrl((pipeline: Place) => `${path(pipeline)}/builds`),
  badge_url: field.addressAt(({ id }: Place) => `/badges/${id}.svg`),
  created_at: field.keptAs(
    z.union([field.timestamp, z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)]),
    (iso: string, view: PipelineView) =>
      isFull(view) ? iso : `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`,
  ),
};

const counts = {
  scheduled_builds_count: z.int(),
  running_builds_count: z.int(),
  scheduled_jobs_count: z.int(),
  running_jobs_count: z.int(),
  waiting_jobs_count: z.int(),
};

/** A pipeline: no endpoint makes one, builds show it. */
export interface PipelineRecord extends RecordOf<typeof fields> {
  readonly pipeline_template_id: string | null;
  readonly steps: readonly PipelineStep[];
  readonly last_build_number: number;
  /** The cluster that runs its jobs; null for a pipeline outside of clusters. */
  readonly cluster_id: string | null;
}

/** A step that each new build of a pipeline runs. */
export interface PipelineStep {
  readonly key: string;
  readonly name: string;
  readonly command: string;
  /** Tags that an agent must have: `["queue=small", "os=linux"]`. Without a `queue` the cluster's default queue counts. */
  readonly agents?: readonly string[];
}

const pipeline = entity<PipelineRecord & RecordOf<typeof counts>, PipelineView>("Pipeline", {
  ...fields,
  ...counts,
});

export const pipelineSchema = pipeline.schema;

export function showPipeline(view: PipelineView, record: PipelineRecord): Record<string, unknown> {
  return pipeline.show(view, { ...record, ...countsOf(view, record.id) });
}

/** A pipeline to be made. */
export interface NewPipeline {
  slug: string;
  name?: string;
  repository?: string;
  defaultBranch?: string;
  branchConfiguration?: string;
  pipelineTemplateId?: string;
  /** The cluster that runs its jobs. Default: none, as in organizations that have no clusters yet. */
  clusterId?: string;
  steps?: readonly PipelineStep[];
}

/** Adds a pipeline. @throws when there is one with this slug. */
export function createPipeline(
  data: OrganizationData,
  { slug, ...given }: NewPipeline,
  made: { id?: string; created_at: string },
): PipelineRecord {
  if (data.pipelines.find("slug", slug) !== undefined) {
    throw new Error(`There is a pipeline ${slug} already.`);
  }
  return data.pipelines.insert({
    id: randomUUID(),
    slug,
    name: given.name ?? slug,
    repository: given.repository ?? `https://git.example/${slug}/${slug}.git`,
    branch_configuration: given.branchConfiguration ?? null,
    default_branch: given.defaultBranch ?? "main",
    pipeline_template_id: given.pipelineTemplateId ?? null,
    cluster_id: given.clusterId ?? null,
    steps: given.steps ?? [{ key: "test", name: "Test", command: "make test" }],
    last_build_number: 0,
    ...made,
  });
}

/**
 * Checks whether a pipeline builds a branch. Its branch configuration has patterns, divided by blanks. `*` stands for
 * any text, and `!` before a pattern excludes.
 */
export function branchIsBuilt({ branch_configuration }: PipelineRecord, branch: string): boolean {
  const patterns = (branch_configuration ?? "").split(/\s+/).filter((pattern) => pattern !== "");
  const excluded = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  const included = patterns.filter((pattern) => !pattern.startsWith("!"));
  if (excluded.some((pattern) => matches(pattern, branch))) return false;
  return included.length === 0 || included.some((pattern) => matches(pattern, branch));
}

function matches(pattern: string, branch: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(branch);
}

/** Returns the owner and the name in the address of a repository. */
function nameOf(repository: string): string {
  return repository.replace(/^.*[:/]([^/:]+\/[^/]+?)(\.git)?$/, "$1");
}

function countsOf({ data }: View, pipelineId: string) {
  const builds = data.builds.list("pipeline_id", pipelineId);
  const scheduled = builds.filter(({ state }) => state === "scheduled");
  const running = builds.filter(({ state }) => state === "running" || state === "failing");
  const jobs = [...scheduled, ...running].flatMap((build) => build.jobs);
  const jobsIn = (wanted: string) => jobs.filter(({ state }) => state === wanted).length;
  return {
    scheduled_builds_count: scheduled.length,
    running_builds_count: running.length,
    scheduled_jobs_count: jobsIn("scheduled"),
    running_jobs_count: jobsIn("running"),
    waiting_jobs_count: jobsIn("waiting"),
  };
}
