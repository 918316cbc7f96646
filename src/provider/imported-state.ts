import { SECRETS } from "../protocol/properties.js";
import { isUnknown, type Properties, reveal } from "../protocol/values.js";
import type { AnyKind } from "../resources/kind.js";
import { reconcile } from "./codec.js";
import { sameArgument } from "./equality.js";
import { marked, type Observer } from "./marks.js";
import { normalized } from "./normalization.js";
import { argumentsOf } from "./state.js";
import { requiredAtImport, unknownAtImport } from "./unknown-at-import.js";

/** The state of an object that Pulumi's own import adds. */
export interface ImportedState {
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** The arguments with which a program says no more than what an object is. */
export function argumentsFor(kind: AnyKind, observed: Properties): Properties {
  const args: Properties = {};
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
 *
 * @param observer who read the object
 */
export function importedState(
  kind: AnyKind,
  organization: string,
  declared: Properties,
  observed: Properties,
  observer: Observer,
): ImportedState {
  const said: Properties = {};
  for (const [name, value] of Object.entries(declared)) if (!isUnknown(value)) said[name] = reveal(value);
  const args = argumentsOf(kind, normalized(kind, {}, said));
  // A state has nothing unknown in it. The next update says what is secret.
  const secrets = isUnknown(declared[SECRETS]) ? undefined : declared[SECRETS];
  const { inputs, outs } = reconcile(
    kind,
    { organization, secrets, unknownAtImport: unknownAtImport(kind, observed) },
    args,
    observed,
    {},
  );
  return { inputs, outputs: marked(kind, outs, observer) };
}
