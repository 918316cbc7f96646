import { IMPORT, ORGANIZATION, SECRETS } from "../protocol/properties.js";
import { type Properties, UNKNOWN } from "../protocol/values.js";
import type { OutputField } from "../resources/field.js";
import type { AnyKind } from "../resources/kind.js";
import { reconcile } from "./codec.js";
import { changedNames } from "./equality.js";
import { argumentsOf, identityIn, managedArguments } from "./state.js";

/**
 * What the state will have after a creation: the arguments, and everything that the service decides as not known yet.
 *
 * @param inputs checked inputs of the program
 */
export function creationPreview(kind: AnyKind, inputs: Properties): Properties {
  const identity = { organization: String(inputs[ORGANIZATION]), secrets: inputs[SECRETS] };
  const { outs } = reconcile(kind, identity, argumentsOf(kind, inputs), {}, {});
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (outs[name] === undefined && field.whenOmitted === "unmanaged") outs[name] = UNKNOWN;
  }
  for (const name of Object.keys(kind.outputs)) outs[name] = UNKNOWN;
  return outs;
}

/**
 * What the state will have after an update: what stays is known, and only what the change may change is not.
 *
 * @param olds outputs in state
 * @param news checked inputs of the program
 */
export function updatePreview(kind: AnyKind, olds: Properties, news: Properties): Properties {
  const args = argumentsOf(kind, news);
  const organization = String(olds[ORGANIZATION] ?? news[ORGANIZATION]);
  const identity = { ...identityIn(olds, organization), import: news[IMPORT], secrets: news[SECRETS] };
  const { outs } = reconcile(kind, identity, args, {}, olds);
  const changed = changedNames(kind, managedArguments(kind, olds), args);
  for (const [name, field] of Object.entries(kind.outputs)) {
    if (mayChange(field, changed)) outs[name] = UNKNOWN;
  }
  return outs;
}

/** Names of the outputs that an update leaves as they are. */
export function stableOutputs(kind: AnyKind, changed: ReadonlySet<string>): string[] {
  return Object.entries(kind.outputs)
    .filter(([, field]) => !mayChange(field, changed))
    .map(([name]) => name);
}

function mayChange({ spells, changesWith }: OutputField<string>, changed: ReadonlySet<string>): boolean {
  if (changesWith === "any") return changed.size > 0;
  return [...(changesWith ?? []), ...(spells === undefined ? [] : [spells])].some((name) =>
    changed.has(name),
  );
}
