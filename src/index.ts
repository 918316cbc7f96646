import "./shared/process/node-version.js";

export * from "./provider/functions/index.js";
export { LookupError } from "./provider/functions/invoke/lookup-error.js";
export type { EmbeddedUser } from "./provider/kind/kind.js";
export { Provider, type ProviderArgs } from "./provider/program/provider.js";
export type { ResourceOptions } from "./provider/program/registration.js";
export * from "./provider/resources/enumerations.js";
export * from "./provider/resources/index.js";
export {
  RotatingAgentToken,
  type RotatingAgentTokenArgs,
} from "./provider/resources/rotating-agent-token.js";
