import { PROVIDER } from "../../shared/protocol/properties.js";

/** Returns the parts of a property path as Pulumi's options have it: `a.b[0]["c"]`, and `*` for every one. */
export function partsOfPath(path: string): string[] {
  const parts = path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[([^\]]*)\]|([^.[\]]+)/g);
  return [...parts].map(
    ([, quoted, index, name]) => quoted?.replaceAll(/\\(.)/g, "$1") ?? index ?? name ?? "",
  );
}

export function pathsIn(option: unknown): string[] {
  return Array.isArray(option) ? option.filter((path) => typeof path === "string") : [];
}

/**
 * Returns paths of the option `ignoreChanges` that are about arguments alone: "*" becomes their names. The engine would
 * otherwise also ignore `__provider`, which a resource that the plugin deployed lacks, and find no dynamic provider.
 */
export function pathsOfArguments(paths: readonly string[], names: readonly string[]): string[] {
  return paths
    .flatMap((path) => (partsOfPath(path).join() === "*" ? names : [path]))
    .filter((path) => !argumentsOfPaths([path]).has(PROVIDER));
}

/** Returns the arguments that paths are about: the first part of each. */
export function argumentsOfPaths(paths: unknown): ReadonlySet<string> {
  return new Set(pathsIn(paths).map((path) => partsOfPath(path)[0] ?? ""));
}

/** Returns a value with the part at a path as another value has it, as the engine ignores changes of it. */
export function withPartOf(value: unknown, [part, ...rest]: readonly string[], other: unknown): unknown {
  if (part === undefined) return other;
  if (!isContainer(value) || !isContainer(other) || Array.isArray(value) !== Array.isArray(other))
    return value;
  const names = part === "*" ? [...new Set([...Object.keys(value), ...Object.keys(other)])] : [part];
  const parts = new Map(Object.entries(value));
  for (const name of names) {
    const [ours, theirs] = [
      parts.get(name),
      Object.hasOwn(other, name) ? Reflect.get(other, name) : undefined,
    ];
    // A list keeps its length: an entry that only one of two lists has is a difference.
    if (Array.isArray(value) ? ours !== undefined && theirs !== undefined : true)
      parts.set(name, withPartOf(ours, rest, theirs));
  }
  if (Array.isArray(value)) return [...parts.values()];
  return Object.fromEntries([...parts].filter(([, entry]) => entry !== undefined));
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
