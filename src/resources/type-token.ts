/** How the engine reaches what serves a resource: the dynamic-provider host, or this package's plugin. */
export type Backend = "dynamic" | "plugin";

/** The type token of a kind: `pulumi-nodejs:dynamic/buildpipeline:Queue` or `buildpipeline:index:Queue`. */
export function typeToken(kind: string, backend: Backend = "dynamic"): string {
  return backend === "dynamic"
    ? `pulumi-nodejs:dynamic/buildpipeline:${kind}`
    : `buildpipeline:index:${kind}`;
}

const TYPE_TOKEN = /^(?:pulumi-nodejs:dynamic\/buildpipeline|buildpipeline:index):(\w+)$/;

/** The kind that a type token is of, when it is one of this package's. */
export function kindOfType(type: string): string | undefined {
  return TYPE_TOKEN.exec(type)?.[1];
}

/** The backend that resources of a type token go through. */
export function backendOfType(type: string): Backend {
  return type.startsWith("buildpipeline:") ? "plugin" : "dynamic";
}
