import { hasSecret, isUnknown, type Properties, secret } from "./encoded-values.js";

/** Names of the properties that a program, the provider and the engine exchange in addition to arguments and outputs. */

/** Source text by which the dynamic-provider host finds a resource's provider. In inputs and outputs. */
export const PROVIDER = "__provider";
/** Slug of the organization that the resource is in. In inputs and outputs. */
export const ORGANIZATION = "organization";
/** Value of the option `import`, as long as the program has it. In inputs and outputs. */
export const IMPORT = "import";
/** Names of the arguments that the program gave as secrets. In inputs and outputs. The engine marks their values itself. */
export const SECRETS = "__secrets";
/**
 * Names of the optional arguments that the program manages. The outputs hold the service's value either way, so the state
 * needs them to rebuild the inputs. In outputs.
 */
export const MANAGED = "__managed";
/**
 * What the service has in maps that it merges by key, under keys that the program doesn't name, by argument. A change of
 * these is nobody's drift, but a report shows it. In outputs.
 */
export const UNNAMED = "__unnamed";
/** Distinguishes the entry that imported an object from one that had it before. In outputs. */
export const IMPORT_MARK = "__adoption";
/**
 * Names of the arguments that were unknown at import: the service didn't return them, and no program has given them
 * since. A later read that returns them isn't drift. In outputs, and in the inputs that an import by the engine reads, until
 * a program gives its own. Those inputs also name what may stay unmanaged, because the program has not yet said if it does.
 */
export const UNKNOWN_AT_IMPORT = "__untold";
/** Names of the arguments that the service has otherwise than this stack sent or means to send them. In outputs. */
export const UNSENT = "__unsent";
/**
 * Set on an object of a rotation whose inputs in state are the program's: a refresh of the dynamic backend keeps them, because
 * they alone have the generation. In outputs.
 */
export const ROTATES = "__rotates";
/**
 * Time of this stack's last write, by the service: a later change is somebody else's. Only of kinds with a part that the
 * API never returns. No refresh changes it. In outputs.
 */
export const WRITTEN = "__written";
/**
 * When this stack made the object. Only where the outputs lack `createdAt`, or nothing told the service's time. In outputs.
 */
export const MADE_AT = "__madeAt";
/** Origin of the service that returned the object last; only where the output `url` has another one. In outputs. */
export const ORIGIN = "__origin";
/** UUID of the API access token that read the object last; only where other tokens may not read it. In outputs. */
export const TOKEN_ID = "__tokenId";
/** Set if the program only reads the object, by `X.get`. The engine shows each change of such outputs. In outputs. */
export const EXTERNAL = "__external";
/**
 * The rotation that the resource takes part in. The program sends all of it. The inputs in state keep its generation, which
 * changes without a step: a rotation shows no change of the token that stays.
 */
export const ROTATION = "__rotation";

/** Value of the option `ignoreChanges`. Never in the state. */
export const IGNORES = "importIgnoreChanges";
/**
 * Problems that the provider found in a preview. The constructor sends an empty list if the program reports them; the
 * provider returns it filled. Never in the state.
 */
export const PROBLEMS = "__problems";
/**
 * The organization that functions of the program read, as {@link organizationAt} writes it. Only from an inline program
 * of the Automation API, whose functions don't see the provider's environment. Never in the state.
 */
export const FUNCTIONS_READ = "__functionsRead";
/**
 * Set if a transform may have changed arguments after the constructor: it validated none, and doesn't know all secrets.
 * Never in the state.
 */
export const TRANSFORMED = "__transformed";
/** Value of the option `deleteBeforeReplace`, or "never" with `retainOnDelete`. Never in the state. */
export const DELETES_FIRST = "deletesBeforeReplace";
/**
 * The options `import` of the resources that the program gives as arguments, by the arguments: a preview doesn't know the
 * ids of what it is about to import. Never in the state.
 */
export const IMPORTS_OF_OTHERS = "importsOfOthers";

export const INTERNAL: ReadonlySet<string> = new Set([
  PROVIDER,
  ORGANIZATION,
  IMPORT,
  IGNORES,
  PROBLEMS,
  FUNCTIONS_READ,
  DELETES_FIRST,
  IMPORTS_OF_OTHERS,
  SECRETS,
  TRANSFORMED,
  ROTATION,
  UNKNOWN_AT_IMPORT,
]);

/** Names an organization and its address, for comparisons and messages. */
export function organizationAt(settings: { organization: string; baseUrl: string }): string {
  return `${settings.organization} at ${settings.baseUrl}`;
}

/** Returns properties of which those with these names are marked as secrets. */
export function withSecretMarks(properties: Properties, names: Iterable<unknown>): Properties {
  const marked = [...names]
    .map(String)
    .filter((name) => properties[name] != null && !hasSecret(properties[name]));
  return { ...properties, ...Object.fromEntries(marked.map((name) => [name, hiding(properties[name])])) };
}

/** Marks a value as a secret, or all that is known of one that isn't known yet as a whole. */
function hiding(value: unknown): unknown {
  if (!isUnknown(value)) return secret(value);
  if (Array.isArray(value)) return value.map(hiding);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, hiding(entry)]));
}

export function secretNames(properties: Properties): ReadonlySet<unknown> {
  return namesAmong(properties[SECRETS]);
}

/** Returns the names in the value of a property that lists some; none where it is absent or unknown. */
export function namesAmong(value: unknown): ReadonlySet<unknown> {
  return new Set(Array.isArray(value) ? value : []);
}

/**
 * Returns the source text by which the dynamic-provider host finds the provider of a kind. The state of every resource
 * of every user has it. This text, the entry that it loads and the names in it may never change.
 */
export function providerReference(kind: string): string {
  return `exports.handler=()=>require('module').createRequire(process.cwd()+'/')('pulumi-buildpipeline/provider').provider('${kind}')`;
}
