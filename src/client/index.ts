import "../node-version.js";

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
export type { Method, OperationFacts } from "./api/operation.js";
export type { Scope } from "./api/scope.js";
export type { Build, RebuiltFrom } from "./builds/build.js";
export type { BuildCreate, Builds } from "./builds/builds.js";
export type { FollowOptions } from "./builds/follow.js";
export type { Job, JobAgent, JobSignature, JobStep } from "./builds/job.js";
export type { Pipeline, PipelineProvider, PipelineProviderSettings } from "./builds/pipeline.js";
export type { BuildGetQuery, BuildQuery, BuildStateFilter } from "./builds/query.js";
export { BuildPipelineClient } from "./client.js";
export { type Clock, systemClock } from "./clock.js";
export type { Cluster, ClusterCreate, Clusters, ClusterUpdate } from "./clusters.js";
export { ApiError } from "./errors/api-error.js";
export { ArgumentError } from "./errors/argument-error.js";
export { AuthenticationError } from "./errors/authentication-error.js";
export { BadRequestError } from "./errors/bad-request-error.js";
export { BuildPipelineError } from "./errors/build-pipeline-error.js";
export { ConfigurationError } from "./errors/configuration-error.js";
export { ConflictError } from "./errors/conflict-error.js";
export { ConnectionError, type Delivered } from "./errors/connection-error.js";
export { FollowTimeoutError } from "./errors/follow-timeout-error.js";
export { mayHaveBeenCarriedOut, outcomeOf } from "./errors/may-have-been-carried-out.js";
export { NotFoundError } from "./errors/not-found-error.js";
export { PermissionError } from "./errors/permission-error.js";
export { RateLimitError } from "./errors/rate-limit-error.js";
export type { RequestOutcome } from "./errors/request-outcome.js";
export { ServerError } from "./errors/server-error.js";
export { TimeoutError } from "./errors/timeout-error.js";
export { UnexpectedResponseError } from "./errors/unexpected-response-error.js";
export { UnexpectedStatusError } from "./errors/unexpected-status-error.js";
export { ValidationError } from "./errors/validation-error.js";
export type {
  ClientEvent,
  IncomingResponse,
  OutgoingRequest,
  RateLimitEvent,
  RetryEvent,
} from "./events.js";
export type { Member, Members } from "./members.js";
export { operations } from "./operations.js";
export type { BuildPipelineClientOptions } from "./options.js";
export type { Organization, Organizations } from "./organizations.js";
export type { List } from "./pages/list.js";
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
export type { User } from "./user.js";
