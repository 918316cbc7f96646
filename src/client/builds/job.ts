import * as z from "zod";
import { count, entity, flag, identifier, text, texts } from "../responses/entity.js";
import { userSchema } from "../user.js";

const jobSignature = entity(
  {},
  {
    value: text,
    algorithm: text,
    signed_fields: texts,
  },
);

/** Signature of a step's definition (section 2.10). */
export interface JobSignature extends z.output<typeof jobSignature> {}

const jobSignatureSchema: z.ZodType<JobSignature> = jobSignature;

const jobAgent = entity(
  {
    /** UUID. */
    id: identifier,
  },
  {
    name: text,
    /** Address in the REST interface. */
    url: text,
    graphql_id: text,
    web_url: text,
    connection_state: text,
    hostname: text,
    ip_address: text,
    user_agent: text,
    creator: userSchema.nullable(),
    /** ISO 8601, UTC. */
    created_at: text,
  },
);

/** The agent of a job, in short; single-build answers carry more of it than lists (section 2.10). */
export interface JobAgent extends z.output<typeof jobAgent> {}

const jobAgentSchema: z.ZodType<JobAgent> = jobAgent;

const jobStep = entity(
  {},
  {
    /** UUID. */
    id: text,
    signature: jobSignatureSchema.nullable(),
  },
);

/** The step a job came from, with the signature of its definition (section 2.10). */
export interface JobStep extends z.output<typeof jobStep> {}

const jobStepSchema: z.ZodType<JobStep> = jobStep;

const job = entity(
  {
    /** UUID. */
    id: identifier,
  },
  {
    graphql_id: text,
    /** `script` is the value seen; the full list is not documented. */
    type: text,
    name: text,
    step_key: text,
    step: jobStepSchema.nullable(),
    agent_query_rules: texts,
    /** `passed` and `scheduled` are values seen; the full list is not documented. */
    state: text,
    web_url: text,
    log_url: text,
    raw_log_url: text,
    /** On jobs of agents. */
    artifacts_url: text,
    /** On jobs of agents. */
    script_path: text,
    command: text,
    soft_failed: flag,
    exit_status: count,
    artifact_paths: text,
    agent: jobAgentSchema.nullable(),
    /** Time the job was added to the build; ISO 8601, UTC. */
    created_at: text,
    /** Time the scheduler processes the job; can be earlier than `created_at`. */
    scheduled_at: text,
    /** Time the job was ready to be accepted by an agent. */
    runnable_at: text,
    /** Time an agent started the job. */
    started_at: text,
    /** Time the job was marked finished (passed, failed, paused, canceled). */
    finished_at: text,
    retried: flag,
    /** UUID. */
    retried_in_job_id: text,
    retries_count: count,
    retry_type: text,
    parallel_group_index: count,
    parallel_group_total: count,
    /** The matrix value of the job; its form is not documented. */
    matrix: z.unknown(),
    /** UUID of the cluster that ran the job. */
    cluster_id: text,
    cluster_url: text,
    /** UUID of the queue that ran the job. */
    cluster_queue_id: text,
    cluster_queue_url: text,
  },
);

/** A job of a build (section 2.10). Kinds of job other than `script` may leave most fields out. */
export interface Job extends z.output<typeof job> {}

export const jobSchema: z.ZodType<Job> = job;
