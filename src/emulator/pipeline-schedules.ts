import { z } from "zod";
import { type Call, deletion, listing, newerSection, operation, reading } from "./http/operation.js";
import { clearableText, flag, text, variables } from "./model/body.js";
import * as model from "./model/entity.js";
import { found } from "./model/refusals.js";
import { requirePipelineManager } from "./pipelines/permissions.js";
import { findPipeline } from "./pipelines/record.js";
import type { StoredRecord } from "./store/collection.js";

const HOUR = 3_600_000;

interface OfPipeline extends StoredRecord {
  readonly pipeline_id: string;
}

const pipelinePath = ({ pipeline_id }: OfPipeline, { data }: model.View) =>
  `/pipelines/${data.pipelines.get(pipeline_id)?.slug}`;

const pipeline = z.object({ id: model.uuid, slug: z.string(), url: model.address });

const fields = {
  id: model.uuid,
  graphql_id: model.graphqlId("PipelineSchedule"),
  url: model.apiUrl((one: OfPipeline, view) => `${pipelinePath(one, view)}/schedules/${one.id}`),
  label: z.string().nullable(),
  cronline: z.string(),
  message: z.string().nullable(),
  commit: z.string(),
  branch: z.string(),
  env: model.keptAs(
    z.record(z.string(), z.string()).nullable(),
    (kept: Readonly<Record<string, string>>, { variations }) =>
      Object.keys(kept).length > 0 || variations.scheduleEnvUnset === "empty" ? kept : null,
  ),
  enabled: z.boolean(),
  next_build_at: model.timestamp.nullable(),
  failed_message: z.string().nullable(),
  failed_at: model.timestamp.nullable(),
  created_at: model.timestamp,
  created_by: model.user,
  pipeline: model.derived(pipeline, (one: OfPipeline, view) => {
    const slug = view.data.pipelines.get(one.pipeline_id)?.slug ?? "";
    return { id: one.pipeline_id, slug, url: model.apiUrl(pipelinePath).derive(one, view) };
  }),
};

/** A schedule. It starts no builds: a test that needs one makes it, and notes a failure in `failed_message`. */
export interface PipelineScheduleRecord extends model.RecordOf<typeof fields> {
  readonly pipeline_id: string;
}

const schedule = model.entity<PipelineScheduleRecord>("PipelineSchedule", fields);

const intervals = /^@(hourly|daily|midnight|weekly|monthly|yearly)$/;

const cronline = text.refine(
  (line) => intervals.test(line.trim()) || /^[^@~\s]+(\s+[^~\s]+){4,5}$/.test(line.trim()),
  { error: "is not a valid cron expression" },
);

const settable = {
  label: text,
  message: clearableText,
  commit: text,
  branch: text,
  env: variables.nullable(),
  enabled: flag,
};

const collection = "/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/schedules";
const single = `${collection}/{id}`;

export const pipelineSchedules = newerSection("pipelineSchedules", "pipelines", {
  list: listing(collection, "List the schedules of a pipeline, newest first", schedule, (call) =>
    call.data.pipelineSchedules.list("pipeline_id", findPipeline(call).id).reverse(),
  ),
  get: reading(single, "Get a schedule", schedule, findSchedule),
  create: operation("POST", collection, "Create a schedule of a pipeline", {
    body: z
      .object({ ...settable })
      .partial()
      .extend({ cronline }),
    response: schedule,
    run: (call) => {
      const { body, data, made, now } = call;
      const pipeline = findPipeline(call);
      requirePipelineManager(call, pipeline);
      const { enabled = true, label = null, message = null, commit = "HEAD" } = body;
      return data.pipelineSchedules.insert({
        ...made,
        pipeline_id: pipeline.id,
        cronline: body.cronline,
        label,
        message,
        commit,
        branch: body.branch ?? pipeline.default_branch ?? "main",
        env: body.env ?? {},
        enabled,
        next_build_at: nextBuild(enabled, now),
        failed_message: null,
        failed_at: null,
      });
    },
  }),
  update: operation("PUT", single, "Update a schedule", {
    body: z.object({ ...settable, cronline }).partial(),
    response: schedule,
    run: (call) => {
      const { body, data, now } = call;
      const old = findSchedule(call);
      requirePipelineManager(call, findPipeline(call));
      // Enabling it again forgets why it stopped.
      const again = body.enabled === true && { failed_message: null, failed_at: null };
      const next_build_at = nextBuild(body.enabled ?? old.enabled, now);
      const env = body.env === null ? {} : body.env;
      return data.pipelineSchedules.update(old.id, { ...body, env, ...again, next_build_at });
    },
  }),
  delete: deletion(single, "Delete a schedule", null, (call) => {
    const { id } = findSchedule(call);
    requirePipelineManager(call, findPipeline(call));
    return call.data.pipelineSchedules.delete(id);
  }),
});

function findSchedule(call: Call<"pipeline_slug" | "id">): PipelineScheduleRecord {
  const { id } = findPipeline(call);
  const schedule = call.data.pipelineSchedules.get(call.params.id.toLowerCase());
  return found(schedule?.pipeline_id === id ? schedule : undefined, "schedule");
}

/** The next full hour, whatever the cron line says. */
function nextBuild(isEnabled: boolean, now: string): string | null {
  return isEnabled ? new Date((Math.floor(Date.parse(now) / HOUR) + 1) * HOUR).toISOString() : null;
}
