import { accessTokenOperations } from "./access-token.js";
import { agentTokenOperations } from "./agent-tokens.js";
import { agentOperations } from "./agents.js";
import type { OperationFacts } from "./api/operation.js";
import { buildOperations } from "./builds/builds.js";
import { clusterOperations } from "./clusters.js";
import { memberOperations } from "./members.js";
import { organizationOperations } from "./organizations.js";
import { pipelineTemplateOperations } from "./pipeline-templates.js";
import { queueOperations } from "./queues.js";
import { runOperations } from "./runs.js";
import { suiteOperations } from "./suites.js";
import { teamOperations } from "./teams.js";

const groups: readonly Readonly<Record<string, OperationFacts>>[] = [
  clusterOperations,
  queueOperations,
  agentTokenOperations,
  pipelineTemplateOperations,
  teamOperations,
  suiteOperations,
  runOperations,
  agentOperations,
  organizationOperations,
  memberOperations,
  accessTokenOperations,
  buildOperations,
];

/**
 * Lists every operation of the API document, in its order. Each has its name in the client, its method and path, its
 * scope, and its section.
 *
 * @example
 * ```ts
 * const scopes = new Set(operations.map(({ scope }) => scope));
 * ```
 */
export const operations: readonly OperationFacts[] = groups.flatMap((group) =>
  Object.values(group).map(({ id, method, path, scope, section }) => ({ id, method, path, scope, section })),
);
