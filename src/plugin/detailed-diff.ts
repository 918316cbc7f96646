import { isDeepStrictEqual } from "node:util";
import type { Properties } from "../provider/engine-values.js";

/** What becomes of a property. */
export interface Change {
  readonly kind: "add" | "delete" | "update";
  readonly replaces: boolean;
}

/**
 * The changes of some properties, each by its path: entries of lists and of maps have a line of their own.
 *
 * @param names properties that change; another one may have another spelling of the same value
 * @param replaces those of them that replace the resource
 */
export function detailedDiff(
  old: Properties,
  next: Properties,
  names: Iterable<string>,
  replaces: readonly string[],
): ReadonlyMap<string, Change> {
  const changes = new Map<string, Change>();
  for (const name of names) collect(changes, name, old[name], next[name], replaces.includes(name));
  return changes;
}

function collect(
  changes: Map<string, Change>,
  path: string,
  old: unknown,
  next: unknown,
  replaces: boolean,
): void {
  if (isAbsent(old) && isAbsent(next)) return;
  if (isAbsent(old) || isAbsent(next)) {
    changes.set(path, { kind: isAbsent(old) ? "add" : "delete", replaces });
  } else if (Array.isArray(old) && Array.isArray(next)) {
    for (let index = 0; index < Math.max(old.length, next.length); index++) {
      collectChanged(changes, `${path}[${index}]`, old[index], next[index], replaces);
    }
  } else if (isMap(old) && isMap(next)) {
    for (const key of new Set([...Object.keys(old), ...Object.keys(next)])) {
      collectChanged(changes, `${path}${step(key)}`, old[key], next[key], replaces);
    }
  } else {
    changes.set(path, { kind: "update", replaces });
  }
}

function collectChanged(
  changes: Map<string, Change>,
  path: string,
  old: unknown,
  next: unknown,
  replaces: boolean,
): void {
  if (!isDeepStrictEqual(old, next)) collect(changes, path, old, next, replaces);
}

/** The engine's spelling of a step into a map. */
function step(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isMap(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
