import { isDeepStrictEqual } from "node:util";
import { isUnknown } from "../protocol/encoded-values.js";
import { canonicalText } from "../resources/canonical.js";
import type { AnyKind } from "../resources/kind.js";
import { toolkit } from "../resources/rules/toolkit.js";
import type { Arguments, Observed } from "../resources/value-roles.js";

/** Checks whether two values of an argument are equal. */
export function sameArgument(kind: AnyKind, name: string, a: unknown, b: unknown): boolean {
  const canonical = kind.arguments[name]?.canonical ?? canonicalText;
  return isDeepStrictEqual(canonical(a), canonical(b));
}

/** Returns whether the service's value of an argument means the same as what the user wrote. */
export function sameOnService(kind: AnyKind, name: string, a: unknown, b: unknown): boolean {
  const field = kind.arguments[name];
  if (a === b) return true;
  if (field?.canonicalOnService === undefined) return sameArgument(kind, name, a, b);
  return isDeepStrictEqual(field.canonicalOnService(a, toolkit), field.canonicalOnService(b, toolkit));
}

/** Returns the names of the arguments that change; an unknown value counts as a change. */
export function changedNames(kind: AnyKind, old: Arguments, next: Arguments): Set<string> {
  const names = Object.keys(kind.arguments);
  return new Set(
    names.filter((name) => isUnknown(next[name]) || !sameArgument(kind, name, old[name], next[name])),
  );
}

/**
 * Returns the names of arguments that the service has with another value than was sent. What it doesn't return, what it
 * takes by a separate operation, and what may be unmanaged is never among them.
 *
 * @param names the arguments to compare. Default: all
 */
export function notAsSent(
  kind: AnyKind,
  args: Arguments,
  observed: Observed,
  names: Iterable<string> = Object.keys(kind.arguments),
): string[] {
  return [...names].filter((name) => {
    const field = kind.arguments[name];
    if (field === undefined || field.apply !== undefined || field.whenOmitted === "unmanaged") return false;
    return name in observed && !sameOnService(kind, name, args[name] ?? field.default, observed[name]);
  });
}
