import { problemsOf } from "../../../provider/kind/argument-problems.js";
import type { AnyKind } from "../../../provider/kind/kind.js";
import type { Arguments } from "../../../provider/kind/value-roles.js";
import { type Observer, observedBy } from "../../../provider/lifecycle/missing/marks.js";
import { argumentsFor, importedState } from "../../../provider/lifecycle/operations/imported-state.js";
import { unconfirmed, unreadableSecrets } from "../../../provider/lifecycle/operations/unreturned.js";
import type { Reconciled } from "../../../provider/lifecycle/values/codec.js";
import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { providerReference } from "../../../shared/protocol/properties.js";
import type { LiveObject } from "./live-object.js";

/** An object of the service as a program would declare it. */
export function declarable({ kind, observed, entity }: LiveObject) {
  const args = argumentsFor(kind, observed);
  const secrets = unreadableSecrets(kind);
  const refused = kind.importing?.refused?.(entity);
  const names = Object.keys(kind.arguments).filter((name) => !secrets.includes(name));
  return {
    /** Arguments that say no more than what the object is, in the order of the kind's own. */
    args,
    /** Arguments that the service did not return, and that every update sends. A program omits them as well. */
    unconfirmed: unconfirmed(kind, observed),
    /** Arguments that the program takes from its configuration. */
    secrets,
    /** Reasons why no program can declare it as it is, a line each. Mostly empty. */
    problems: [
      ...(refused === undefined ? [] : [`The ${kind.words.noun} ${refused}`]),
      ...names.flatMap((name) => problemsOf(kind, name, args[name], false).map(({ text }) => text)),
    ],
  };
}

/** Returns the state that Pulumi's own import adds of an object which a program declares as it is. */
export function stateOf({ kind, observed }: LiveObject, organization: string, observer: Observer) {
  const { inputs, outs } = importedState(kind, organization, argumentsFor(kind, observed), observed);
  return withProvider(kind, { inputs, outs: observedBy(kind, outs, observer) });
}

/**
 * Returns a value that a program may give to one object only, unless it ignores changes of the argument. Example: names
 * of teams that lead to one slug. Undefined if several objects may have it.
 */
export function claimOf({ kind, parent }: LiveObject, args: Arguments) {
  const { once } = kind;
  const value = once && args[once.argument];
  // Within another object, the service itself refuses equal values.
  if (once === undefined || once.tolerated || parent !== undefined || typeof value !== "string")
    return undefined;
  return { argument: once.argument, claim: `${kind.name} ${once.form?.(value) ?? value}` };
}

export function withProvider(
  { name }: AnyKind,
  { inputs, outs }: Reconciled,
): Readonly<Record<"inputs" | "outputs", Properties>> {
  const __provider = providerReference(name);
  return { inputs: { ...inputs, __provider }, outputs: { ...outs, __provider } };
}
