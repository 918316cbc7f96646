import "./shared/process/node-version.js";

export * from "./provider/functions/index.js";
export { LookupError } from "./provider/functions/invoke/lookup-error.js";
export type { EmbeddedUser } from "./provider/kind/kind.js";
export { Provider, type ProviderArgs } from "./provider/program/provider.js";
export type { ResourceOptions } from "./provider/program/registration.js";
export * from "./provider/resources/index.js";
export { QueueRetryAgentAffinity } from "./provider/resources/queue.js";
export {
  RotatingAgentToken,
  type RotatingAgentTokenArgs,
} from "./provider/resources/rotating-agent-token.js";
export { TeamDefaultMemberRole, TeamPrivacy } from "./provider/resources/team.js";
export { TeamMemberRole } from "./provider/resources/team-member.js";
export { TeamSuiteAccessLevel } from "./provider/resources/team-suite.js";
