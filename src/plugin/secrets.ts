import { PROVIDER, SECRETS, secretNames } from "../protocol/properties.js";
import { hasSecret, type Properties, revealAll, secret } from "../protocol/values.js";

/**
 * Returns what a resource of the dynamic backend keeps of it, so that its stack can migrate back: that backend destroys
 * and refreshes only what has it.
 */
export function keptReference(outs: Properties): Properties {
  return outs[PROVIDER] === undefined ? {} : { [PROVIDER]: outs[PROVIDER] };
}

/**
 * Properties as the lifecycle takes them: values in plain, and the names of the secret ones in addition. Here the
 * engine marks what is secret; the dynamic backend has the names from the program.
 *
 * @param isArgument which names may be secret in that sense. Outputs that are have a mark of their own.
 */
export function plain(properties: Properties, isArgument: (name: string) => boolean): Properties {
  const values: Properties = {};
  const names = new Set(secretNames(properties));
  for (const [name, value] of Object.entries(properties)) {
    if (name === PROVIDER || name === SECRETS) continue;
    if (isArgument(name) && hasSecret(value)) names.add(name);
    values[name] = revealAll(value);
  }
  return names.size > 0 ? { ...values, [SECRETS]: [...names] } : values;
}

/** Properties as the engine keeps them: the arguments that were given as secrets are marked. */
export function marked(properties: Properties): Properties {
  const names = secretNames(properties);
  if (names.size === 0) return properties;
  const entries = Object.entries(properties).map(([name, value]): [string, unknown] => [
    name,
    names.has(name) && !hasSecret(value) ? secret(value) : value,
  ]);
  return Object.fromEntries(entries);
}
