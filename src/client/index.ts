import "../shared/process/node-version.js";

export type { AccessToken, AccessTokenDescription } from "./access-token.js";
export type {
  AgentToken,
  AgentTokenCreate,
  AgentTokens,
  AgentTokenUpdate,
  CreatedAgentToken,
} from "./agent-tokens.js";
export type { Agent, AgentQuery, AgentStop, Agents } from "./agents.js";
/** The typed client of the Build Pipeline Service REST API v2: `pulumi-buildpipeline/client`. */
export type { RequestOptions } from "./api/api.js";
export type { List } from "./api/list.js";
export type { OperationFacts, Scope } from "./api/operation.js";
export type { User } from "./api/user.js";
export type { Build, RebuiltFrom } from "./builds/build.js";
export type { BuildCreate, Builds } from "./builds/builds.js";
export { type FollowOptions, FollowTimeoutError } from "./builds/follow.js";
export type { Job, JobAgent, JobSignature, JobStep } from "./builds/job.js";
export type { Pipeline, PipelineProvider, PipelineProviderSettings } from "./builds/pipeline.js";
export type { BuildGetQuery, BuildQuery, BuildStateFilter } from "./builds/query.js";
export { BuildPipelineClient } from "./client.js";
export type { Cluster, ClusterCreate, Clusters, ClusterUpdate } from "./clusters.js";
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnexpectedStatusError,
  ValidationError,
} from "./errors/api-errors.js";
export type { RequestOutcome } from "./errors/build-pipeline-error.js";
export { BuildPipelineError, mayHaveBeenCarriedOut, outcomeOf } from "./errors/build-pipeline-error.js";
export { ArgumentError, ConfigurationError } from "./errors/invalid-input.js";
export {
  ConnectionError,
  type Delivered,
  TimeoutError,
  UnexpectedResponseError,
} from "./errors/transmission-errors.js";
export type { Member, Members } from "./members.js";
export { operations } from "./operations.js";
export type { Organization, Organizations } from "./organizations.js";
export type {
  PipelineTemplate,
  PipelineTemplateCreate,
  PipelineTemplates,
  PipelineTemplateUpdate,
} from "./pipeline-templates.js";
export type { Queue, QueueCreate, QueuePause, Queues, QueueUpdate } from "./queues.js";
export type { Run, RunQuery, Runs } from "./runs.js";
export type { Suite, SuiteCreate, Suites, SuiteUpdate } from "./suites.js";
export type { Team, TeamQuery, Teams, TeamWrite, TeamWriteResult } from "./teams.js";
export { type Clock, systemClock } from "./transport/clock.js";
export type {
  ClientEvent,
  IncomingResponse,
  OutgoingRequest,
  RateLimitEvent,
  RetryEvent,
} from "./transport/events.js";
export type { Method } from "./transport/exchange.js";
export type { BuildPipelineClientOptions } from "./transport/options.js";
