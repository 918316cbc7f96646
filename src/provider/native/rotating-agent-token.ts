import * as dynamic from "../resources/rotating-agent-token.js";
import { AgentToken } from "./resources.generated.js";

export type { RotatingAgentTokenArgs } from "../resources/rotating-agent-token.js";

/** {@link dynamic.RotatingAgentToken}, served by the plugin. */
export class RotatingAgentToken extends dynamic.RotatingAgentToken {
  /** @internal */
  static override readonly Token = AgentToken;
}
