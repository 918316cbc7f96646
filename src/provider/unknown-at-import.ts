import type { Properties } from "../protocol/encoded-values.js";
import { namesAmong, UNKNOWN_AT_IMPORT } from "../protocol/properties.js";
import type { AnyKind } from "../resources/kind.js";
import type { Arguments, Observed, Outputs } from "../resources/value-roles.js";

/** Returns the names of the arguments that the API may leave out of a response and that `values` lack. */
export function unknownAtImport(kind: AnyKind, values: Arguments | Observed | Outputs): string[] {
  return Object.entries(kind.arguments)
    .filter(([name, { returnedSometimes }]) => returnedSometimes && !Object.hasOwn(values, name))
    .map(([name]) => name);
}

/** Returns those of them that a program has to give, because every update sends them. */
export function requiredAtImport(kind: AnyKind, values: Arguments | Observed | Outputs): string[] {
  return kind.updatesSendAll ? unknownAtImport(kind, values) : [];
}

/** Returns those of them that the state notes: a program may give them, and its word is then no change. */
export function notedAtImport(kind: AnyKind, observed: Observed): string[] {
  return kind.updatesSendAll ? [] : unknownAtImport(kind, observed);
}

/** Returns the names of all arguments about which an import learned nothing: the state's inputs note them. */
export function unspokenAtImport(kind: AnyKind, observed: Observed): string[] {
  return lackedNames(kind).filter((name) => !Object.hasOwn(observed, name));
}

/**
 * Completes outputs with arguments that no response had. Their value is the last that the program gave; after an import
 * by the engine, before which it gave none, it is the first.
 */
export function withUnreturned(
  kind: AnyKind,
  outs: Properties,
  oldInputs: Properties,
  news: Properties,
): Properties {
  const unspoken = namesAmong(oldInputs[UNKNOWN_AT_IMPORT]);
  const completed = { ...outs };
  for (const name of lackedNames(kind)) {
    if (outs[name] !== undefined) continue;
    const isFirst = kind.updatesSendAll || unspoken.has(name);
    completed[name] = oldInputs[name] ?? (isFirst ? news[name] : undefined);
  }
  return completed;
}

/** Returns the names of the arguments that responses leave out, some always and some at times. */
function lackedNames(kind: AnyKind): string[] {
  return Object.entries(kind.arguments)
    .filter(
      ([name, field]) => name !== kind.parent?.argument && (field.returnedSometimes || !field.returnedAs),
    )
    .map(([name]) => name);
}
