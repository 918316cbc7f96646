import * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, flag, identifier, text, userSchema } from "./api/entity.js";
import type { List } from "./api/list.js";
import { type BodyChange, nothing, operations } from "./api/operation.js";

const schedulePipeline = entity({
  decorative: {
    /** UUID. */
    id: text,
    /** Name in web addresses. */
    slug: text,
    /** API URL. */
    url: text,
  },
});

/** The pipeline of a schedule. */
export interface SchedulePipeline extends z.output<typeof schedulePipeline> {}

const schedulePipelineSchema: z.ZodType<SchedulePipeline> = schedulePipeline;

const pipelineScheduleSchema = entity({
  required: {
    /** UUID. */
    id: identifier,
    /** When builds start: an interval such as `@daily`, or a cron expression. */
    cronline: identifier,
  },
  optional: {
    /** Name of the schedule. */
    label: text,
    /** Message of the builds. */
    message: text,
    /** Commit to build. */
    commit: text,
    /** Branch to build. */
    branch: text,
    /** Environment variables of the builds; null or {} when there are none. */
    env: z.record(z.string(), z.string()).nullable(),
    /** False if the schedule starts no builds. The API disables a schedule whose build it cannot create. */
    enabled: flag,
  },
  decorative: {
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** API URL. It contains the slug of the pipeline. */
    url: text,
    /** Time of the next build; ISO 8601, UTC; null while the schedule is disabled. */
    next_build_at: text,
    /** Reason for the last failure; null after a success. */
    failed_message: text,
    /** Time of the last failure; ISO 8601, UTC; null after a success. */
    failed_at: text,
    /** ISO 8601, UTC. */
    created_at: text,
    /** User who created it. The builds run with this user's access. */
    created_by: userSchema.nullable(),
    /** Pipeline of the schedule. */
    pipeline: schedulePipelineSchema.nullable(),
  },
});

/** A schedule, which starts builds of a pipeline. */
export interface PipelineSchedule extends z.output<typeof pipelineScheduleSchema> {}

/** A new schedule. */
export interface PipelineScheduleCreate {
  /**
   * When builds start: `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`, or five cron fields with an optional time
   * zone. Default time zone: UTC. At least 10 minutes must lie between two builds.
   * @example "0 3 * * 1-5 Europe/Berlin"
   */
  cronline: string;
  /** Name of the schedule. */
  label?: string | undefined;
  /** Message of the builds. */
  message?: string | undefined;
  /** Commit to build. Default: `HEAD`. */
  commit?: string | undefined;
  /** Branch to build. Default: the default branch of the pipeline. */
  branch?: string | undefined;
  /** Environment variables of the builds. */
  env?: Readonly<Record<string, string>> | undefined;
  /** False if the schedule starts no builds. Default: true. */
  enabled?: boolean | undefined;
}

/**
 * Changes to a schedule. Omitted fields keep their values, and `env` replaces all variables. `enabled: true` also clears
 * the last failure.
 */
export interface PipelineScheduleUpdate extends BodyChange<PipelineScheduleCreate> {}

const path = "/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/schedules";
const one = `${path}/{id}` as const;

/** @internal */
export const pipelineScheduleOperations = operations("pipelineSchedules", {
  list: ["GET", path, "read_pipelines", pipelineScheduleSchema],
  get: ["GET", one, "read_pipelines", pipelineScheduleSchema],
  create: ["POST", path, "write_pipelines", pipelineScheduleSchema],
  update: ["PUT", one, "write_pipelines", pipelineScheduleSchema],
  delete: ["DELETE", one, "write_pipelines", nothing],
});

/** Schedules of pipelines, which start builds. */
export class PipelineSchedules extends Section {
  /**
   * Lists the schedules of a pipeline, the newest first. Scope: `read_pipelines`.
   * @throws NotFoundError if there is no such pipeline, or the access token may not see it.
   * @example const schedules = await client.pipelineSchedules.list("storefront").all();
   */
  list(pipelineSlug: string, options?: RequestOptions): List<PipelineSchedule> {
    return this.api.list(pipelineScheduleOperations.list, [pipelineSlug], options);
  }

  /**
   * Reads one schedule. Scope: `read_pipelines`.
   * @example const { enabled, failed_message } = await client.pipelineSchedules.get("storefront", schedule.id);
   */
  get(pipelineSlug: string, scheduleId: string, options?: RequestOptions): Promise<PipelineSchedule> {
    return this.api.call(pipelineScheduleOperations.get, [pipelineSlug, scheduleId], options);
  }

  /**
   * Creates a schedule. Its builds run with the access of the user who creates it. Scope: `write_pipelines`.
   * @throws ConnectionError, TimeoutError, ServerError: the schedule may have been created; see
   * `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const schedule = await client.pipelineSchedules.create("storefront", {
   *   label: "Nightly",
   *   cronline: "0 3 * * * Europe/Berlin",
   *   env: { FULL: "true" },
   * });
   * ```
   */
  create(
    pipelineSlug: string,
    body: PipelineScheduleCreate,
    options?: RequestOptions,
  ): Promise<PipelineSchedule> {
    return this.api.call(pipelineScheduleOperations.create, [pipelineSlug], options, body);
  }

  /**
   * Changes a schedule. Its pipeline cannot be changed. Scope: `write_pipelines`.
   * @example await client.pipelineSchedules.update("storefront", schedule.id, { enabled: false });
   */
  update(
    pipelineSlug: string,
    scheduleId: string,
    body: PipelineScheduleUpdate,
    options?: RequestOptions,
  ): Promise<PipelineSchedule> {
    return this.api.call(pipelineScheduleOperations.update, [pipelineSlug, scheduleId], options, body);
  }

  /**
   * Deletes a schedule. Scope: `write_pipelines`.
   * @throws NotFoundError if there is no such schedule; if `attempts` is above 1, an earlier attempt may have deleted it.
   * @example await client.pipelineSchedules.delete("storefront", schedule.id);
   */
  delete(pipelineSlug: string, scheduleId: string, options?: RequestOptions): Promise<void> {
    return this.api.call(pipelineScheduleOperations.delete, [pipelineSlug, scheduleId], options);
  }
}
