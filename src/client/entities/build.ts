import * as z from "zod";
import { entity, flag, identifier, text } from "./entity.js";
import { type Job, jobSchema } from "./job.js";
import { type Pipeline, pipelineSchema } from "./pipeline.js";
import { type User, userSchema } from "./user.js";

/** The build another one repeats (section 2.11). */
export interface RebuiltFrom {
  /** UUID. */
  id?: string | null;
  number?: number | null;
  /** Address in the REST interface. */
  url?: string | null;
}

/** One execution of a pipeline (sections 2.11 and 3.3). Requests address it by pipeline slug and `number`, never by `id`. */
export interface Build {
  /** UUID, unique across the whole service. */
  id: string;
  /** Unique within the pipeline, growing, with gaps. */
  number: number;
  /**
   * Documented: `scheduled`, `running`, `failing`, `passed`, `failed`, `blocked`, `canceled`; `canceling` is seen.
   * The full list is not documented.
   */
  state: string;
  graphql_id?: string | null;
  /** Address in the REST interface. */
  url?: string | null;
  /** Address in the web interface. */
  web_url?: string | null;
  cancel_reason?: string | null;
  /** True when the build waits for a person; `state` then keeps its last value, for example `passed`. */
  blocked?: boolean | null;
  message?: string | null;
  commit?: string | null;
  branch?: string | null;
  /** Environment variables of the build. */
  env?: Record<string, string> | null;
  /** What started it; the values are not documented. */
  source?: string | null;
  /** Who started it. */
  creator?: User | null;
  jobs?: Job[] | null;
  /** Time the build was created, or its upload ran; ISO 8601, UTC. */
  created_at?: string | null;
  /** Time the build was created; copied from the uploading job for uploaded pipelines. */
  scheduled_at?: string | null;
  /** Time an agent started the build's first job; null before. */
  started_at?: string | null;
  /** Time the build was marked finished; null before. */
  finished_at?: string | null;
  meta_data?: Record<string, unknown> | null;
  /** Its form is not documented. */
  pull_request?: unknown;
  /** null unless this is a rebuild. */
  rebuilt_from?: RebuiltFrom | null;
  pipeline?: Pipeline | null;
}

const map = z.record(z.string(), z.unknown()).nullable();

export const buildSchema: z.ZodType<Build> = entity<Build>(
  { id: identifier, number: z.int(), state: identifier },
  {
    graphql_id: text,
    url: text,
    web_url: text,
    cancel_reason: text,
    blocked: flag,
    message: text,
    commit: text,
    branch: text,
    env: z.record(z.string(), z.string()).nullable(),
    source: text,
    creator: userSchema.nullable(),
    jobs: z.array(jobSchema).nullable(),
    created_at: text,
    scheduled_at: text,
    started_at: text,
    finished_at: text,
    meta_data: map,
    pull_request: z.unknown(),
    rebuilt_from: entity<RebuiltFrom>({}, { id: text, number: z.number().nullable(), url: text }).nullable(),
    pipeline: pipelineSchema.nullable(),
  },
);
