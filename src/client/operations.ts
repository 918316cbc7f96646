import type { OperationFacts } from "./operation.js";
import { accessTokenOperations } from "./sections/access-token.js";
import { agentTokenOperations } from "./sections/agent-tokens.js";
import { agentOperations } from "./sections/agents.js";
import { buildOperations } from "./sections/builds.js";
import { clusterOperations } from "./sections/clusters.js";
import { memberOperations } from "./sections/members.js";
import { organizationOperations } from "./sections/organizations.js";
import { pipelineTemplateOperations } from "./sections/pipeline-templates.js";
import { queueOperations } from "./sections/queues.js";
import { runOperations } from "./sections/runs.js";
import { suiteOperations } from "./sections/suites.js";
import { teamOperations } from "./sections/teams.js";

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
 * Every operation of the API document, in its order: what the client calls it, its method and path, the scope it needs,
 * and the section that documents it.
 *
 * @example
 * ```ts
 * const scopes = new Set(operations.map(({ scope }) => scope));
 * ```
 */
export const operations: readonly OperationFacts[] = groups.flatMap((group) =>
  Object.values(group).map(({ id, method, path, scope, section }) => ({ id, method, path, scope, section })),
);
