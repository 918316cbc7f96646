import { z } from "zod";
import * as model from "../model/entity.js";
import type { OrganizationData, StoredRecord } from "../store/collection.js";

const path = ({ slug }: { readonly slug: string }) => `/pipelines/${slug}`;

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

const providerOf = ({ id }: StoredRecord, { base, variations }: model.View, settings: object) => ({
  id: "github",
  webhook_url: variations.webhookUrlVisible ? `${base}/webhooks/${id}` : "",
  settings,
});

const fields = {
  id: model.uuid,
  graphql_id: model.graphqlId("Pipeline"),
  url: model.apiUrl(path),
  web_url: model.derived(model.address.optional(), model.webUrl(path).derive),
  name: z.string(),
  slug: z.string(),
  repository: z.string(),
  /** Branch patterns divided by blanks; null builds every branch. */
  branch_configuration: model.keptAs(z.string().nullish(), (kept: string | null) => kept),
  default_branch: model.keptAs(z.string().optional(), (kept: string) => kept),
  provider: model.derived(provider, (one: StoredRecord & { readonly repository: string }, view) =>
    providerOf(one, view, { ...commonSettings, repository: nameOf(one.repository) }),
  ),
  skip_queued_branch_builds: model.derived(z.boolean(), () => false),
  skip_queued_branch_builds_filter: model.derived(z.string().nullable(), () => null),
  cancel_running_branch_builds: model.derived(z.boolean(), () => false),
  cancel_running_branch_builds_filter: model.derived(z.string().nullable(), () => null),
  builds_url: model.apiUrl((pipeline: { readonly slug: string }) => `${path(pipeline)}/builds`),
  badge_url: model.addressAt(({ id }: StoredRecord) => `/badges/${id}.svg`),
  created_at: z.union([model.timestamp, z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)]),
};

const counts = {
  scheduled_builds_count: z.int(),
  running_builds_count: z.int(),
  scheduled_jobs_count: z.int(),
  running_jobs_count: z.int(),
  waiting_jobs_count: z.int(),
};

/** A pipeline: no endpoint makes one, builds show it. */
export interface PipelineRecord extends model.RecordOf<typeof fields> {
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

const pipeline = model.entity<PipelineRecord & model.RecordOf<typeof counts>>("Pipeline", {
  ...fields,
  ...counts,
});

export const pipelineSchema = pipeline.schema;

/** Shows a pipeline as a list of builds does, or reduced as a single build does: with another form of `created_at`. */
export function showPipeline(
  view: model.View,
  record: PipelineRecord,
  isFull: boolean,
): Record<string, unknown> {
  const full = pipeline.show(view, { ...record, ...countsOf(view, record.id) });
  if (isFull) return full;
  const { web_url, branch_configuration, default_branch, ...reduced } = full;
  const [day, time] = [record.created_at.slice(0, 10), record.created_at.slice(11, 19)];
  return { ...reduced, provider: providerOf(record, view, {}), created_at: `${day} ${time} UTC` };
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

export function createPipeline(
  data: OrganizationData,
  { slug, ...given }: NewPipeline,
  made: { id?: string; created_at: string },
): PipelineRecord {
  if (data.pipelines.find("slug", slug) !== undefined) {
    throw new Error(`There is a pipeline ${slug} already.`);
  }
  return data.pipelines.insert({
    id: crypto.randomUUID(),
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

/** A branch configuration has patterns, divided by blanks. `*` stands for any text, and `!` before a pattern excludes. */
export function branchIsBuilt({ branch_configuration }: PipelineRecord, branch: string): boolean {
  const patterns = branch_configuration?.match(/\S+/g) ?? [];
  const matches = (pattern: string) => {
    const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`).test(branch);
  };
  if (patterns.some((pattern) => pattern.startsWith("!") && matches(pattern.slice(1)))) return false;
  const included = patterns.filter((pattern) => !pattern.startsWith("!"));
  return included.length === 0 || included.some(matches);
}

/** Returns the owner and the name in the address of a repository. */
function nameOf(repository: string): string {
  return repository.replace(/^.*[:/]([^/:]+\/[^/]+?)(\.git)?$/, "$1");
}

function countsOf({ data }: model.View, pipelineId: string) {
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
