export { Provider, type ProviderArgs } from "./configuration/provider.js";
export type { EmbeddedUser } from "./resources/embedded-user.js";
export type { ResourceOptions } from "./resources/registration.js";
export * from "./resources/index.js";
