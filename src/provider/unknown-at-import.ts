import type { Properties } from "../protocol/encoded-values.js";
import { UNKNOWN_AT_IMPORT } from "../protocol/properties.js";
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

/** Returns the names of the arguments that outputs lack because the import that made them found no value. */
export function unknownInState(kind: AnyKind, outs: Properties): string[] {
  const noted = outs[UNKNOWN_AT_IMPORT];
  const names = Array.isArray(noted)
    ? Object.keys(kind.arguments).filter((name) => noted.includes(name))
    : [];
  return [...requiredAtImport(kind, outs), ...names.filter((name) => outs[name] === undefined)];
}
