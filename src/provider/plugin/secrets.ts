import { hasSecret, type Properties, revealAll, secret } from "../../shared/protocol/encoded-values.js";
import { PROVIDER, SECRETS, secretNames } from "../../shared/protocol/properties.js";

/**
 * Returns the `__provider` of a resource from the dynamic backend, so that its stack can migrate back. That backend
 * destroys and refreshes only resources with it.
 */
export function keptReference(outs: Properties): Properties {
  return outs[PROVIDER] === undefined ? {} : { [PROVIDER]: outs[PROVIDER] };
}

/**
 * Converts properties for the lifecycle: plain values, and the names of the secret ones. The engine marks secrets here;
 * the dynamic backend has the names from the program.
 *
 * @param isArgument names that may be listed as secret. Secret outputs have separate marks
 */
export function plain(properties: Properties, isArgument: (name: string) => boolean): Properties {
  const names = new Set(secretNames(properties));
  const given = Object.entries(properties).filter(([name]) => name !== PROVIDER && name !== SECRETS);
  for (const [name, value] of given) if (isArgument(name) && hasSecret(value)) names.add(name);
  // Not one by one: an assignment to `__proto__` is lost.
  const values: Properties = Object.fromEntries(given.map(([name, value]) => [name, revealAll(value)]));
  return names.size > 0 ? { ...values, [SECRETS]: [...names] } : values;
}

/** Converts properties for the engine: marks the arguments that were given as secrets. */
export function withSecretMarks(properties: Properties): Properties {
  const names = secretNames(properties);
  if (names.size === 0) return properties;
  const entries = Object.entries(properties).map(([name, value]): [string, unknown] => [
    name,
    names.has(name) && !hasSecret(value) ? secret(value) : value,
  ]);
  return Object.fromEntries(entries);
}
