import "../node-version.js";

/** The typed client of the Build Pipeline Service REST API v2: `pulumi-buildpipeline/client`. */
export type { RequestOptions } from "./api.js";
export { BuildPipelineClient } from "./client.js";
export { type Clock, systemClock } from "./clock.js";
export type { BuildPipelineClientOptions } from "./configuration.js";
export type { AccessTokenDescription } from "./entities/access-token-description.js";
export type { Agent } from "./entities/agent.js";
export type { AgentToken, CreatedAgentToken } from "./entities/agent-token.js";
export type { Build, RebuiltFrom } from "./entities/build.js";
export type { Cluster } from "./entities/cluster.js";
export type { Job, JobAgent, JobSignature, JobStep } from "./entities/job.js";
export type { Member } from "./entities/member.js";
export type { Organization } from "./entities/organization.js";
export type { Pipeline, PipelineProvider, PipelineProviderSettings } from "./entities/pipeline.js";
export type { PipelineTemplate } from "./entities/pipeline-template.js";
export type { Queue } from "./entities/queue.js";
export type { Run } from "./entities/run.js";
export type { Suite } from "./entities/suite.js";
export type { Team, TeamWriteResult } from "./entities/team.js";
export type { User } from "./entities/user.js";
export { ApiError } from "./errors/api-error.js";
export { ArgumentError } from "./errors/argument-error.js";
export { AuthenticationError } from "./errors/authentication-error.js";
export { BadRequestError } from "./errors/bad-request-error.js";
export { BuildPipelineError } from "./errors/build-pipeline-error.js";
export { ConfigurationError } from "./errors/configuration-error.js";
export { ConflictError } from "./errors/conflict-error.js";
export { ConnectionError, type Delivered } from "./errors/connection-error.js";
export { FollowTimeoutError } from "./errors/follow-timeout-error.js";
export { mayHaveBeenCarriedOut } from "./errors/may-have-been-carried-out.js";
export { NotFoundError } from "./errors/not-found-error.js";
export { PermissionError } from "./errors/permission-error.js";
export { RateLimitError } from "./errors/rate-limit-error.js";
export { ServerError } from "./errors/server-error.js";
export { TimeoutError } from "./errors/timeout-error.js";
export { UnexpectedResponseError } from "./errors/unexpected-response-error.js";
export { UnexpectedStatusError } from "./errors/unexpected-status-error.js";
export { ValidationError } from "./errors/validation-error.js";
export type { ClientEvent, RateLimitEvent, RetryEvent } from "./events.js";
export type { FollowOptions } from "./follow.js";
export type { Method, OperationFacts } from "./operation.js";
export { operations } from "./operations.js";
export type { List } from "./pages/list.js";
export type { Scope } from "./scope.js";
export type { AccessToken } from "./sections/access-token.js";
export type { AgentTokenCreate, AgentTokens, AgentTokenUpdate } from "./sections/agent-tokens.js";
export type { AgentQuery, AgentStop, Agents } from "./sections/agents.js";
export type { BuildGetQuery, BuildQuery, BuildStateFilter } from "./sections/build-query.js";
export type { BuildCreate, Builds } from "./sections/builds.js";
export type { ClusterCreate, Clusters, ClusterUpdate } from "./sections/clusters.js";
export type { Members } from "./sections/members.js";
export type { Organizations } from "./sections/organizations.js";
export type {
  PipelineTemplateCreate,
  PipelineTemplates,
  PipelineTemplateUpdate,
} from "./sections/pipeline-templates.js";
export type { QueueCreate, QueuePause, Queues, QueueUpdate } from "./sections/queues.js";
export type { RunQuery, Runs } from "./sections/runs.js";
export type { SuiteCreate, Suites, SuiteUpdate } from "./sections/suites.js";
export type { TeamQuery, Teams, TeamWrite } from "./sections/teams.js";
