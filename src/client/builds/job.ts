import * as z from "zod";
import { count, entity, flag, identifier, text, texts } from "../responses/entity.js";
import { userSchema } from "../user.js";

const jobSignature = entity(
  {},
  {
    /** The signature. */
    value: text,
    /** Algorithm of the signature. */
    algorithm: text,
    /** Fields of the step that are signed. */
    signed_fields: texts,
  },
);

/** Signature of a step's definition. */
export interface JobSignature extends z.output<typeof jobSignature> {}

const jobSignatureSchema: z.ZodType<JobSignature> = jobSignature;

const jobAgent = entity(
  {
    /** UUID. */
    id: identifier,
  },
  {
    /** Name of the agent. */
    name: text,
    /** API URL. */
    url: text,
    /** Opaque id for the service's GraphQL interface. */
    graphql_id: text,
    /** Address in the web interface. */
    web_url: text,
    /** `connected` and `disconnected` are documented; others are seen. */
    connection_state: text,
    /** Name of the machine. */
    hostname: text,
    /** Address of the machine. */
    ip_address: text,
    /** User agent that the agent sends. */
    user_agent: text,
    /** Creator of the token that connected it. */
    creator: userSchema.nullable(),
    /** ISO 8601, UTC. */
    created_at: text,
  },
);

/** The agent of a job, in short. A single build has more of it than a list. */
export interface JobAgent extends z.output<typeof jobAgent> {}

const jobAgentSchema: z.ZodType<JobAgent> = jobAgent;

const jobStep = entity(
  {},
  {
    /** UUID. */
    id: text,
    /** Signature of the step's definition. */
    signature: jobSignatureSchema.nullable(),
  },
);

/** The step a job came from, with the signature of its definition. */
export interface JobStep extends z.output<typeof jobStep> {}

const jobStepSchema: z.ZodType<JobStep> = jobStep;

const job = entity(
  {
    /** UUID. */
    id: identifier,
  },
  {
    /** Opaque id for the service's GraphQL interface. */
    graphql_id: text,
    /** `script` is the value seen; the full list is not documented. */
    type: text,
    /** Name of the job. */
    name: text,
    /** Key of the step it came from. */
    step_key: text,
    /** The step it came from. */
    step: jobStepSchema.nullable(),
    /** Tags that an agent needs to run it. */
    agent_query_rules: texts,
    /** `passed` and `scheduled` are values seen; the full list is not documented. */
    state: text,
    /** Address in the web interface. */
    web_url: text,
    /** API URL of the log. */
    log_url: text,
    /** API URL of the log as plain text. */
    raw_log_url: text,
    /** On jobs of agents. */
    artifacts_url: text,
    /** On jobs of agents. */
    script_path: text,
    /** Command that the agent runs. */
    command: text,
    /** True if it failed without failing the build. */
    soft_failed: flag,
    /** Exit status of the command. */
    exit_status: count,
    /** Paths of the artifacts to upload. */
    artifact_paths: text,
    /** The agent that runs or ran it. */
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
    /** True if another job repeats this one. */
    retried: flag,
    /** UUID of the job that repeats this one. */
    retried_in_job_id: text,
    /** How many times the job was retried. */
    retries_count: count,
    /** How it was retried; the values are not documented. */
    retry_type: text,
    /** Which job of its parallel group this is. */
    parallel_group_index: count,
    /** How many jobs its parallel group has. */
    parallel_group_total: count,
    /** The matrix value of the job, as the service gives it; its form is not documented. */
    matrix: z.unknown(),
    /** UUID of the cluster that ran the job. */
    cluster_id: text,
    /** API URL of the cluster. */
    cluster_url: text,
    /** UUID of the queue that ran the job. */
    cluster_queue_id: text,
    /** API URL of the queue. */
    cluster_queue_url: text,
  },
);

/** A job of a build. Jobs of another type than `script` may leave most fields out. */
export interface Job extends z.output<typeof job> {}

export const jobSchema: z.ZodType<Job> = job;
