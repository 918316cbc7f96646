import { randomUUID } from "node:crypto";
import { z } from "zod";
import { cancelBuild, isCancelable, scheduleBuild } from "../control/build-progress.js";
import { buildSchema, showBuild } from "../entities/build.js";
import type { PipelineShape } from "../entities/pipeline.js";
import { buildValidationFailed, notFound, refused } from "../http/errors.js";
import { type Call, type Listing, listing, type Operation, operation } from "../http/operation.js";
import type { OrganizationData } from "../store/organization-data.js";
import type { BuildRecord, PipelineRecord } from "../store/records.js";
import { fieldErrors } from "../validation/check-body.js";
import { clearableText, optionalFlag, optionalVariables, requiredText } from "../validation/fields.js";
import { branchIsBuilt } from "./branch-filter.js";
import { buildFilter, buildFilterParameters } from "./build-filters.js";

const collection = "/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds";
const single = `${collection}/{number}`;
const section = "4.11";

const createBody = z.object({
  commit: requiredText(),
  branch: requiredText(),
  message: clearableText(),
  author: z
    .object({ name: clearableText(), email: clearableText() }, { error: "must be an object" })
    .nullish(),
  clean_checkout: optionalFlag(),
  env: optionalVariables(),
  ignore_pipeline_branch_filters: optionalFlag(),
  meta_data: optionalVariables(),
  pull_request_base_branch: clearableText(),
  pull_request_id: z.int({ error: "must be an integer" }).nullish(),
  pull_request_repository: clearableText(),
});

const list = { section, scope: "read_builds", response: buildSchema, list: "pages" } as const;

/** Section 4.11. */
export const buildOperations: readonly Operation[] = [
  operation({
    id: "builds.listAll",
    method: "GET",
    path: "/v2/builds",
    ...list,
    summary: "List the builds of all organizations and pipelines, newest first",
    query: buildFilterParameters,
    run: (call) => listBuilds(call, call.data.builds.list(), call.variations.broadBuildLists),
  }),
  operation({
    id: "builds.list",
    method: "GET",
    path: "/v2/organizations/{org_slug}/builds",
    ...list,
    summary: "List the builds of an organization, newest first",
    query: buildFilterParameters,
    run: (call) => listBuilds(call, call.data.builds.list(), call.variations.broadBuildLists),
  }),
  operation({
    id: "builds.listForPipeline",
    method: "GET",
    path: collection,
    ...list,
    summary: "List the builds of a pipeline, newest first",
    query: buildFilterParameters,
    run: (call) => {
      const pipeline = findPipeline(call.data, call.params.pipeline_slug);
      return listBuilds(call, call.data.builds.list("pipeline_id", pipeline.id), "full");
    },
  }),
  operation({
    id: "builds.get",
    method: "GET",
    path: single,
    section,
    scope: "read_builds",
    summary: "Get a build",
    query: { include_retried_jobs: buildFilterParameters.include_retried_jobs },
    response: buildSchema,
    run: (call) => showSingle(call, findBuild(call)),
  }),
  operation({
    id: "builds.create",
    method: "POST",
    path: collection,
    section,
    scope: "write_builds",
    summary: "Create a build",
    body: createBody,
    refuseBody: (error) =>
      buildValidationFailed(
        fieldErrors(error).map(({ field, message, missing }) => ({
          field,
          code: missing ? "missing_field" : "invalid",
          message,
        })),
      ),
    status: 201,
    response: buildSchema,
    errors: [{ status: 422, when: "validation fails, or the pipeline does not build the branch" }],
    run: (call) => {
      const { body, data, variations, now } = call;
      const pipeline = findPipeline(data, call.params.pipeline_slug);
      if (!body.ignore_pipeline_branch_filters && !branchIsBuilt(pipeline, body.branch)) {
        throw refused(`Branch ${body.branch} is excluded by the pipeline's branch configuration`);
      }
      const content = {
        message: body.message ?? null,
        commit: body.commit,
        branch: body.branch,
        env: body.env ?? {},
        source: variations.buildSource,
        ...creatorOf(call),
        clean_checkout: body.clean_checkout ?? false,
        meta_data: body.meta_data ?? {},
        pull_request:
          body.pull_request_id == null
            ? null
            : {
                id: String(body.pull_request_id),
                base: body.pull_request_base_branch ?? null,
                repository: body.pull_request_repository ?? null,
              },
        rebuilt_from: null,
      };
      const settings = { now, numberGap: variations.buildNumberGap };
      return showSingle(call, scheduleBuild(data, pipeline.id, content, settings));
    },
  }),
  operation({
    id: "builds.cancel",
    method: "PUT",
    path: `${single}/cancel`,
    section,
    scope: "write_builds",
    summary: "Cancel a build that is scheduled, running or failing",
    response: buildSchema,
    errors: [{ status: 422, when: "the build is in another state" }],
    run: (call) => {
      const build = findBuild(call);
      if (!isCancelable(build)) {
        throw refused(`Build can't be canceled because it is ${build.blocked ? "blocked" : build.state}`);
      }
      const canceled = cancelBuild(call.data, build, "Canceled through the API", call.now);
      return showSingle(call, { ...canceled, state: call.variations.cancelState });
    },
  }),
  operation({
    id: "builds.rebuild",
    method: "PUT",
    path: `${single}/rebuild`,
    section,
    scope: "write_builds",
    summary: "Make a new build from a build",
    response: buildSchema,
    run: (call) => {
      const { data, token, variations, now } = call;
      const source = findBuild(call);
      const content = {
        message: source.message,
        commit: source.commit,
        branch: source.branch,
        env: source.env,
        source: variations.buildSource,
        creator_id: token.user_id,
        author: null,
        clean_checkout: source.clean_checkout,
        meta_data: source.meta_data,
        pull_request: source.pull_request,
        rebuilt_from: { id: source.id, number: source.number },
      };
      const settings = { now, numberGap: variations.buildNumberGap };
      return showSingle(call, scheduleBuild(data, source.pipeline_id, content, settings));
    },
  }),
];

function listBuilds(
  call: Call<string, unknown>,
  builds: readonly BuildRecord[],
  shape: PipelineShape,
): Listing<unknown> {
  const { view, query } = call;
  const matching = builds.filter(buildFilter(view, query)).reverse();
  const retriedJobs = query.flag("include_retried_jobs");
  return listing(matching, (build) => showBuild(view, build, { shape, retriedJobs }));
}

function showSingle(call: Call<string, unknown>, build: BuildRecord): unknown {
  const retriedJobs = call.query.flag("include_retried_jobs");
  return showBuild(call.view, build, { shape: "reduced", retriedJobs });
}

function findPipeline(data: OrganizationData, slug: string): PipelineRecord {
  const pipeline = data.pipelines.find("slug", slug);
  if (pipeline === undefined) throw notFound("pipeline");
  return pipeline;
}

function findBuild({ data, params }: Call<"pipeline_slug" | "number", unknown>): BuildRecord {
  const pipeline = findPipeline(data, params.pipeline_slug);
  const build = data.builds
    .list("pipeline_id", pipeline.id)
    .find((candidate) => String(candidate.number) === params.number);
  if (build === undefined) throw notFound("build");
  return build;
}

/** The author given with the request, when it says something; else the requesting user. */
function creatorOf({ body, data, token, now }: Call<string, z.output<typeof createBody>>) {
  const name = body.author?.name ?? null;
  const email = body.author?.email ?? null;
  if (name === null && email === null) return { creator_id: token.user_id, author: null };
  const known = email === null ? undefined : data.users.find("email", email);
  if (known !== undefined) return { creator_id: known.id, author: null };
  const author = { id: randomUUID(), name: name ?? email ?? "", email: email ?? "", created_at: now };
  return { creator_id: token.user_id, author };
}
