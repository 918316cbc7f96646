import "../shared/process/node-version.js";

export type { AccessToken, AccessTokenDescription, AccessTokenUser } from "./access-token.js";
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
export type { User } from "./api/entity.js";
export type { List } from "./api/list.js";
export type { OperationFacts, Scope } from "./api/operation.js";
export type {
  ApiSettings,
  ApiSettingsFeatures,
  ApiSettingsOfOrganization,
  ApiSettingsUpdate,
} from "./api-settings.js";
export type { AuditEvent, AuditEventParty, AuditEvents } from "./audit-events.js";
export type { Build, BuildAuthor, RebuiltFrom } from "./builds/build.js";
export type { BuildCreate, BuildGetQuery, BuildQuery, BuildStateFilter, Builds } from "./builds/builds.js";
export { type FollowOptions, FollowTimeoutError } from "./builds/follow.js";
export type { Job, JobAgent, JobSignature, JobStep } from "./builds/job.js";
export type { BuildPipeline, PipelineProvider, PipelineProviderSettings } from "./builds/pipeline.js";
export { BuildPipelineClient, operations } from "./client.js";
export type {
  ClusterMaintainer,
  ClusterMaintainerCreate,
  ClusterMaintainers,
  MaintainerActor,
} from "./cluster-maintainers.js";
export type {
  ClusterSecret,
  ClusterSecretCreate,
  ClusterSecrets,
  ClusterSecretUpdate,
  ClusterSecretValue,
} from "./cluster-secrets.js";
export type { Cluster, ClusterCreate, ClusterMaintainerLists, Clusters, ClusterUpdate } from "./clusters.js";
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
export {
  ArgumentError,
  BuildPipelineError,
  ConfigurationError,
  mayHaveBeenCarriedOut,
  outcomeOf,
  type RequestOutcome,
} from "./errors/build-pipeline-error.js";
export {
  ConnectionError,
  type Delivered,
  TimeoutError,
  UnexpectedResponseError,
} from "./errors/transmission-errors.js";
export type { Invitation, Invitations } from "./invitations.js";
export type { Member, Members } from "./members.js";
export type {
  NotificationProvider,
  NotificationService,
  NotificationServiceCreate,
  NotificationServices,
  NotificationServiceUpdate,
} from "./notification-services.js";
export type { OrganizationRule, OrganizationRuleCreate, OrganizationRules } from "./organization-rules.js";
export type { Organization, Organizations } from "./organizations.js";
export type {
  PipelineSchedule,
  PipelineScheduleCreate,
  PipelineSchedules,
  PipelineScheduleUpdate,
  SchedulePipeline,
} from "./pipeline-schedules.js";
export type {
  PipelineSettings,
  PipelineSettingsOfOrganization,
  PipelineSettingsUpdate,
  SettingSwitch,
} from "./pipeline-settings.js";
export type {
  PipelineTemplate,
  PipelineTemplateCreate,
  PipelineTemplates,
  PipelineTemplateUpdate,
} from "./pipeline-templates.js";
export type {
  GithubWebhooks,
  Pipeline,
  PipelineAccess,
  PipelineCreate,
  PipelineGithubWebhooks,
  PipelineQuery,
  Pipelines,
  PipelineUpdate,
} from "./pipelines.js";
export type {
  HostedAgents,
  HostedAgentsCreate,
  HostedAgentsUpdate,
  InstanceShape,
  Queue,
  QueueCreate,
  QueuePause,
  Queues,
  QueueUpdate,
} from "./queues.js";
export type { Run, RunQuery, Runs } from "./runs.js";
export type { Suite, SuiteCreate, Suites, SuiteUpdate } from "./suites.js";
export type { TeamMember, TeamMemberCreate, TeamMembers, TeamMemberUpdate } from "./team-members.js";
export type {
  TeamPipeline,
  TeamPipelineCreate,
  TeamPipelines,
  TeamPipelineUpdate,
} from "./team-pipelines.js";
export type { TeamSuite, TeamSuiteCreate, TeamSuites, TeamSuiteUpdate } from "./team-suites.js";
export type { Team, TeamQuery, Teams, TeamWrite, TeamWriteResult } from "./teams.js";
export type { Method } from "./transport/exchange.js";
export {
  type BuildPipelineClientOptions,
  type ClientEvent,
  type Clock,
  type IncomingResponse,
  type OutgoingRequest,
  type RateLimitEvent,
  type RetryEvent,
  systemClock,
} from "./transport/options.js";
