import { UNKNOWN } from "../../../shared/protocol/encoded-values.js";
import type { OutputField } from "../../kind/field.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Outputs } from "../../kind/value-roles.js";
import { changedNames, reconcile } from "../values/codec.js";
import type { ChangeRequest, Inputs } from "../values/state.js";

/** Returns what the state will have after a creation: the arguments, and what the service decides as unknown. */
export function creationPreview(kind: AnyKind, { organization, secretNames, args }: Inputs): Outputs {
  const { outs } = reconcile(kind, { organization: String(organization), secretNames, args });
  const unmanaged = Object.keys(kind.arguments).filter(
    (name) => outs[name] === undefined && kind.arguments[name]?.whenOmitted === "unmanaged",
  );
  return { ...outs, ...unknown([...unmanaged, ...Object.keys(kind.outputs)]) };
}

/** Returns what the state will have after an update: only what the change may change is unknown. */
export function updatePreview(kind: AnyKind, { state, inputs }: ChangeRequest): Outputs {
  const organization = String(state.organization ?? inputs.organization);
  const { outs } = reconcile(kind, { ...state, ...inputs, organization });
  const changed = changedNames(kind, state.args, inputs.args);
  const mayBeOther = Object.entries(kind.outputs).filter(([, field]) => mayChange(field, changed));
  // Such as the note of a pause, where the program gives none.
  const appliedAlong = Object.entries(kind.arguments).filter(
    ([name, { appliedWith }]) => inputs.args[name] === undefined && changed.has(appliedWith ?? ""),
  );
  return { ...outs, ...unknown([...mayBeOther, ...appliedAlong].map(([name]) => name)) };
}

function unknown(names: readonly string[]): Outputs {
  return Object.fromEntries(names.map((name) => [name, UNKNOWN]));
}

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
