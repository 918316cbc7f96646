import { typeOfUrn } from "./urn.js";

/** How the engine reaches what serves a resource: the dynamic-provider host, or this package's plugin. */
export type Backend = "dynamic" | "plugin";

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

export function kindOfUrn(urn: string): string | undefined {
  return kindOfType(typeOfUrn(urn));
}

export function backendOfType(type: string): Backend {
  return type.startsWith("buildpipeline:") ? "plugin" : "dynamic";
}

export function functionToken(name: string): string {
  return `buildpipeline:index:${name}`;
}

export function functionOfToken(token: string): string | undefined {
  return /^buildpipeline:index:(get\w+)$/.exec(token)?.[1];
}
