import { isDeepStrictEqual } from "node:util";
import { PropertyDiff } from "@pulumi/pulumi/proto/provider_pb.js";
import type { Properties } from "../../shared/protocol/encoded-values.js";

const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = PropertyDiff.Kind;

/**
 * Returns the changes of the named properties, each by its path: entries of lists and of maps have separate lines.
 * Another property may have another spelling of the same value.
 */
export function detailedDiff(
  old: Properties,
  next: Properties,
  names: Iterable<string>,
  replaces: readonly string[],
): ReadonlyMap<string, PropertyDiff> {
  const changes = new Map<string, PropertyDiff>();
  const collect = (path: string, from: unknown, to: unknown, replacing: boolean): void => {
    const set = (kind: PropertyDiff.Kind, replacement: PropertyDiff.Kind) =>
      changes.set(path, new PropertyDiff().setKind(replacing ? replacement : kind));
    if (from == null && to == null) return;
    if (from == null) set(ADD, ADD_REPLACE);
    else if (to == null) set(DELETE, DELETE_REPLACE);
    else if (hasEntries(from) && hasEntries(to) && Array.isArray(from) === Array.isArray(to)) {
      for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
        const step = Array.isArray(from) ? `[${key}]` : stepInto(key);
        if (!isDeepStrictEqual(from[key], to[key])) collect(path + step, from[key], to[key], replacing);
      }
    } else set(UPDATE, UPDATE_REPLACE);
  };
  for (const name of names) collect(name, old[name], next[name], replaces.includes(name));
  return changes;
}

function stepInto(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function hasEntries(value: unknown): value is Properties {
  return typeof value === "object" && value !== null;
}
