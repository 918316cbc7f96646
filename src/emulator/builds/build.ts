import { z } from "zod";
import type { Call, Response } from "../http/operation.js";
import * as model from "../model/entity.js";
import { pipelineSchema, showPipeline } from "../pipelines/record.js";
import { buildPath, type JobRecord, job } from "./jobs.js";

const path = ({ build_path }: { readonly build_path: string }) => build_path;

interface PullRequest {
  readonly id: string;
  readonly base: string | null;
  readonly repository: string | null;
}

const pullRequest = z.object({
  id: z.string().optional(),
  base: z.string().nullable().optional(),
  repository: z.string().nullable().optional(),
});

const authorSchema = z.object({ username: z.string().nullable(), name: z.string(), email: z.string() });

export interface Made {
  readonly creator_id: string;
  readonly author: model.Person | null;
}

const fields = {
  id: model.uuid,
  graphql_id: model.graphqlId("Build"),
  url: model.apiUrl(path),
  web_url: model.webUrl(path),
  number: z.int(),
  state: z.string(),
  cancel_reason: z.string().nullable(),
  blocked: z.boolean(),
  blocked_state: model.derived(z.string(), ({ blocked, state }: { blocked: boolean; state: string }) =>
    blocked ? state : "",
  ),
  message: z.string().nullable(),
  commit: z.string(),
  branch: z.string(),
  tag: model.derived(z.string().nullable(), () => null),
  env: z.record(z.string(), z.string()),
  source: z.string(),
  creator: model.derived(model.user.schema, ({ author, creator_id }: Made, view) =>
    author === null ? model.user.show(creator_id, view) : model.person.show(view, author),
  ),
  author: model.derived(
    authorSchema.nullable(),
    ({ author }: Made) => author && { username: null, name: author.name, email: author.email },
  ),
  jobs: z.array(job.schema),
  created_at: model.timestamp,
  scheduled_at: model.timestamp,
  started_at: model.timestamp.nullable(),
  finished_at: model.timestamp.nullable(),
  meta_data: z.record(z.string(), z.string()),
  pull_request: model.keptAs(
    pullRequest.nullish(),
    (kept: PullRequest | null, { variations: { pullRequestUnset } }) => {
      if (kept !== null || pullRequestUnset === null) return kept;
      return pullRequestUnset === "empty" ? {} : undefined;
    },
  ),
  rebuilt_from: z.object({ id: model.uuid, number: z.int(), url: model.address }).nullable(),
  pipeline: pipelineSchema,
};

type Shown = model.RecordOf<typeof fields>;

export interface BuildRecord extends Omit<Shown, "jobs" | "rebuilt_from" | "pipeline"> {
  readonly jobs: readonly JobRecord[];
  readonly rebuilt_from: { readonly id: string; readonly number: number } | null;
  readonly pipeline_id: string;
  /** The user who made it; an author given with the request, who need not be a user, is shown instead. */
  readonly creator_id: string;
  readonly author: model.Person | null;
  readonly clean_checkout: boolean;
}

const build = model.entity<Shown & Made & { readonly build_path: string }>("Build", fields);

function shownBuild(isListedIn: (call: Call) => boolean): Response<BuildRecord> {
  return {
    schema: build.schema,
    show: (call, record) => {
      const pipeline = call.data.pipelines.get(record.pipeline_id);
      if (pipeline === undefined) throw new Error(`Build ${record.id} belongs to no pipeline.`);
      const build_path = buildPath(pipeline, record);
      const is_listed = isListedIn(call);
      const showsRetried = call.query.flag("include_retried_jobs");
      const jobs = record.jobs.filter(({ retried }) => showsRetried || !retried);
      const { rebuilt_from: source } = record;
      return build.show(call, {
        ...record,
        build_path,
        jobs: jobs.map((one) => job.show(call, { ...one, build_path, is_listed })),
        rebuilt_from: source && {
          ...source,
          url: model.apiUrl(path).derive({ build_path: buildPath(pipeline, source) }, call),
        },
        pipeline: showPipeline(call, pipeline, is_listed),
      });
    },
  };
}

export const singleBuild = shownBuild(() => false);
export const buildInList = shownBuild(() => true);
export const buildInWideList = shownBuild(({ variations }) => variations.broadBuildLists === "full");
