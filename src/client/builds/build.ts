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
    number: z.number().nullable(),
    /** Address in the REST interface. */
    url: text,
  },
);

/** The build another one repeats (section 2.11). */
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
    graphql_id: text,
    /** Address in the REST interface. */
    url: text,
    /** Address in the web interface. */
    web_url: text,
    cancel_reason: text,
    /** True when the build waits for a person; `state` then keeps its last value, for example `passed`. */
    blocked: flag,
    message: text,
    commit: text,
    branch: text,
    /** Environment variables of the build. */
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
    /** Time an agent started the build's first job; null before. */
    started_at: text,
    /** Time the build was marked finished; null before. */
    finished_at: text,
    meta_data: z.record(z.string(), z.unknown()).nullable(),
    /** Its form is not documented. */
    pull_request: z.unknown(),
    /** null unless this is a rebuild. */
    rebuilt_from: rebuiltFromSchema.nullable(),
    pipeline: pipelineSchema.nullable(),
  },
);

/** One execution of a pipeline (sections 2.11 and 3.3). Requests address it by pipeline slug and `number`, never by `id`. */
export interface Build extends z.output<typeof buildSchema> {}
