import "./node-version.js";

export { Provider, type ProviderArgs } from "./configuration/provider.js";
export * from "./lookups/index.js";
export { LookupError } from "./lookups/invoke/lookup-error.js";
export type { EmbeddedUser } from "./resources/embedded-user.js";
export * from "./resources/index.js";
export type { ResourceOptions } from "./resources/registration.js";
export { RotatingAgentToken, type RotatingAgentTokenArgs } from "./resources/rotating-agent-token.js";
export { TeamDefaultMemberRole, TeamPrivacy } from "./resources/team-choices.js";
