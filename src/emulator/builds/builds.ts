import { z } from "zod";
import { type Call, listing, operation, reading, section } from "../http/operation.js";
import { clearableText, fieldErrors, optionalFlag, optionalVariables, text } from "../model/body.js";
import { found, Refusal } from "../model/refusals.js";
import { seesPipeline } from "../pipelines/permissions.js";
import { branchIsBuilt, findPipeline, isUnderway } from "../pipelines/record.js";
import { type BuildRecord, buildInList, buildInWideList, type Made, singleBuild } from "./build.js";
import { buildFilter, buildFilterParameters } from "./filters.js";
import { cancelBuild, scheduleBuild } from "./progress.js";

const createBody = z.object({
  commit: text,
  branch: text,
  message: clearableText.optional(),
  author: z
    .object({ name: clearableText, email: clearableText }, { error: "must be an object" })
    .partial()
    .nullish(),
  clean_checkout: optionalFlag(false),
  env: optionalVariables,
  ignore_pipeline_branch_filters: optionalFlag(false),
  meta_data: optionalVariables,
  pull_request_base_branch: clearableText.optional(),
  pull_request_id: z.int({ error: "must be an integer" }).nullish(),
  pull_request_repository: clearableText.optional(),
});

const collection = "/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds";
const single = `${collection}/{number}`;

export const builds = section("builds", "builds", {
  listAll: listing(
    "/v2/builds",
    "List the builds of all organizations and pipelines, newest first",
    buildInWideList,
    (call) => visibleBuilds(call, call.data.builds.list()),
    { query: buildFilterParameters },
  ),
  list: listing(
    "/v2/organizations/{org_slug}/builds",
    "List the builds of an organization, newest first",
    buildInWideList,
    (call) => visibleBuilds(call, call.data.builds.list()),
    { query: buildFilterParameters },
  ),
  listForPipeline: listing(
    collection,
    "List the builds of a pipeline, newest first",
    buildInList,
    (call) => visibleBuilds(call, call.data.builds.list("pipeline_id", findPipeline(call).id)),
    { query: buildFilterParameters },
  ),
  get: reading(single, "Get a build", singleBuild, findBuild, {
    query: { include_retried_jobs: buildFilterParameters.include_retried_jobs },
  }),
  create: operation("POST", collection, "Create a build", {
    body: createBody,
    // Buildkite's documentation leaves the form of the errors open.
    refuseBody: (error) => {
      const errors = fieldErrors(error).map(({ field, message, missing }) => {
        return { field, code: missing ? "missing_field" : "invalid", message };
      });
      return new Refusal(422, "Validation Failed", { errors });
    },
    response: singleBuild,
    errors: { 422: "validation fails, or the pipeline does not build the branch" },
    run: (call) => {
      const { body, data, now } = call;
      const pipeline = findPipeline(call);
      if (pipeline.archived_at !== null)
        throw new Refusal(422, "Cannot create a build of an archived pipeline");
      if (!body.ignore_pipeline_branch_filters && pipeline.provider_settings.trigger_mode === "none") {
        throw new Refusal(422, "Branches have been disabled for this pipeline");
      }
      if (!body.ignore_pipeline_branch_filters && !branchIsBuilt(pipeline, body.branch)) {
        throw new Refusal(422, `Branch ${body.branch} is excluded by the pipeline's branch configuration`);
      }
      const { commit, branch, message = null, env, clean_checkout, meta_data, pull_request_id: id } = body;
      const { pull_request_base_branch: base = null, pull_request_repository: repository = null } = body;
      const pull_request = id == null ? null : { id: String(id), base, repository };
      const given = { commit, branch, message, env, clean_checkout, meta_data, pull_request };
      const content = { ...given, ...creatorOf(call), source: "api", rebuilt_from: null };
      return scheduleBuild(data, pipeline.id, content, now);
    },
  }),
  cancel: operation("PUT", `${single}/cancel`, "Cancel a build that is scheduled, running or failing", {
    response: singleBuild,
    errors: { 422: "the build is in another state" },
    run: (call) => {
      const record = findBuild(call);
      const state = record.blocked ? "blocked" : record.state;
      if (!isUnderway(record)) throw new Refusal(422, `Build can't be canceled because it is ${state}`);
      const canceled = cancelBuild(call.data, record, "Canceled through the API", call.now);
      return { ...canceled, state: call.variations.cancelState };
    },
  }),
  rebuild: operation("PUT", `${single}/rebuild`, "Make a new build from a build", {
    response: singleBuild,
    run: (call) => {
      const { data, token, now } = call;
      const { id, number, ...source } = findBuild(call);
      const made = { source: "api", creator_id: token.user_id, author: null, rebuilt_from: { id, number } };
      return scheduleBuild(data, source.pipeline_id, { ...source, ...made }, now);
    },
  }),
});

function visibleBuilds(call: Call, records: readonly BuildRecord[]): readonly BuildRecord[] {
  const isVisible = ({ pipeline_id }: BuildRecord) => {
    const pipeline = call.data.pipelines.get(pipeline_id);
    return pipeline !== undefined && seesPipeline(call, pipeline);
  };
  return records.filter(isVisible).filter(buildFilter(call, call.query)).reverse();
}

function findBuild(call: Call<"pipeline_slug" | "number">): BuildRecord {
  const builds = call.data.builds.list("pipeline_id", findPipeline(call).id);
  return found(
    builds.find(({ number }) => String(number) === call.params.number),
    "build",
  );
}

/** Returns the author given with the request, when it says something; else the requesting user. */
function creatorOf({ body, data, token, now }: Call<string, z.output<typeof createBody>>): Made {
  const name = body.author?.name ?? null;
  const email = body.author?.email ?? null;
  if (name === null && email === null) return { creator_id: token.user_id, author: null };
  const known = email === null ? undefined : data.users.find("email", email);
  if (known !== undefined) return { creator_id: known.id, author: null };
  const author = { id: crypto.randomUUID(), name: name ?? email ?? "", email: email ?? "", created_at: now };
  return { creator_id: token.user_id, author };
}
