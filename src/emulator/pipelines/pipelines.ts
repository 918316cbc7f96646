import { z } from "zod";
import {
  type Call,
  deletion,
  listing,
  newerSection,
  operation,
  type Response,
  reading,
} from "../http/operation.js";
import * as model from "../model/entity.js";
import { normalized } from "../model/normalize.js";
import { found, Refusal } from "../model/refusals.js";
import { optional, refusal, refuseBody, required } from "./body.js";
import { managesPipeline, requirePipelineManager, seesPipeline } from "./permissions.js";
import { providerIdOf, settingsFor } from "./provider.js";
import {
  counts,
  countsOf,
  findPipeline,
  insertPipeline,
  isUnderway,
  type PipelineRecord,
  providerOf,
  renderedConfiguration,
  repositoryName,
} from "./record.js";
import {
  checkCluster,
  checkConfiguration,
  checkSlug,
  checkTemplate,
  clusterOfNew,
  contentAfter,
  derivedSlug,
  missingSteps,
  share,
  sharesOfNew,
  slugAfter,
} from "./rules.js";
import { shownSettings } from "./settings.js";
import { shownSteps } from "./steps.js";

const path = ({ slug }: { readonly slug: string }) => `/pipelines/${slug}`;

const provider = z.object({
  id: z.string(),
  webhook_url: z.string(),
  settings: z.record(z.string(), z.union([z.boolean(), z.string()])),
});

const fields = {
  id: model.uuid,
  graphql_id: model.graphqlId("Pipeline"),
  url: model.apiUrl(path),
  web_url: model.webUrl(path),
  name: z.string(),
  ...shownSettings,
  slug: z.string(),
  repository: z.string(),
  cluster_id: model.uuid.nullable(),
  pipeline_template_uuid: model.derived(model.uuid.nullable(), (one: PipelineRecord) => {
    return one.pipeline_template_id;
  }),
  provider,
  builds_url: model.apiUrl((one: { readonly slug: string }) => `${path(one)}/builds`),
  badge_url: model.addressAt(({ id }: PipelineRecord) => `/badges/${id}.svg`),
  created_by: model.user,
  created_at: model.timestamp,
  archived_at: model.timestamp.nullable(),
  env: z.record(z.string(), z.string()).nullable(),
  ...counts,
  configuration: model.derived(z.string().optional(), (one: PipelineRecord, { data }) => {
    return renderedConfiguration(data, one) ?? undefined;
  }),
  steps: model.derived(z.array(z.unknown()), (one: PipelineRecord, { data }) => {
    const configuration = renderedConfiguration(data, one);
    return [...(configuration === null ? (one.visual_steps ?? []) : shownSteps(configuration))];
  }),
};

type Shown = PipelineRecord &
  model.RecordOf<typeof counts> & { readonly provider: z.output<typeof provider> };

const entity = model.entity<Shown>("Pipeline", fields);

/** Only who may edit a pipeline sees the address at which anybody can start builds. */
const pipeline: Response<PipelineRecord> = {
  schema: entity.schema,
  show: (call, record) => {
    const { token, variations } = call;
    const mayEdit = token.scopes.includes("write_pipelines") && managesPipeline(call, record);
    const settings = { ...record.provider_settings, repository: repositoryName(record.repository) };
    const provider = providerOf(record, call, settings, variations.webhookUrlVisible && mayEdit);
    return entity.show(call, { ...record, ...countsOf(call, record.id), provider });
  },
};

const githubWebhooks = model.entity<PipelineRecord>("PipelineGithubWebhooks", {
  url: model.apiUrl((one: PipelineRecord) => `${path(one)}/github-webhooks`),
  enabled: model.derived(z.boolean(), (one: PipelineRecord) => one.github_webhooks_disabled == null),
  disabled_at: model.derived(model.timestamp.nullable(), (one: PipelineRecord) => {
    return one.github_webhooks_disabled?.at ?? null;
  }),
  disabled_by: model.derived(z.string().nullable(), (one: PipelineRecord, { data }) => {
    return data.users.get(one.github_webhooks_disabled?.by ?? "")?.name ?? null;
  }),
});

const collection = "/v2/organizations/{org_slug}/pipelines";
const single = `${collection}/{pipeline_slug}`;
const filters = { name: "A part of the name.", repository: "A part of the repository's address." };

export const pipelines = newerSection("pipelines", "pipelines", {
  list: listing(
    collection,
    "List pipelines",
    pipeline,
    (call) => {
      const { data, query, variations } = call;
      const fits = (record: PipelineRecord, name: keyof typeof filters) =>
        record[name].toLowerCase().includes((query.one(name) ?? "").toLowerCase());
      const isListed = (record: PipelineRecord) =>
        seesPipeline(call, record) && (variations.archivedPipelinesInList || record.archived_at === null);
      const visible = data.pipelines.list().filter(isListed);
      return visible.filter((record) => fits(record, "name") && fits(record, "repository"));
    },
    { query: filters },
  ),
  get: reading(single, "Get a pipeline", pipeline, findPipeline),
  create: operation("POST", collection, "Create a pipeline", {
    body: optional.extend(required),
    refuseBody,
    response: pipeline,
    run: (call) => {
      const { body, data, made, variations } = call;
      const shares = sharesOfNew(call);
      const { name, repository, teams, pipeline_template_uuid, ...given } = body;
      const { provider_settings, steps, env, ...settings } = given;
      const pipeline_template_id = checkTemplate(call);
      const configuration = pipeline_template_id === null ? checkConfiguration(body) : null;
      const isVisual = pipeline_template_id === null && configuration === null;
      if (isVisual && !steps) throw refusal("configuration", missingSteps, body.configuration);
      const slug = checkSlug(call, given.slug ?? derivedSlug(name), given.slug ? "slug" : "name");
      const created = insertPipeline(
        data,
        { ...made, name, repository, slug },
        {
          ...normalized(settings, variations),
          slug,
          cluster_id: clusterOfNew(call),
          pipeline_template_id,
          configuration,
          ...(isVisual && { visual_steps: steps, env }),
          provider_settings: settingsFor(repository, {}, provider_settings),
        },
      );
      share(call, created, shares);
      return created;
    },
  }),
  update: operation("PATCH", single, "Update a pipeline", {
    body: optional.extend(required).partial(),
    alsoBy: "PUT",
    refuseBody,
    response: pipeline,
    run: (call) => {
      const { body, data, token, variations } = call;
      const old = findPipeline(call);
      requirePipelineManager(call, old);
      if (old.archived_at !== null) throw new Refusal(422, "Cannot update an archived pipeline");
      if (body.visibility !== undefined && !token.admin) {
        throw refusal("visibility", "can only be changed by admins", body.visibility);
      }
      const { teams, provider_settings, pipeline_template_uuid, slug: _, steps, env, ...given } = body;
      const repository = body.repository ?? old.repository;
      if (variations.pipelineTeamsOnUpdate === "applied" && teams) share(call, old, teams);
      return data.pipelines.update(old.id, {
        ...normalized(given, variations),
        ...contentAfter(call, old),
        ...slugAfter(call, old),
        cluster_id: body.cluster_id && checkCluster(call, body.cluster_id),
        ...(body.cluster_id === null && { cluster_id: null }),
        ...(repository !== old.repository && { has_webhook: false }),
        provider_settings: settingsFor(repository, old.provider_settings, provider_settings),
      });
    },
  }),
  delete: deletion(single, "Delete a pipeline, its builds and schedules", "it has running builds", (call) => {
    const { data, variations } = call;
    const record = findPipeline(call);
    requirePipelineManager(call, record);
    const isBusy = data.builds.list("pipeline_id", record.id).some(isUnderway);
    if (isBusy && variations.deletePipelineWithBuilds === "refused") {
      throw new Refusal(422, "Pipeline can't be deleted while it has running builds");
    }
    return data.pipelines.delete(record.id);
  }),
  archive: operation("POST", `${single}/archive`, "Archive a pipeline: it makes no more builds", {
    response: pipeline,
    errors: { 422: "the pipeline is archived already" },
    run: (call) => {
      const { id, archived_at } = managed(call);
      if (archived_at !== null) throw new Refusal(422, "Pipeline could not be archived.");
      return call.data.pipelines.update(id, { archived_at: call.now });
    },
  }),
  unarchive: operation("POST", `${single}/unarchive`, "Bring an archived pipeline back", {
    response: pipeline,
    errors: { 422: "the pipeline is not archived" },
    run: (call) => {
      const { id, archived_at } = managed(call);
      if (archived_at === null) throw new Refusal(422, "Pipeline could not be unarchived.");
      return call.data.pipelines.update(id, { archived_at: null });
    },
  }),
  createWebhook: operation("POST", `${single}/webhook`, "Create the repository's webhook", {
    status: 201,
    errors: { 422: "the repository's host has no webhooks, or one exists" },
    run: (call) => {
      const { id, repository, has_webhook } = managed(call);
      if (!/^github/.test(providerIdOf(repository))) {
        throw new Refusal(422, "Auto-creating webhooks is not supported for your repository.");
      }
      if (has_webhook) throw new Refusal(422, "Webhooks could not be created for your repository.");
      return call.data.pipelines.update(id, { has_webhook: true });
    },
  }),
  "githubWebhooks.get": operation(
    "GET",
    `${single}/github-webhooks`,
    "Whether GitHub's events start builds",
    {
      response: githubWebhooks,
      run: onGithub,
    },
  ),
  "githubWebhooks.enable": operation("PUT", `${single}/github-webhooks`, "Let GitHub's events start builds", {
    response: githubWebhooks,
    run: (call) => call.data.pipelines.update(onGithub(call).id, { github_webhooks_disabled: null }),
  }),
  "githubWebhooks.disable": operation(
    "DELETE",
    `${single}/github-webhooks`,
    "Stop builds by GitHub's events",
    {
      response: githubWebhooks,
      run: (call) => {
        const { id, github_webhooks_disabled } = onGithub(call);
        const disabled = github_webhooks_disabled ?? { at: call.now, by: call.token.user_id };
        return call.data.pipelines.update(id, { github_webhooks_disabled: disabled });
      },
    },
  ),
});

/** Returns a pipeline with this setting: one that isn't on GitHub is as good as none, as in organizations without it. */
function onGithub(call: Call<"pipeline_slug">): PipelineRecord {
  const record = managed(call);
  const isThere = call.variations.githubWebhooksAvailable && /^github/.test(providerIdOf(record.repository));
  return found(isThere ? record : undefined, "pipeline");
}

function managed(call: Call<"pipeline_slug">): PipelineRecord {
  const record = findPipeline(call);
  requirePipelineManager(call, record);
  return record;
}
