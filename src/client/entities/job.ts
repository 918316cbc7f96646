import * as z from "zod";
import { count, entity, flag, identifier, text } from "./entity.js";
import { type User, userSchema } from "./user.js";

/** The step a job came from, with the signature of its definition (section 2.10). */
export interface JobStep {
  /** UUID. */
  id?: string | null;
  signature?: JobSignature | null;
}

/** Signature of a step's definition (section 2.10). */
export interface JobSignature {
  value?: string | null;
  algorithm?: string | null;
  signed_fields?: string[] | null;
}

/** The agent of a job, in short; single-build answers carry more of it than lists (section 2.10). */
export interface JobAgent {
  /** UUID. */
  id: string;
  name?: string | null;
  /** Address in the REST interface. */
  url?: string | null;
  graphql_id?: string | null;
  web_url?: string | null;
  connection_state?: string | null;
  hostname?: string | null;
  ip_address?: string | null;
  user_agent?: string | null;
  creator?: User | null;
  /** ISO 8601, UTC. */
  created_at?: string | null;
}

/** A job of a build (section 2.10). Kinds of job other than `script` may leave most fields out. */
export interface Job {
  /** UUID. */
  id: string;
  graphql_id?: string | null;
  /** `script` is the value seen; the full list is not documented. */
  type?: string | null;
  name?: string | null;
  step_key?: string | null;
  step?: JobStep | null;
  agent_query_rules?: string[] | null;
  /** `passed` and `scheduled` are values seen; the full list is not documented. */
  state?: string | null;
  web_url?: string | null;
  log_url?: string | null;
  raw_log_url?: string | null;
  /** On jobs of agents. */
  artifacts_url?: string | null;
  /** On jobs of agents. */
  script_path?: string | null;
  command?: string | null;
  soft_failed?: boolean | null;
  exit_status?: number | null;
  artifact_paths?: string | null;
  agent?: JobAgent | null;
  /** Time the job was added to the build; ISO 8601, UTC. */
  created_at?: string | null;
  /** Time the scheduler processes the job; can be earlier than `created_at`. */
  scheduled_at?: string | null;
  /** Time the job was ready to be accepted by an agent. */
  runnable_at?: string | null;
  /** Time an agent started the job. */
  started_at?: string | null;
  /** Time the job was marked finished (passed, failed, paused, canceled). */
  finished_at?: string | null;
  retried?: boolean | null;
  /** UUID. */
  retried_in_job_id?: string | null;
  retries_count?: number | null;
  retry_type?: string | null;
  parallel_group_index?: number | null;
  parallel_group_total?: number | null;
  /** The matrix value of the job; its form is not documented. */
  matrix?: unknown;
  /** UUID of the cluster that ran the job. */
  cluster_id?: string | null;
  cluster_url?: string | null;
  /** UUID of the queue that ran the job. */
  cluster_queue_id?: string | null;
  cluster_queue_url?: string | null;
}

const texts = z.array(z.string()).nullable();

const signatureSchema = entity<JobSignature>({}, { value: text, algorithm: text, signed_fields: texts });

const jobAgentSchema = entity<JobAgent>(
  { id: identifier },
  {
    name: text,
    url: text,
    graphql_id: text,
    web_url: text,
    connection_state: text,
    hostname: text,
    ip_address: text,
    user_agent: text,
    creator: userSchema.nullable(),
    created_at: text,
  },
);

export const jobSchema: z.ZodType<Job> = entity<Job>(
  { id: identifier },
  {
    graphql_id: text,
    type: text,
    name: text,
    step_key: text,
    step: entity<JobStep>({}, { id: text, signature: signatureSchema.nullable() }).nullable(),
    agent_query_rules: texts,
    state: text,
    web_url: text,
    log_url: text,
    raw_log_url: text,
    artifacts_url: text,
    script_path: text,
    command: text,
    soft_failed: flag,
    exit_status: count,
    artifact_paths: text,
    agent: jobAgentSchema.nullable(),
    created_at: text,
    scheduled_at: text,
    runnable_at: text,
    started_at: text,
    finished_at: text,
    retried: flag,
    retried_in_job_id: text,
    retries_count: count,
    retry_type: text,
    parallel_group_index: count,
    parallel_group_total: count,
    matrix: z.unknown(),
    cluster_id: text,
    cluster_url: text,
    cluster_queue_id: text,
    cluster_queue_url: text,
  },
);
