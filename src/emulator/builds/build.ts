import { z } from "zod";
import type { Call } from "../http/operation.js";
import { type Entity, entity, type RecordOf } from "../model/entity.js";
import * as field from "../model/fields.js";
import { type Person, person, user } from "../model/users.js";
import { type JobRecord, type JobView, job } from "./jobs.js";
import { type PipelineView, pipelineSchema, showPipeline } from "./pipelines.js";

type BuildView = JobView & Pick<Call, "query">;

type Numbered = { readonly number: number };

const path = ({ number }: Numbered, { pipeline }: BuildView) =>
  `/pipelines/${pipeline.slug}/builds/${number}`;

const pullRequest = z.object({
  id: z.string().optional(),
  base: z.string().nullable().optional(),
  repository: z.string().nullable().optional(),
});

interface PullRequest {
  readonly id: string;
  readonly base: string | null;
  readonly repository: string | null;
}

const rebuiltFrom = z.object({ id: field.uuid, number: z.int(), url: field.address });

export interface Made {
  readonly creator_id: string;
  readonly author: Person | null;
}

const fields = {
  id: field.uuid,
  graphql_id: field.graphqlId("Build"),
  url: field.apiUrl(path),
  web_url: field.webUrl(path),
  number: z.int(),
  state: z.string(),
  cancel_reason: z.string().nullable(),
  blocked: z.boolean(),
  message: z.string().nullable(),
  commit: z.string(),
  branch: z.string(),
  env: z.record(z.string(), z.string()),
  source: z.string(),
  creator: field.derived(user.schema, ({ author, creator_id }: Made, view) =>
    author === null ? user.show(creator_id, view) : person.show(view, author),
  ),
  jobs: field.keptAs(z.array(job.schema), (kept: readonly JobRecord[], view: BuildView) => {
    const shown = view.query.flag("include_retried_jobs") ? kept : kept.filter(({ retried }) => !retried);
    return shown.map((record) => job.show(view, record));
  }),
  created_at: field.timestamp,
  scheduled_at: field.timestamp,
  started_at: field.timestamp.nullable(),
  finished_at: field.timestamp.nullable(),
  meta_data: z.record(z.string(), z.string()),
  pull_request: field.keptAs(
    pullRequest.nullish(),
    (kept: PullRequest | null, { variations: { pullRequestUnset } }) => {
      if (kept !== null || pullRequestUnset === null) return kept;
      return pullRequestUnset === "empty" ? {} : undefined;
    },
  ),
  rebuilt_from: field.keptAs(
    rebuiltFrom.nullable(),
    (kept: { readonly id: string; readonly number: number } | null, view: BuildView) =>
      kept && { ...kept, url: field.apiUrl(path).derive(kept, view) },
  ),
  pipeline: field.derived(pipelineSchema, (_: Numbered, view: BuildView) =>
    showPipeline(view, view.pipeline),
  ),
};

export interface BuildRecord extends RecordOf<typeof fields> {
  readonly pipeline_id: string;
  /** The user who made it; an author given with the request, who need not be a user, is shown instead. */
  readonly creator_id: string;
  readonly author: Person | null;
  readonly clean_checkout: boolean;
}

const build = entity<BuildRecord, BuildView>("Build", fields);

/** Describes the responses that show builds with this much of their pipeline. */
function shownBuild(shapeIn: (call: Call) => PipelineView["pipelineShape"]): Entity<BuildRecord, Call> {
  return {
    schema: build.schema,
    show: (call, record) => {
      const pipeline = call.data.pipelines.get(record.pipeline_id);
      if (pipeline === undefined) throw new Error(`Build ${record.id} belongs to no pipeline.`);
      return build.show({ ...call, pipeline, build: record, pipelineShape: shapeIn(call) }, record);
    },
  };
}

export const singleBuild = shownBuild(() => "reduced");
export const buildInList = shownBuild(() => "full");
export const buildInWideList = shownBuild(({ variations }) => variations.broadBuildLists);
