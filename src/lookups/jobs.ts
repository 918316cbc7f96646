import type * as api from "../client/index.js";
import { describe, type ResultOf, user, verbatim } from "./results/fields.js";

const signature = describe<api.JobSignature>()({
  /** The signature. */
  value: verbatim,
  /** Algorithm of the signature. */
  algorithm: verbatim,
  /** Fields of the step that are signed. */
  signedFields: verbatim,
});

/** Signature of a step's definition. */
export interface GetBuildJobStepSignature extends ResultOf<typeof signature> {}

const step = describe<api.JobStep>()({
  /** UUID. */
  id: verbatim,
  /** Signature of the step's definition. */
  signature: (given): GetBuildJobStepSignature => signature.read(given),
});

/** The step a job came from. */
export interface GetBuildJobStep extends ResultOf<typeof step> {}

const agent = describe<api.JobAgent>()({
  /** UUID. */
  id: verbatim,
  /** Name of the agent. */
  name: verbatim,
  /** API URL. */
  url: verbatim,
  /** Opaque id for the service's GraphQL interface. */
  graphqlId: verbatim,
  /** Address in the web interface. */
  webUrl: verbatim,
  /** `connected` and `disconnected` are documented; others are seen. */
  connectionState: verbatim,
  /** Name of the machine. */
  hostname: verbatim,
  /** Address of the machine. */
  ipAddress: verbatim,
  /** User agent that the agent sends. */
  userAgent: verbatim,
  /** Creator of the token that connected it. */
  creator: user,
  /** ISO 8601, UTC. */
  createdAt: verbatim,
});

/** The agent of a job, in short. A single build has more of it than a list. */
export interface GetBuildJobAgent extends ResultOf<typeof agent> {}

const job = describe<api.Job>()({
  /** UUID. */
  id: verbatim,
  /** Opaque id for the service's GraphQL interface. */
  graphqlId: verbatim,
  /** `script` is the value seen; the full list is not documented. */
  type: verbatim,
  /** Name of the job. */
  name: verbatim,
  /** Key of the step it came from. */
  stepKey: verbatim,
  /** The step it came from. */
  step: (given): GetBuildJobStep => step.read(given),
  /** Tags that an agent needs to run it. */
  agentQueryRules: verbatim,
  /** `passed` and `scheduled` are values seen; the full list is not documented. */
  state: verbatim,
  /** Address in the web interface. */
  webUrl: verbatim,
  /** API URL of the log. */
  logUrl: verbatim,
  /** API URL of the log as plain text. */
  rawLogUrl: verbatim,
  /** On jobs of agents. */
  artifactsUrl: verbatim,
  /** On jobs of agents. */
  scriptPath: verbatim,
  /** Command that the agent runs. */
  command: verbatim,
  /** True if it failed without failing the build. */
  softFailed: verbatim,
  /** Exit status of the command. */
  exitStatus: verbatim,
  /** Paths of the artifacts to upload. */
  artifactPaths: verbatim,
  /** The agent that runs or ran it. */
  agent: (given): GetBuildJobAgent => agent.read(given),
  /** When the job was added to the build, ISO 8601 in UTC. */
  createdAt: verbatim,
  /** When the scheduler processes the job; can be earlier than `createdAt`. */
  scheduledAt: verbatim,
  /** When the job was ready to be accepted by an agent. */
  runnableAt: verbatim,
  /** When an agent started the job. */
  startedAt: verbatim,
  /** When the job was marked finished. */
  finishedAt: verbatim,
  /** True if another job repeats this one. */
  retried: verbatim,
  /** UUID of the job that repeats this one. */
  retriedInJobId: verbatim,
  /** How many times the job was retried. */
  retriesCount: verbatim,
  /** How it was retried; the values are not documented. */
  retryType: verbatim,
  /** Which job of its parallel group this is. */
  parallelGroupIndex: verbatim,
  /** How many jobs its parallel group has. */
  parallelGroupTotal: verbatim,
  /** The matrix value of the job, as the service gives it; its form is not documented. */
  matrix: verbatim,
  /** UUID of the cluster that ran the job. */
  clusterId: verbatim,
  /** API URL of the cluster. */
  clusterUrl: verbatim,
  /** UUID of the queue that ran the job. */
  clusterQueueId: verbatim,
  /** API URL of the queue. */
  clusterQueueUrl: verbatim,
});

/** A job of a build or an agent. */
export interface GetBuildJob extends ResultOf<typeof job> {}

/** A job as results have it. */
export const readJob: (given: api.Job) => GetBuildJob = job.read;
