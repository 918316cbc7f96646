import * as z from "zod";
import { entity, flag, identifier, text } from "../responses/entity.js";
import { userSchema } from "../user.js";
import { jobSchema } from "./job.js";
import { pipelineSchema } from "./pipeline.js";

const rebuiltFrom = entity(
  {},
  {
    /** UUID. */
    id: text,
    /** Number of the build within its pipeline. */
    number: z.number().nullable(),
    /** API URL. */
    url: text,
  },
);

/** The build another one repeats. */
export interface RebuiltFrom extends z.output<typeof rebuiltFrom> {}

const rebuiltFromSchema: z.ZodType<RebuiltFrom> = rebuiltFrom;

export const buildSchema = entity(
  {
    /** UUID, unique across the whole service. */
    id: identifier,
    /** Unique within the pipeline, growing, with gaps. */
    number: z.int(),
    /**
     * Documented: `scheduled`, `running`, `failing`, `passed`, `failed`, `blocked`, `canceled`; `canceling` is seen.
     * The full list is not documented.
     */
    state: identifier,
  },
  {
    /** Opaque id for the service's GraphQL interface. */
    graphql_id: text,
    /** API URL. */
    url: text,
    /** Address in the web interface. */
    web_url: text,
    /** Why it was canceled. */
    cancel_reason: text,
    /** True if it waits for a person; `state` then keeps its last value. */
    blocked: flag,
    /** Message of the build, such as that of its commit. */
    message: text,
    /** Commit, as it was asked for: a hash or a name such as `HEAD`. */
    commit: text,
    /** Branch. */
    branch: text,
    /** Environment variables of the build. Anyone who starts builds can put anything there, so don't trust it. */
    env: z.record(z.string(), z.string()).nullable(),
    /** Source of the build; the values are not documented. */
    source: text,
    /** User who started it. */
    creator: userSchema.nullable(),
    /** Its jobs. */
    jobs: z.array(jobSchema).nullable(),
    /** Time the build was created, or its upload ran; ISO 8601, UTC. */
    created_at: text,
    /** Time the build was created; copied from the uploading job for uploaded pipelines. */
    scheduled_at: text,
    /** Time an agent started the build's first job. Unset before. */
    started_at: text,
    /** Time the build was marked finished. Unset before. */
    finished_at: text,
    /** Meta-data by key. */
    meta_data: z.record(z.string(), z.unknown()).nullable(),
    /** Its form is not documented. */
    pull_request: z.unknown(),
    /** The build that this one repeats, if it is a rebuild. */
    rebuilt_from: rebuiltFromSchema.nullable(),
    /** The pipeline it belongs to. */
    pipeline: pipelineSchema.nullable(),
  },
);

/** One execution of a pipeline. Requests address it by pipeline slug and `number`, never by `id`. */
export interface Build extends z.output<typeof buildSchema> {}
