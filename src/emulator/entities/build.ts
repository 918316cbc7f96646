import { z } from "zod";
import type { BuildRecord } from "../store/records.js";
import { jobSchema, showJob } from "./job.js";
import { type PipelineShape, pipelineSchema, showPipeline } from "./pipeline.js";
import { showPerson, showUser, userSchema } from "./user.js";
import { apiUrl, graphqlId, type View, webUrl } from "./view.js";
import { address, opaqueId, timestamp, uuid } from "./wire.js";

/** Section 2.11. */
export const buildSchema = z
  .object({
    id: uuid,
    graphql_id: opaqueId,
    url: address,
    web_url: address,
    number: z.int(),
    state: z.string(),
    cancel_reason: z.string().nullable(),
    blocked: z.boolean(),
    message: z.string().nullable(),
    commit: z.string(),
    branch: z.string(),
    env: z.record(z.string(), z.string()),
    source: z.string(),
    creator: userSchema.nullable(),
    jobs: z.array(jobSchema),
    created_at: timestamp,
    scheduled_at: timestamp,
    started_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
    meta_data: z.record(z.string(), z.string()),
    pull_request: z
      .object({
        id: z.string().optional(),
        base: z.string().nullable().optional(),
        repository: z.string().nullable().optional(),
      })
      .nullable()
      .optional(),
    rebuilt_from: z.object({ id: uuid, number: z.int(), url: address }).nullable(),
    pipeline: pipelineSchema,
  })
  .meta({ id: "Build" });

export function showBuild(
  view: View,
  build: BuildRecord,
  manner: { shape: PipelineShape; retriedJobs: boolean },
): z.infer<typeof buildSchema> {
  const pipeline = view.data.pipelines.get(build.pipeline_id);
  if (pipeline === undefined) throw new Error(`Build ${build.id} belongs to no pipeline.`);
  const url = (number: number) => apiUrl(view, `/pipelines/${pipeline.slug}/builds/${number}`);
  const jobs = manner.retriedJobs ? build.jobs : build.jobs.filter((job) => !job.retried);
  const agentDetail = manner.shape === "full" ? "short" : "full";
  const from = build.rebuilt_from;
  return {
    id: build.id,
    graphql_id: graphqlId("Build", build.id),
    url: url(build.number),
    web_url: webUrl(view, `/pipelines/${pipeline.slug}/builds/${build.number}`),
    number: build.number,
    state: build.state,
    cancel_reason: build.cancel_reason,
    blocked: build.blocked,
    message: build.message,
    commit: build.commit,
    branch: build.branch,
    env: { ...build.env },
    source: build.source,
    creator: build.author === null ? showUser(view, build.creator_id) : showPerson(view, build.author),
    jobs: jobs.map((job) => showJob(view, pipeline, build, job, agentDetail)),
    created_at: build.created_at,
    scheduled_at: build.scheduled_at,
    started_at: build.started_at,
    finished_at: build.finished_at,
    meta_data: { ...build.meta_data },
    ...pullRequest(view, build),
    rebuilt_from: from === null ? null : { id: from.id, number: from.number, url: url(from.number) },
    pipeline: showPipeline(view, pipeline, manner.shape),
  };
}

function pullRequest(view: View, build: BuildRecord): Pick<z.infer<typeof buildSchema>, "pull_request"> {
  if (build.pull_request !== null) return { pull_request: { ...build.pull_request } };
  switch (view.variations.pullRequestUnset) {
    case "absent":
      return {};
    case "empty":
      return { pull_request: {} };
    case null:
      return { pull_request: null };
  }
}
