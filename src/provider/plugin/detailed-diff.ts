import { isDeepStrictEqual } from "node:util";
import type { Properties } from "../../shared/protocol/encoded-values.js";

/** The change of a property. */
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
  if (isAbsent(old) && isAbsent(next)) return;
  if (isAbsent(old) || isAbsent(next)) {
    changes.set(path, { kind: isAbsent(old) ? "add" : "delete", replaces });
    return;
  }
  const entries = entriesOf(old, next);
  if (entries === undefined) changes.set(path, { kind: "update", replaces });
  for (const [step, before, after] of entries ?? []) {
    if (!isDeepStrictEqual(before, after)) collect(changes, path + step, [before, after], replaces);
  }
}

/** Returns the values at each step into two lists or two maps; undefined if one of them is something else. */
function entriesOf(
  old: unknown,
  next: unknown,
): [step: string, before: unknown, after: unknown][] | undefined {
  if (Array.isArray(old) && Array.isArray(next)) {
    const longest: unknown[] = old.length > next.length ? old : next;
    return longest.map((_, index) => [`[${index}]`, old[index], next[index]]);
  }
  if (!isMap(old) || !isMap(next)) return undefined;
  return [...new Set([...Object.keys(old), ...Object.keys(next)])].map((key) => [
    stepInto(key),
    old[key],
    next[key],
  ]);
}

/** Returns the engine's spelling of a step into a map. */
function stepInto(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isMap(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
