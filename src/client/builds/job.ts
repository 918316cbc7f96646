import * as z from "zod";
import { count, entity, flag, identifier, text, texts, userSchema } from "../api/entity.js";

const jobSignature = entity({
  decorative: {
    /** The signature. */
    value: text,
    /** Algorithm of the signature. */
    algorithm: text,
    /** Fields of the step that are signed. */
    signed_fields: texts,
  },
});

/** Signature of a step's definition. */
export interface JobSignature extends z.output<typeof jobSignature> {}

const jobSignatureSchema: z.ZodType<JobSignature> = jobSignature;

const jobAgent = entity({
  required: {
    /** UUID. */
    id: identifier,
  },
  decorative: {
    /** Name of the agent. */
    name: text,
    /** API URL. */
    url: text,
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** Address in the web interface. */
    web_url: text,
    /** `connected` and `disconnected` are documented; other values were observed. */
    connection_state: text,
    /** Name of the machine. */
    hostname: text,
    /** Address of the machine. */
    ip_address: text,
    /** User agent that the agent sends. */
    user_agent: text,
    /** User who created the token that the agent connects with. */
    creator: userSchema.nullable(),
    /** ISO 8601, UTC. */
    created_at: text,
  },
});

/** Summary of the agent of a job. A single build contains more of its fields than a list of builds. */
export interface JobAgent extends z.output<typeof jobAgent> {}

const jobAgentSchema: z.ZodType<JobAgent> = jobAgent;

const jobStep = entity({
  decorative: {
    /** UUID. */
    id: text,
    /** Signature of the step's definition. */
    signature: jobSignatureSchema.nullable(),
  },
});

/** The step that defines a job, with the signature of its definition. */
export interface JobStep extends z.output<typeof jobStep> {}

const jobStepSchema: z.ZodType<JobStep> = jobStep;

const job = entity({
  required: {
    /** UUID. */
    id: identifier,
  },
  optional: {
    /** `script` was observed; the full list is not documented. */
    type: text,
    /** Tags that an agent needs to run the job. */
    agent_query_rules: texts,
    /** `passed` and `scheduled` were observed; the full list is not documented. */
    state: text,
    /** Agent that runs or ran the job. */
    agent: jobAgentSchema.nullable(),
    /** Time the job was marked finished (passed, failed, paused, canceled). */
    finished_at: text,
    /** True if another job repeats this one. */
    retried: flag,
    /** UUID of the cluster that ran the job. */
    cluster_id: text,
    /** UUID of the queue that ran the job. */
    cluster_queue_id: text,
  },
  decorative: {
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** Name of the job. */
    name: text,
    /** Key of the step that defines the job. */
    step_key: text,
    /** The step that defines the job. */
    step: jobStepSchema.nullable(),
    /** Address in the web interface. */
    web_url: text,
    /** API URL of the log. */
    log_url: text,
    /** API URL of the log as plain text. */
    raw_log_url: text,
    /** Present on jobs that agents run. */
    artifacts_url: text,
    /** Present on jobs that agents run. */
    script_path: text,
    /** Command that the agent runs. */
    command: text,
    /** True if the job failed without failing the build. */
    soft_failed: flag,
    /** Exit status of the command. */
    exit_status: count,
    /** Paths of the artifacts to upload. */
    artifact_paths: text,
    /** Time the job was added to the build; ISO 8601, UTC. */
    created_at: text,
    /** Time the scheduler processes the job; can be earlier than `created_at`. */
    scheduled_at: text,
    /** Time the job was ready to be accepted by an agent. */
    runnable_at: text,
    /** Time an agent started the job. */
    started_at: text,
    /** UUID of the job that repeats this one. */
    retried_in_job_id: text,
    /** How many times the job was retried. */
    retries_count: count,
    /** How the job was retried; the values are not documented. */
    retry_type: text,
    /** Position of the job in its parallel group. */
    parallel_group_index: count,
    /** Number of jobs in the job's parallel group. */
    parallel_group_total: count,
    /** The matrix value of the job, as the API returns it; the format is not documented. */
    matrix: z.unknown(),
    /** API URL of the cluster. */
    cluster_url: text,
    /** API URL of the queue. */
    cluster_queue_url: text,
  },
});

/** A job of a build. Jobs of a type other than `script` may omit most fields. */
export interface Job extends z.output<typeof job> {}

export const jobSchema: z.ZodType<Job> = job;
