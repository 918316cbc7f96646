import { isUnknown, type Properties } from "../protocol/encoded-values.js";
import { SECRETS } from "../protocol/properties.js";
import type { AnyKind } from "../resources/kind.js";
import type { Arguments, Draft, Observed } from "../resources/value-roles.js";
import { reconcile } from "./codec.js";
import { sameArgument } from "./equality.js";
import { type Observer, observedBy } from "./marks.js";
import { normalized } from "./normalization.js";
import { argumentsIn } from "./state.js";
import { requiredAtImport, unknownAtImport } from "./unknown-at-import.js";

/** The state of an object that Pulumi's own import adds. */
export interface ImportedState {
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** Returns the arguments with which a program declares an object as it is. */
export function argumentsFor(kind: AnyKind, observed: Observed): Arguments {
  const args: Draft<Arguments> = {};
  const required = requiredAtImport(kind, observed);
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (field.whenOmitted === "unmanaged" || field.whenOmitted === "ignored") continue;
    if (required.includes(name)) args[name] = field.default;
    else if (observed[name] !== undefined && !sameArgument(kind, name, observed[name], field.default))
      args[name] = observed[name];
  }
  return args;
}

/**
 * Returns the state after an import, as a read would leave it: with the program's spelling where that means what the
 * service has. An argument that is not known yet takes the service's value.
 */
export function importedState(
  kind: AnyKind,
  organization: string,
  declared: Properties,
  { observed, observer }: { readonly observed: Observed; readonly observer: Observer },
): ImportedState {
  const given = Object.entries(declared).filter(([, value]) => !isUnknown(value));
  const args = normalized(kind, {}, argumentsIn(kind, Object.fromEntries(given)));
  // A state has no unknown values. The next update marks the secrets.
  const secretNames = isUnknown(declared[SECRETS]) ? undefined : declared[SECRETS];
  const identity = { organization, secretNames, unknownAtImport: unknownAtImport(kind, observed) };
  const { inputs, outs } = reconcile(kind, { identity, args, observed });
  return { inputs, outputs: { ...observedBy(kind, outs, observer) } };
}
