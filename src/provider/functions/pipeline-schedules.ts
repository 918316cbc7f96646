import { readComplete } from "../../client/api/list.js";
import type * as api from "../../client/index.js";
import { PipelineSchedule } from "../resources/pipeline-schedule.js";
import { id, type OutputArguments, text } from "./invoke/arguments.js";
import { getFunction, outputForm } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a schedule by the slug of its pipeline and its id. */
export interface GetPipelineScheduleArgs {
  /** Slug of the pipeline. */
  pipelineSlug: string;
  /** UUID of the schedule. */
  id: string;
}

/** {@link GetPipelineScheduleArgs}, each of which may be an Output. */
export interface GetPipelineScheduleOutputArgs extends OutputArguments<GetPipelineScheduleArgs> {}

/** A schedule, as the API returns it. */
export interface GetPipelineScheduleResult
  extends KindResult<PipelineSchedule, api.PipelineSchedule, "pipelineId" | "pipelineSlug"> {
  /** UUID of the pipeline. */
  readonly pipelineId?: string;
  /** Slug of the pipeline. */
  readonly pipelineSlug?: string;
  /** Time of the next build, ISO 8601 in UTC; unset while the schedule is disabled. */
  readonly nextBuildAt?: string;
  /** Time of the last failure, ISO 8601 in UTC; unset after a success. */
  readonly failedAt?: string;
  /** Reason for the last failure. */
  readonly failedMessage?: string;
}

/** Identifies the pipeline whose schedules to list. */
export interface GetPipelineSchedulesArgs {
  /** Slug of the pipeline. */
  pipelineSlug: string;
}

/** {@link GetPipelineSchedulesArgs}, each of which may be an Output. */
export interface GetPipelineSchedulesOutputArgs extends OutputArguments<GetPipelineSchedulesArgs> {}

/** The schedules of a pipeline. */
export interface GetPipelineSchedulesResult extends InOrganization {
  /** The newest first. */
  readonly pipelineSchedules: GetPipelineScheduleResult[];
  /** Slug of the pipeline. */
  readonly pipelineSlug: string;
}

const { name } = PipelineSchedule.kind;
const functions = functionsOf<GetPipelineScheduleResult>(PipelineSchedule.kind);
const one = (client: api.BuildPipelineClient, slug: string, schedule: string) =>
  client.pipelineSchedules.get(slug, schedule);
const all = (client: api.BuildPipelineClient, slug: string) =>
  readComplete(client.pipelineSchedules.list(slug), {
    noun: "schedule",
    idOf: PipelineSchedule.kind.identify,
  });
const placeOf = ({ pipeline }: api.PipelineSchedule) => pipeline?.id ?? "";

/**
 * Looks up a schedule of a pipeline. Scope: `read_pipelines`.
 * @example const { nextBuildAt } = await getPipelineSchedule({ pipelineSlug: "storefront", id: scheduleId });
 */
export const getPipelineSchedule = getFunction<GetPipelineScheduleArgs, GetPipelineScheduleResult>(
  "getPipelineSchedule",
  async (api, args) => {
    const found = await api.get(one, text("pipelineSlug", args.pipelineSlug), id("id", args.id));
    return functions.read(api, found, placeOf(found));
  },
  name,
);

/**
 * {@link getPipelineSchedule} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { failedMessage } = getPipelineScheduleOutput({ pipelineSlug: storefront.slug, id: nightly.id });
 */
export const getPipelineScheduleOutput = outputForm<GetPipelineScheduleOutputArgs, GetPipelineScheduleResult>(
  "getPipelineSchedule",
);

/**
 * Lists the schedules of a pipeline. Scope: `read_pipelines`.
 * @throws LookupError if there is no such pipeline, or the API cannot be reached.
 * @example
 * ```ts
 * const { pipelineSchedules } = await getPipelineSchedules({ pipelineSlug: "storefront" });
 * const stopped = pipelineSchedules.filter(({ enabled }) => enabled === false);
 * ```
 */
export const getPipelineSchedules = getFunction<GetPipelineSchedulesArgs, GetPipelineSchedulesResult>(
  "getPipelineSchedules",
  async (api, args) => {
    const pipelineSlug = text("pipelineSlug", args.pipelineSlug);
    const found = await api.get(all, pipelineSlug);
    return {
      organization: api.organization,
      pipelineSlug,
      pipelineSchedules: found.map((schedule) => functions.read(api, schedule, placeOf(schedule))),
    };
  },
  name,
);

/**
 * {@link getPipelineSchedules} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { pipelineSchedules } = getPipelineSchedulesOutput({ pipelineSlug: storefront.slug });
 */
export const getPipelineSchedulesOutput = outputForm<
  GetPipelineSchedulesOutputArgs,
  GetPipelineSchedulesResult
>("getPipelineSchedules");
