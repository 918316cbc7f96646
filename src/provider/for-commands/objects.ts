import {
  hasSecret,
  isSecret,
  type Properties,
  withoutUndefined,
} from "../../shared/protocol/encoded-values.js";
import { providerReference, secretNames } from "../../shared/protocol/properties.js";
import { brokenRules, problemsOf } from "../kind/argument-problems.js";
import type { AnyKind } from "../kind/kind.js";
import type { Arguments, Observed } from "../kind/value-roles.js";
import { findImported, observedOf } from "../lifecycle/imports/find-imported.js";
import { mismatches } from "../lifecycle/imports/import-match.js";
import { type Observer, observedBy, withMarks } from "../lifecycle/missing/marks.js";
import { argumentsFor, importedState } from "../lifecycle/operations/imported-state.js";
import { unconfirmed, unreadableSecrets } from "../lifecycle/operations/unreturned.js";
import type { Session } from "../lifecycle/run/session.js";
import type { Reconciled } from "../lifecycle/values/codec.js";
import { lossesOf } from "../lifecycle/values/losses.js";
import { idIn } from "../lifecycle/values/state.js";

/** What commands do with the objects of any kind, in addition to the descriptions of kinds. */

export type { Arguments } from "../kind/value-roles.js";
export { wantedValue } from "../lifecycle/imports/holders.js";
export type { ImportMismatch } from "../lifecycle/imports/import-match.js";
export { importName, NamedObjects } from "../lifecycle/imports/import-name.js";
export { needsToken, type Observer } from "../lifecycle/missing/marks.js";
export { namesOf as namesInSteps } from "../lifecycle/operations/named-in-steps.js";
export { unreadableSecrets } from "../lifecycle/operations/unreturned.js";
export { SETTLED_MS } from "../lifecycle/run/recent-objects.js";
export { type Session, sessionPool } from "../lifecycle/run/session.js";

/** An object of the service, as a list returns it. */
export interface ListedObject {
  readonly kind: AnyKind;
  readonly id: string;
  /** Arguments and outputs by their names in a program, as far as a list returns them. */
  readonly observed: Observed;
  readonly entity: object;
}

/** @param parent the id of the object that it lives in. Undefined: the organization */
export function listedObject(kind: AnyKind, entity: object, parent?: string): ListedObject {
  const id = idIn({ kind, parent: parent ?? "" }, entity);
  return { kind, id, observed: observedOf(kind, entity, parent), entity };
}

/**
 * Finds the object that a person names for a resource of a program, and warns of what its replacement would lose.
 *
 * @param declared the arguments of the program, of which `said` has those that are compared
 * @returns how they differ, and the state of the resource that an import adds
 * @throws when no object has the name, or several have it
 */
export async function findDeclaredObject(
  { service, settings: { organization }, reporter }: Session,
  kind: AnyKind,
  name: string,
  { declared, said }: Readonly<Record<"declared" | "said", Properties>>,
) {
  const query = { organization, kind, name, declared, from: "command" } as const;
  const { id, ids, observed } = await findImported(service, query);
  for (const { text } of lossesOf(kind, id, observed, declared)) reporter.warn(text);
  const secrets = secretNames(said);
  const mismatched = await mismatches(kind, said, observed, (argument) => !secrets.has(argument));
  const { inputs, outs } = importedState(kind, organization, said, observed);
  const state = withProvider(kind, { inputs, outs: await withMarks(service, kind, outs) });
  return { id, ids, observed, mismatched, state };
}

/** Returns a line for each argument that an object has otherwise than the inputs of its resource in a state, except secrets. */
export async function differencesFrom(
  inputs: Properties,
  { kind, observed }: ListedObject,
): Promise<string[]> {
  const secrets = secretNames(inputs);
  const isOpen = (name: string) => !secrets.has(name) && !hasSecret(inputs[name]);
  const found = await mismatches(kind, inputs, observed, isOpen, false);
  return found.flatMap(({ argument, text }) => (isOpen(argument) ? [text] : []));
}

/** An object of the service as a program would declare it. */
export function declarable({ kind, observed, entity }: ListedObject) {
  const args = argumentsFor(kind, observed);
  const secrets = unreadableSecrets(kind);
  const { refusal } = kind.importing?.judged?.(entity) ?? {};
  const names = Object.keys(kind.arguments).filter((name) => !secrets.includes(name));
  return {
    /** Arguments that say no more than what the object is, in the order of the kind's own. */
    args,
    /** Arguments that the service did not return, and that every update sends. A program omits them as well. */
    unconfirmed: unconfirmed(kind, observed),
    /** Arguments that the program takes from its configuration. */
    secrets,
    /** A program could create it, whatever the time is. */
    isCreatable: brokenRules(kind, args, () => true, { now: 0, isNew: true, isCreation: true }).length === 0,
    /** Reasons why no program can declare it as it is, a line each. Mostly empty. */
    problems: [
      ...(refusal === undefined ? [] : [`The ${kind.words.noun} ${refusal}`]),
      ...names.flatMap((name) => problemsOf(kind, name, args[name], false).map(({ text }) => text)),
    ],
  };
}

/**
 * Returns the state that Pulumi's own import adds of an object which a program declares as it is, without secrets. A refresh
 * records those that the API returns, and the first deployment those of the program.
 *
 * @param withheld arguments of which the program has a secret in place of the value
 */
export function stateOf(
  { kind, observed }: ListedObject,
  organization: string,
  observer: Observer,
  withheld: readonly string[] = [],
) {
  const { inputs, outs } = importedState(
    kind,
    organization,
    argumentsFor(kind, observed),
    observed,
    withheld,
  );
  const open = Object.fromEntries(Object.entries(outs).filter(([, value]) => !isSecret(value)));
  return withProvider(kind, { inputs, outs: observedBy(kind, open, observer) });
}

/**
 * Returns a value that a program may give to one object only, unless it ignores changes of the argument. Example: names
 * of teams that lead to one slug. Undefined if several objects may have it.
 */
export function claimOf({ kind, parent }: ListedObject & { readonly parent: unknown }, args: Arguments) {
  const { once } = kind;
  const value = once && args[once.argument];
  // Within another object, the service itself refuses equal values.
  if (once === undefined || once.tolerated === true || parent !== undefined || typeof value !== "string")
    return undefined;
  return { argument: once.argument, claim: `${kind.name} ${once.form?.(value) ?? value}` };
}

function withProvider(
  { name }: AnyKind,
  { inputs, outs }: Reconciled,
): Readonly<Record<"inputs" | "outputs", Properties>> {
  const __provider = providerReference(name);
  return {
    inputs: withoutUndefined({ ...inputs, __provider }),
    outputs: withoutUndefined({ ...outs, __provider }),
  };
}
