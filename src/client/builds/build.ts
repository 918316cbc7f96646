import * as z from "zod";
import { entity, flag, identifier, text, userSchema } from "../api/entity.js";
import { jobSchema } from "./job.js";
import { buildPipelineSchema } from "./pipeline.js";

const rebuiltFrom = entity({
  decorative: {
    /** UUID. */
    id: text,
    /** Number of the build within its pipeline. */
    number: z.number().nullable(),
    /** API URL. */
    url: text,
  },
});

/** The original of a rebuild. */
export interface RebuiltFrom extends z.output<typeof rebuiltFrom> {}

const rebuiltFromSchema: z.ZodType<RebuiltFrom> = rebuiltFrom;

const author = entity({
  decorative: {
    /** Account at the repository's host, if it is known. */
    username: text,
    /** Name. */
    name: text,
    /** Email address. */
    email: text,
  },
});

/** The author of a build's commit, who need not be a user of Buildkite. */
export interface BuildAuthor extends z.output<typeof author> {}

const authorSchema: z.ZodType<BuildAuthor> = author;

export const buildSchema = entity({
  required: {
    /** UUID, unique across the whole service. */
    id: identifier,
    /** Number that is unique within the pipeline. Numbers increase, with gaps. */
    number: z.int(),
    /**
     * Documented: `scheduled`, `running`, `failing`, `passed`, `failed`, `blocked`, `canceled`. `canceling` was
     * observed. The full list is not documented.
     */
    state: identifier,
  },
  optional: {
    /** True if the build waits for a person; `state` then keeps its last value. */
    blocked: flag,
    /** Jobs of the build. */
    jobs: z.array(jobSchema).nullable(),
    /** Time the build was marked finished; unset until then. */
    finished_at: text,
  },
  decorative: {
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** API URL. */
    url: text,
    /** Address in the web interface. */
    web_url: text,
    /** State of a blocked build before the block; empty if it isn't blocked. Undocumented, but the API returns it. */
    blocked_state: text,
    /** Reason for the cancellation. */
    cancel_reason: text,
    /** Message of the build, such as that of its commit. */
    message: text,
    /** Commit as requested: a hash or a name such as `HEAD`. */
    commit: text,
    /** Branch. */
    branch: text,
    /** Git tag of the build. Undocumented, but the API returns it. */
    tag: text,
    /** Environment variables of the build. Anyone who starts builds can set them, so don't trust their values. */
    env: z.record(z.string(), z.string()).nullable(),
    /** Source of the build; the values are not documented. */
    source: text,
    /** User who started the build. */
    creator: userSchema.nullable(),
    /** Author of the commit, if one was named. Undocumented, but the API returns it. */
    author: authorSchema.nullable(),
    /** Time the build was created, or its pipeline was uploaded; ISO 8601, UTC. */
    created_at: text,
    /** Time the build was created; copied from the uploading job for uploaded pipelines. */
    scheduled_at: text,
    /** Time an agent started the build's first job; unset until then. */
    started_at: text,
    /** Meta-data by key. */
    meta_data: z.record(z.string(), z.unknown()).nullable(),
    /** Pull request of the build. The format is not documented. */
    pull_request: z.unknown(),
    /** The original build, if this build is a rebuild. */
    rebuilt_from: rebuiltFromSchema.nullable(),
    /** Pipeline that the build belongs to. */
    pipeline: buildPipelineSchema.nullable(),
  },
});

/** One execution of a pipeline. Requests identify a build by pipeline slug and `number`, never by `id`. */
export interface Build extends z.output<typeof buildSchema> {}
