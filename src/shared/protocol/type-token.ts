import { typeOfUrn } from "./urn.js";

/** How the engine reaches what serves a resource: the dynamic-provider host, or this package's plugin. */
export type Backend = "dynamic" | "plugin";

/** Returns the type token of a kind: `pulumi-nodejs:dynamic/buildpipeline:Queue` or `buildpipeline:index:Queue`. */
export function typeToken(kind: string, backend: Backend = "dynamic"): string {
  return backend === "dynamic"
    ? `pulumi-nodejs:dynamic/buildpipeline:${kind}`
    : `buildpipeline:index:${kind}`;
}

/** Type token of a component. URNs of its tokens contain it, so it is the same in both backends. */
export const ROTATING_AGENT_TOKEN = "buildpipeline:index:RotatingAgentToken";

const TYPE_TOKEN = /^(?:pulumi-nodejs:dynamic\/buildpipeline|buildpipeline:index):(\w+)$/;

/** Returns the kind of a type token of this package. Undefined for a component, and for any other type. */
export function kindOfType(type: string): string | undefined {
  return type === ROTATING_AGENT_TOKEN ? undefined : TYPE_TOKEN.exec(type)?.[1];
}

/** Returns the kind of the resource that a URN is of, if it is one of this package's. */
export function kindOfUrn(urn: string): string | undefined {
  return kindOfType(typeOfUrn(urn));
}

/** Returns the backend that serves resources of a type token. */
export function backendOfType(type: string): Backend {
  return type.startsWith("buildpipeline:") ? "plugin" : "dynamic";
}

const FUNCTION_TOKEN = /^buildpipeline:index:(get\w+)$/;

/** Returns the token of a function: `buildpipeline:index:getCluster`. */
export function functionToken(name: string): string {
  return `buildpipeline:index:${name}`;
}

/** Returns the name of the function of a token, if it is one of this package's. */
export function functionOfToken(token: string): string | undefined {
  return FUNCTION_TOKEN.exec(token)?.[1];
}
