import type { Call } from "../http/operation.js";
import { slugOf, yamlProblem } from "../model/normalize.js";
import { forbidden } from "../model/refusals.js";
import { type Body, longestSlug, refusal } from "./body.js";
import { mayUseCluster, type pipelineLevels } from "./permissions.js";
import { type PipelineRecord, renderedConfiguration } from "./record.js";

export const missingSteps = 'Step configuration is missing, expected `steps: { yaml: "..." }`';

type Shares = Readonly<Record<string, (typeof pipelineLevels)[number]>>;

/** Returns the teams of a new pipeline: those given; of a user who is no administrator, the only team by default. */
export function sharesOfNew(call: Call<string, Body>): Shares {
  const { body, data, token } = call;
  const given = body.teams ?? {};
  if (token.admin || data.teams.size === 0) return given;
  const own = data.teams.list().filter(({ member_ids }) => member_ids.includes(token.user_id));
  if (!own.some((team) => team.members_can_create_pipelines)) throw forbidden();
  if (Object.keys(given).length > 0) return given;
  const [only, ...others] = own;
  if (only === undefined || others.length > 0) {
    throw refusal("teams", "Please ensure at least one team is added to this pipeline", []);
  }
  return { [only.id]: "manage_build_and_read" };
}

export function share({ data, now }: Call, { id: pipeline_id }: PipelineRecord, shares: Shares): void {
  for (const [given, access_level] of Object.entries(shares)) {
    const team_id = given.toLowerCase();
    if (data.teams.get(team_id) === undefined) throw refusal("teams", "must be teams", given);
    const old = data.teamPipelines.list("pipeline_id", pipeline_id).find((one) => one.team_id === team_id);
    if (old !== undefined) data.teamPipelines.update(old.id, { access_level });
    else {
      const made = { id: crypto.randomUUID(), created_at: now };
      data.teamPipelines.insert({ ...made, team_id, pipeline_id, access_level });
    }
  }
}

export function clusterOfNew(call: Call<string, Body>): string | null {
  const { body, data, variations } = call;
  if (body.cluster_id) return checkCluster(call, body.cluster_id);
  const { default_cluster_id: usual } = data.organizations.list()[0]?.pipeline_settings ?? {};
  if (body.cluster_id === undefined && usual) return usual;
  const [first] = data.clusters.list();
  if (body.cluster_id === null || variations.clusterOfNewPipeline === null) return null;
  if (variations.clusterOfNewPipeline === "default") return first?.id ?? null;
  throw refusal("cluster_id", "can't be blank");
}

export function checkCluster(call: Call, id: string): string {
  const { data } = call;
  if (data.clusters.size === 0) {
    throw refusal("cluster_id", "Clusters has not been activated for your organization", id);
  }
  const cluster = data.clusters.get(id);
  if (cluster === undefined) throw refusal("cluster_id", "must be a cluster of this organization", id);
  if (!mayUseCluster(call, cluster)) throw refusal("cluster_id", "can't be used by you", id);
  return id;
}

export function checkTemplate({ body, data, token }: Call<string, Body>): string | null {
  const id = body.pipeline_template_uuid ?? null;
  if (id === null) return null;
  const template = data.pipelineTemplates.get(id);
  if (template === undefined || !(token.admin || template.available)) {
    throw refusal("pipeline_template_uuid", "must be a template of this organization", id);
  }
  return id;
}

/** Returns the YAML as the service keeps it, or null if none is given. */
export function checkConfiguration({ configuration }: Body): string | null {
  if (configuration === undefined) return null;
  if (configuration.trim() === "") throw refusal("configuration", missingSteps, configuration);
  const problem = yamlProblem(configuration);
  if (problem !== undefined) throw refusal("configuration", `is not valid YAML: ${problem}`, configuration);
  return configuration.replaceAll("\r\n", "\n");
}

/** What an update makes of the template, the YAML or the visual steps. */
export function contentAfter(call: Call<string, Body>, old: PipelineRecord) {
  const { body, data } = call;
  const configuration = checkConfiguration(body);
  const isVisual = old.visual_steps !== null && configuration === null && !body.pipeline_template_uuid;
  if (isVisual) {
    return { configuration, visual_steps: body.steps ?? old.visual_steps, env: body.env ?? old.env };
  }
  if (body.steps !== undefined && configuration === null) {
    throw refusal("steps", "can't be set for a pipeline with a YAML configuration");
  }
  const pipeline_template_id =
    body.pipeline_template_uuid === undefined ? old.pipeline_template_id : checkTemplate(call);
  // A template that goes leaves its YAML behind.
  const kept = renderedConfiguration(data, old);
  return { pipeline_template_id, visual_steps: null, env: null, configuration: configuration ?? kept };
}

/** A new name without a slug derives the slug anew: one of its own is lost. */
export function slugAfter(call: Call<string, Body>, old: PipelineRecord) {
  const { name, slug } = call.body;
  if (slug === undefined && name === undefined) return {};
  const wanted = slug ?? derivedSlug(name ?? old.name);
  if (wanted === old.slug) return {};
  const former = old.former_slugs.filter((one) => one !== wanted);
  return {
    slug: checkSlug(call, wanted, slug ? "slug" : "name", old.id),
    former_slugs: [...former, old.slug],
  };
}

export function derivedSlug(name: string): string {
  return slugOf(name).slice(0, longestSlug).replace(/-$/, "");
}

export function checkSlug({ data }: Call, slug: string, field: "slug" | "name", ownId?: string): string {
  const taken = data.pipelines.find("slug", slug);
  if (taken !== undefined && taken.id !== ownId) throw refusal(field, "has already been taken", slug);
  return slug;
}
