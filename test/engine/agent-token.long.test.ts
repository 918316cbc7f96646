import { agentTokenCase } from "./kinds/agent-token.js";
import { lifecycle } from "./lifecycle.js";

lifecycle(agentTokenCase);
