/**
 * Runs the Build Pipeline Service REST API on your own machine, for tests and trials. It shares no code with the
 * client, so that agreement between them has a meaning.
 *
 * @module
 */

import "../shared/process/node-version.js";

export type { AccessTokenRecord } from "./access-token.js";
export type { AgentTokenRecord } from "./agent-tokens.js";
export type { AgentRecord } from "./agents.js";
export type { BuildRecord } from "./builds/build.js";
export type { JobRecord } from "./builds/jobs.js";
export type { FinishedJobs } from "./builds/work.js";
export type { ClusterSecretRecord } from "./cluster-secrets.js";
export type { ClusterRecord } from "./clusters.js";
export type { BuildReference, Emulator, EmulatorOptions, NewAccessToken, PerformedCall } from "./emulator.js";
export type { Fault, FaultAction, FaultRule, FaultTarget, LateAnswer } from "./http/faults.js";
export type { RateLimits } from "./http/limits.js";
export { type Scope, scopes } from "./http/operation.js";
export type { RecordedRequest } from "./http/request-log.js";
export type { ClusterMaintainerRecord } from "./maintainers.js";
export type { UserRecord } from "./model/entity.js";
export { defaultVariations, type Variations } from "./model/variations.js";
export type { NotificationServiceRecord } from "./notification-services.js";
export type { OrganizationRuleRecord } from "./organization-rules.js";
export type { OrganizationRecord } from "./organizations.js";
export type { PipelineScheduleRecord } from "./pipeline-schedules.js";
export type { PipelineTemplateRecord } from "./pipeline-templates.js";
export type { PipelineRecord } from "./pipelines/record.js";
export type { PipelineStep } from "./pipelines/steps.js";
export type { QueueRecord } from "./queues.js";
export type { RunRecord, TestResults } from "./runs.js";
export { type EmulatorOperation, emulatorOperations } from "./sections.js";
export { startEmulator } from "./start.js";
export type { Collection, OrganizationData, StoredRecord } from "./store/collection.js";
export type { Snapshot } from "./store/store.js";
export type { SuiteRecord } from "./suites.js";
export type { TeamPipelineRecord } from "./team-pipelines.js";
export type { TeamSuiteRecord } from "./team-suites.js";
export type { TeamRecord } from "./teams.js";
