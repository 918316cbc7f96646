import "../../shared/process/node-version.js";

export type { EmbeddedUser } from "../kind/kind.js";
/**
 * The entry for programs with the plugin: the names of the main entry, except `LookupError`, which the functions of the
 * plugin do not throw.
 */
export type { ProviderArgs } from "../program/provider.js";
export type { ResourceOptions } from "../program/registration.js";
export * from "../resources/enumerations.js";
export * from "./functions.generated.js";
export { Provider } from "./provider.js";
export * from "./resources.generated.js";
export { RotatingAgentToken, type RotatingAgentTokenArgs } from "./rotating-agent-token.js";
