/**
 * The service of the Build Pipeline Service REST API on your own machine: for tests of programs that use it, and to
 * try things out. It shares nothing with the client, so what works with both is no accident.
 *
 * @module
 */

import "../node-version.js";

export type { TestResults } from "./control/run-progress.js";
export type { BuildReference, Emulator, NewAccessToken } from "./emulator.js";
export type { Fault, FaultAction, FaultRule } from "./http/faults.js";
export type { RateLimits } from "./http/limits.js";
export type { RecordedRequest } from "./http/request-log.js";
export { type Scope, scopes } from "./http/scopes.js";
export { type EmulatorOperation, emulatorOperations } from "./operations.js";
export type { EmulatorOptions } from "./options.js";
export { startEmulator } from "./start.js";
export type { Collection, StoredRecord } from "./store/collection.js";
export type { OrganizationData } from "./store/organization-data.js";
export type {
  AccessTokenRecord,
  AgentRecord,
  AgentTokenRecord,
  BuildRecord,
  ClusterRecord,
  JobRecord,
  OrganizationRecord,
  PipelineRecord,
  PipelineStep,
  PipelineTemplateRecord,
  QueueRecord,
  RunRecord,
  SuiteRecord,
  TeamRecord,
  UserRecord,
} from "./store/records.js";
export type { Snapshot } from "./store/store.js";
export { defaultVariations, type Variations } from "./variations.js";
