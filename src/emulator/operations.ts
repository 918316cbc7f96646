import type { Operation } from "./http/operation.js";
import type { Scope } from "./http/scopes.js";
import { accessTokenOperations } from "./routes/access-token.js";
import { agentTokenOperations } from "./routes/agent-tokens.js";
import { agentOperations } from "./routes/agents.js";
import { buildOperations } from "./routes/builds.js";
import { clusterOperations } from "./routes/clusters.js";
import { memberOperations } from "./routes/members.js";
import { organizationOperations } from "./routes/organizations.js";
import { pipelineTemplateOperations } from "./routes/pipeline-templates.js";
import { queueOperations } from "./routes/queues.js";
import { runOperations } from "./routes/runs.js";
import { suiteOperations } from "./routes/suites.js";
import { teamOperations } from "./routes/teams.js";

/** All operations of section 4 of the API document, in its order. */
export const operations: readonly Operation[] = [
  ...clusterOperations,
  ...queueOperations,
  ...agentTokenOperations,
  ...pipelineTemplateOperations,
  ...teamOperations,
  ...suiteOperations,
  ...runOperations,
  ...agentOperations,
  ...organizationOperations,
  ...memberOperations,
  ...accessTokenOperations,
  ...buildOperations,
];

/** What is known of an operation from outside. */
export interface EmulatorOperation {
  /** `<group>.<method>`, as `queues.pauseDispatch`. */
  readonly id: string;
  readonly method: string;
  /** With placeholders in braces. */
  readonly path: string;
  /** The section of the API document. */
  readonly section: string;
  /** The scope an access token needs; null when none. */
  readonly scope: Scope | null;
  readonly summary: string;
}

/** Every operation the emulator serves: one entry for each of section 4 of the API document. */
export const emulatorOperations: readonly EmulatorOperation[] = operations.map(
  ({ id, method, path, section, scope, summary }) => ({ id, method, path, section, scope, summary }),
);
