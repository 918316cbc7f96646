import { isDeepStrictEqual } from "node:util";
import type { Properties } from "../../shared/protocol/encoded-values.js";

export interface PropertyChange {
  readonly kind: "add" | "delete" | "update";
  readonly replaces: boolean;
}

/**
 * Returns the changes of some properties, each by its path: entries of lists and of maps have separate lines.
 *
 * @param names properties that change; another one may have another spelling of the same value
 * @param replaces those of them that replace the resource
 */
export function detailedDiff(
  old: Properties,
  next: Properties,
  names: Iterable<string>,
  replaces: readonly string[],
): ReadonlyMap<string, PropertyChange> {
  const changes = new Map<string, PropertyChange>();
  for (const name of names) collect(changes, name, [old[name], next[name]], replaces.includes(name));
  return changes;
}

function collect(
  changes: Map<string, PropertyChange>,
  path: string,
  [old, next]: readonly [unknown, unknown],
  replaces: boolean,
): void {
  if (isAbsent(old) || isAbsent(next)) {
    if (isAbsent(old) !== isAbsent(next))
      changes.set(path, { kind: isAbsent(old) ? "add" : "delete", replaces });
  } else if (hasEntries(old) && hasEntries(next) && Array.isArray(old) === Array.isArray(next)) {
    for (const key of new Set([...Object.keys(old), ...Object.keys(next)])) {
      const step = Array.isArray(old) ? `[${key}]` : stepInto(key);
      if (!isDeepStrictEqual(old[key], next[key]))
        collect(changes, path + step, [old[key], next[key]], replaces);
    }
  } else changes.set(path, { kind: "update", replaces });
}

/** Returns the engine's spelling of a step into a map. */
function stepInto(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function hasEntries(value: unknown): value is Properties {
  return typeof value === "object" && value !== null;
}
