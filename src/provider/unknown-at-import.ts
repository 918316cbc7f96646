import type { Properties } from "../protocol/values.js";
import type { AnyKind } from "../resources/kind.js";

/** Returns the names of the arguments that the API may leave out of a response and that `values` lack. */
export function unknownAtImport(kind: AnyKind, values: Properties): string[] {
  return Object.entries(kind.arguments)
    .filter(([name, { returnedSometimes }]) => returnedSometimes && !Object.hasOwn(values, name))
    .map(([name]) => name);
}

/** Returns those of them that a program has to give, because every update sends them. */
export function requiredAtImport(kind: AnyKind, values: Properties): string[] {
  return kind.updatesSendAll ? unknownAtImport(kind, values) : [];
}
