import type { AnyKind } from "../resources/kind.js";
import type { Arguments, Observed, Outputs } from "./values.js";

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
