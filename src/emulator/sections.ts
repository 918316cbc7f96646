import { accessToken } from "./access-token.js";
import { agentTokens } from "./agent-tokens.js";
import { agents } from "./agents.js";
import { builds } from "./builds/builds.js";
import { clusters } from "./clusters.js";
import type { Operation } from "./http/operation.js";
import { members } from "./members.js";
import { organizations } from "./organizations.js";
import { pipelineTemplates } from "./pipeline-templates.js";
import { queues } from "./queues.js";
import { runs } from "./runs.js";
import { suites } from "./suites.js";
import { teams } from "./teams.js";

/** All operations, in the order of the API document. */
export const operations: readonly Operation[] = [
  clusters,
  queues,
  agentTokens,
  pipelineTemplates,
  teams,
  suites,
  runs,
  agents,
  organizations,
  members,
  accessToken,
  builds,
].flat();

/** Public facts about an operation. */
export type EmulatorOperation = Pick<Operation, "id" | "method" | "path" | "section" | "scope" | "summary">;

/** Every operation the emulator serves: one entry for each in the API document. */
export const emulatorOperations: readonly EmulatorOperation[] = operations.map(
  ({ id, method, path, section, scope, summary }) => ({ id, method, path, section, scope, summary }),
);
