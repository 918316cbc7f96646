import { z } from "zod";
import type { Call } from "../http/operation.js";
import * as model from "../model/entity.js";
import { found, notFound, Refusal } from "../model/refusals.js";
import type { FieldChanges, OrganizationData, StoredRecord } from "../store/collection.js";
import { seesPipeline } from "./permissions.js";
import { providerIdOf, settingsFor } from "./provider.js";
import { type shownSettings, unsetSettings } from "./settings.js";
import { configurationOf, type PipelineStep } from "./steps.js";

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

interface Sourced extends StoredRecord {
  readonly repository: string;
  readonly provider_settings: Readonly<Record<string, boolean | string>>;
}

export const providerOf = <Settings extends object>(
  { id, repository }: Pick<Sourced, "id" | "repository">,
  { base, variations }: model.View,
  settings: Settings,
  isVisible: boolean = variations.webhookUrlVisible,
) => ({
  id: providerIdOf(repository),
  webhook_url: isVisible ? `${base}/webhooks/${id}` : "",
  settings,
});

/** Builds show fewer settings than the pipeline itself. */
function settingsInBuild({ repository, provider_settings: own }: Sourced) {
  const shown = Object.entries(commonSettings).map(([name, usual]) => [name, own[name] ?? usual]);
  return { ...Object.fromEntries(shown), repository: repositoryName(repository) };
}

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
  default_branch: model.keptAs(z.string().nullish(), (kept: string | null) => kept),
  provider: model.derived(provider, (one: Sourced, view) => providerOf(one, view, settingsInBuild(one))),
  skip_queued_branch_builds: z.boolean(),
  skip_queued_branch_builds_filter: z.string().nullable(),
  cancel_running_branch_builds: z.boolean(),
  cancel_running_branch_builds_filter: z.string().nullable(),
  builds_url: model.apiUrl((pipeline: { readonly slug: string }) => `${path(pipeline)}/builds`),
  badge_url: model.addressAt(({ id }: StoredRecord) => `/badges/${id}.svg`),
  created_at: z.union([model.timestamp, z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)]),
};

export const counts = {
  scheduled_builds_count: z.int(),
  running_builds_count: z.int(),
  scheduled_jobs_count: z.int(),
  running_jobs_count: z.int(),
  waiting_jobs_count: z.int(),
};

/** A pipeline, as the API's own section has it and as builds show it. */
export interface PipelineRecord
  extends model.RecordOf<typeof fields>,
    model.RecordOf<typeof shownSettings>,
    Sourced {
  /** The cluster that runs its jobs; null for a pipeline outside of clusters. */
  readonly cluster_id: string | null;
  readonly pipeline_template_id: string | null;
  /** Its YAML. Null with a template, and for a pipeline of visual steps. */
  readonly configuration: string | null;
  readonly visual_steps: readonly unknown[] | null;
  readonly env: Readonly<Record<string, string>> | null;
  readonly has_webhook: boolean;
  /** When and by whom GitHub's events were stopped. Left out, they start builds. */
  readonly github_webhooks_disabled?: { readonly at: string; readonly by: string } | null;
  readonly archived_at: string | null;
  /** Slugs of before renames, the latest at the end. */
  readonly former_slugs: readonly string[];
  readonly last_build_number: number;
  readonly created_by: string;
}

const unset = {
  ...unsetSettings,
  cluster_id: null,
  pipeline_template_id: null,
  configuration: null,
  visual_steps: null,
  env: null,
  has_webhook: false,
  archived_at: null,
  former_slugs: [],
  last_build_number: 0,
} as const;

const pipeline = model.entity<PipelineRecord & model.RecordOf<typeof counts>>("PipelineOfBuild", {
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
  made: { id?: string; created_at: string; created_by: string },
): PipelineRecord {
  if (data.pipelines.find("slug", slug) !== undefined) {
    throw new Error(`There is a pipeline ${slug} already.`);
  }
  const steps = given.steps ?? [{ key: "test", name: "Test", command: "make test" }];
  const record = {
    id: crypto.randomUUID(),
    slug,
    name: given.name ?? slug,
    repository: given.repository ?? `https://git.example/${slug}/${slug}.git`,
    ...made,
  };
  return insertPipeline(data, record, {
    branch_configuration: given.branchConfiguration,
    default_branch: given.defaultBranch,
    pipeline_template_id: given.pipelineTemplateId,
    cluster_id: given.clusterId,
    configuration: given.pipelineTemplateId === undefined ? configurationOf(steps) : null,
  });
}

export function insertPipeline(
  data: OrganizationData,
  made: Pick<PipelineRecord, "id" | "slug" | "name" | "repository" | "created_at" | "created_by">,
  content: FieldChanges<PipelineRecord>,
): PipelineRecord {
  const provider_settings = settingsFor(made.repository, {});
  data.pipelines.insert({ ...unset, ...made, provider_settings });
  return data.pipelines.update(made.id, content);
}

/** Completes the pipelines of a data file that an earlier version wrote. */
export function completePipelines(data: OrganizationData, created_by: string): void {
  for (const record of data.pipelines.list()) {
    // Such a record has the steps themselves in place of its configuration.
    const old: PipelineRecord & { readonly steps?: readonly PipelineStep[] } = record;
    if (old.former_slugs !== undefined) continue;
    const { steps = [], ...kept } = old;
    const provider_settings = settingsFor(old.repository, {});
    const configuration = configurationOf(steps);
    data.pipelines.update(old.id, { ...unset, ...kept, configuration, provider_settings, created_by });
  }
}

/** Returns the YAML that a pipeline's builds have: its template's, or its own. */
export function renderedConfiguration(data: OrganizationData, record: PipelineRecord): string | null {
  const template = data.pipelineTemplates.get(record.pipeline_template_id ?? "");
  return template?.configuration ?? record.configuration;
}

/** Returns the pipeline of a path, if the token's user may see it. @throws {Refusal} 404; 301 from an old slug. */
export function findPipeline(call: Call<"pipeline_slug">): PipelineRecord {
  const { data, params, base, path, variations } = call;
  const { pipeline_slug: slug } = params;
  const current = data.pipelines.find("slug", slug);
  const renamed = data.pipelines.list().findLast(({ former_slugs }) => former_slugs.includes(slug));
  const isOld = current === undefined && variations.oldPipelineSlug !== "missing";
  const pipeline = found(isOld ? renamed : current, "pipeline");
  if (!seesPipeline(call, pipeline)) throw notFound("pipeline");
  if (isOld && variations.oldPipelineSlug === "redirected") {
    const url = `${base}${path.replace(`/pipelines/${slug}`, `/pipelines/${pipeline.slug}`)}`;
    throw new Refusal(301, "Moved Permanently", { url }, { Location: url });
  }
  return pipeline;
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
export function repositoryName(repository: string): string {
  return repository.replace(/^.*[:/]([^/:]+\/[^/]+?)(\.git)?$/, "$1");
}

/** Checks whether a build is scheduled or running: then it can be canceled, and its jobs can run. */
export function isUnderway({
  state,
  blocked,
}: {
  readonly state: string;
  readonly blocked: boolean;
}): boolean {
  return ["scheduled", "running", "failing"].includes(state) && !blocked;
}

export function countsOf({ data }: model.View, pipelineId: string) {
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
