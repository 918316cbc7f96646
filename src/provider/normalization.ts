import { isUnknown } from "../protocol/encoded-values.js";
import type { AnyKind } from "../resources/kind.js";
import { toolkit } from "../resources/rules/toolkit.js";
import type { Arguments, Draft } from "../resources/value-roles.js";

/**
 * Returns arguments with defaults, in the form in which the state keeps them.
 *
 * @param old those in state
 */
export function normalized(kind: AnyKind, old: Arguments, given: Arguments): Arguments {
  const args: Draft<Arguments> = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    const value = given[name] ?? field.default;
    if (value === undefined) continue;
    args[name] =
      field.normalize === undefined || isUnknown(value) ? value : field.normalize(value, toolkit, old[name]);
  }
  return args;
}
