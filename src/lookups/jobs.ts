import type * as wire from "../client/index.js";
import type { EmbeddedUser } from "../resources/embedded-user.js";
import { entity, same, user } from "./entity-fields.js";

/** The step a job came from. */
export interface GetBuildJobStep {
  /** UUID. */
  readonly id?: string;
  /** Signature of the step's definition. */
  readonly signature?: GetBuildJobStepSignature;
}

/** Signature of a step's definition. */
export interface GetBuildJobStepSignature {
  readonly value?: string;
  readonly algorithm?: string;
  readonly signedFields?: string[];
}

/** The agent of a job, in short. A single build tells more of it than a list. */
export interface GetBuildJobAgent {
  /** UUID. */
  readonly id: string;
  readonly name?: string;
  /** API URL. */
  readonly url?: string;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  readonly connectionState?: string;
  readonly hostname?: string;
  readonly ipAddress?: string;
  readonly userAgent?: string;
  readonly creator?: EmbeddedUser;
  /** ISO 8601, UTC. */
  readonly createdAt?: string;
}

/** A job of a build or an agent (the API document, sections 2.10 and 2.12). */
export interface GetBuildJob {
  /** UUID. */
  readonly id: string;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** `script` is the value seen; the full list is not documented. */
  readonly type?: string;
  readonly name?: string;
  /** Key of the step it came from. */
  readonly stepKey?: string;
  readonly step?: GetBuildJobStep;
  /** What an agent must be to run it. */
  readonly agentQueryRules?: string[];
  /** `passed` and `scheduled` are values seen; the full list is not documented. */
  readonly state?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  readonly logUrl?: string;
  readonly rawLogUrl?: string;
  /** On jobs of agents. */
  readonly artifactsUrl?: string;
  /** On jobs of agents. */
  readonly scriptPath?: string;
  readonly command?: string;
  readonly softFailed?: boolean;
  readonly exitStatus?: number;
  readonly artifactPaths?: string;
  /** The agent that runs or ran it. */
  readonly agent?: GetBuildJobAgent;
  /** When the job was added to the build, ISO 8601 in UTC. */
  readonly createdAt?: string;
  /** When the scheduler processes the job; can be earlier than `createdAt`. */
  readonly scheduledAt?: string;
  /** When the job was ready to be accepted by an agent. */
  readonly runnableAt?: string;
  /** When an agent started the job. */
  readonly startedAt?: string;
  /** When the job was marked finished. */
  readonly finishedAt?: string;
  readonly retried?: boolean;
  /** UUID of the job that repeats this one. */
  readonly retriedInJobId?: string;
  readonly retriesCount?: number;
  readonly retryType?: string;
  readonly parallelGroupIndex?: number;
  readonly parallelGroupTotal?: number;
  /** The matrix value of the job, as the service gives it; its form is not documented. */
  readonly matrix?: unknown;
  /** UUID of the cluster that ran the job. */
  readonly clusterId?: string;
  /** API URL of the cluster. */
  readonly clusterUrl?: string;
  /** UUID of the queue that ran the job. */
  readonly clusterQueueId?: string;
  /** API URL of the queue. */
  readonly clusterQueueUrl?: string;
}

const readSignature = entity<wire.JobSignature, GetBuildJobStepSignature>({
  value: same,
  algorithm: same,
  signed_fields: same,
});

const readAgent = entity<wire.JobAgent, GetBuildJobAgent>({
  id: same,
  name: same,
  url: same,
  graphql_id: same,
  web_url: same,
  connection_state: same,
  hostname: same,
  ip_address: same,
  user_agent: same,
  creator: user,
  created_at: same,
});

/** A job as results have it. */
export const readJob = entity<wire.Job, GetBuildJob>({
  id: same,
  graphql_id: same,
  type: same,
  name: same,
  step_key: same,
  step: entity<wire.JobStep, GetBuildJobStep>({ id: same, signature: readSignature }),
  agent_query_rules: same,
  state: same,
  web_url: same,
  log_url: same,
  raw_log_url: same,
  artifacts_url: same,
  script_path: same,
  command: same,
  soft_failed: same,
  exit_status: same,
  artifact_paths: same,
  agent: readAgent,
  created_at: same,
  scheduled_at: same,
  runnable_at: same,
  started_at: same,
  finished_at: same,
  retried: same,
  retried_in_job_id: same,
  retries_count: same,
  retry_type: same,
  parallel_group_index: same,
  parallel_group_total: same,
  matrix: same,
  cluster_id: same,
  cluster_url: same,
  cluster_queue_id: same,
  cluster_queue_url: same,
});
