import { PROVIDER } from "../../shared/protocol/properties.js";

/**
 * Returns paths of the option `ignoreChanges` that are about arguments alone: "*" becomes their names. The engine would
 * otherwise also ignore `__provider`, which a resource that the plugin deployed lacks, and find no dynamic provider.
 */
export function pathsOfArguments(paths: readonly string[], names: readonly string[]): string[] {
  return paths
    .flatMap((path) => (/^(?:\*|\["?\*"?\])$/.test(path) ? names : [path]))
    .filter((path) => !argumentsOfPaths([path]).has(PROVIDER));
}

/** Returns the arguments that paths are about: the first part of each. */
export function argumentsOfPaths(paths: unknown): ReadonlySet<string> {
  const texts = Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  return new Set(texts.map((path) => path.replace(/^\["([^"]+)"\].*$/, "$1").replace(/[.[].*$/, "")));
}
