import { isDeepStrictEqual } from "node:util";
import type { AnyKind } from "../resources/kind.js";
import { type Properties, reveal } from "./engine-values.js";

/** What stands in the state of a resource, beside its arguments and outputs, and how the arguments are found in it. */

/** Slug of the organization that the resource is in. */
export const ORGANIZATION = "organization";
/** What the option `import` named, as long as the program has the option. */
export const IMPORT = "import";
/**
 * Which arguments that can be left unmanaged are managed. Their outputs tell the service's value either way, so
 * the state needs a mark to rebuild the inputs. Internal to the engine by its leading underscores.
 */
export const MANAGED = "__managed";
/** Names of the arguments that the program gave as secrets. The engine marks their values by itself, and not what spells them. */
export const SECRETS = "__secrets";
/** Tells the entry that adopted an object from one that had it before, for as long as the entry lives. */
export const ADOPTION = "__adoption";
/**
 * Names of the arguments that the service did not tell when the object was imported, and no program has said since. A
 * list tells less than a read may: what a later read tells of them is no change by hand.
 */
export const UNKNOWN_AT_IMPORT = "__untold";

/** Origin of the service that returned the object last; only where no output has its address. See `marks.ts`. */
export const ORIGIN = "__origin";
/** UUID of the API access token to which the service returned the object last; only where other tokens may not read it. */
export const TOKEN_ID = "__tokenId";

/** The program only reads the object, by `X.get`. The engine shows each change of such outputs, so marks stay out of them. */
export const EXTERNAL = "__external";

/** What the constructor sends along for an import; it never reaches the state. */
export const IMPORT_IGNORES = "importIgnoreChanges";
/**
 * In a preview, an empty list of the constructor's, which says that the program tells what is wrong; the answer is what is
 * wrong. It never reaches the state.
 */
export const PROBLEMS = "__problems";

/** What the constructor says of the option `deleteBeforeReplace`; it never reaches the state. */
export const DELETES_FIRST = "deletesBeforeReplace";

/** What travels among the inputs and is no argument. */
export const INTERNAL: ReadonlySet<string> = new Set([
  "__provider",
  ORGANIZATION,
  IMPORT,
  IMPORT_IGNORES,
  PROBLEMS,
  DELETES_FIRST,
  SECRETS,
]);

/** What is kept of a resource beside its fields. */
export interface Identity {
  readonly organization: string;
  readonly import?: unknown;
  readonly adoption?: unknown;
  readonly secrets?: unknown;
  readonly unknownAtImport?: unknown;
  readonly origin?: unknown;
  readonly tokenId?: unknown;
  readonly external?: unknown;
}

/** The identity that stands in outputs. */
export function identityIn(outs: Properties, organization: string): Identity {
  return {
    organization,
    import: outs[IMPORT],
    adoption: outs[ADOPTION],
    secrets: outs[SECRETS],
    unknownAtImport: outs[UNKNOWN_AT_IMPORT],
    origin: outs[ORIGIN],
    tokenId: outs[TOKEN_ID],
    external: outs[EXTERNAL],
  };
}

/** Names of the arguments that are secret. */
export function secretNames(properties: Properties): ReadonlySet<unknown> {
  const names = properties[SECRETS];
  return new Set(Array.isArray(names) ? names : []);
}

/**
 * Whether messages may quote the value of an argument. Secrets reach the provider in plain text, so it takes the word of
 * the constructor, which names all that are secret; without its word nothing is quoted. A value that stands in the state
 * already may be there by `ignoreChanges`, and the constructor has not seen it.
 */
export function mayQuote(news: Properties, olds: Properties = {}): (name: string) => boolean {
  const word = Array.isArray(news[SECRETS]);
  const secrets = secretNames(news);
  return (name) =>
    word && !secrets.has(name) && (olds[name] === undefined || !isDeepStrictEqual(olds[name], news[name]));
}

/** The arguments among some inputs, without what else travels with them. */
export function argumentsOf(kind: AnyKind, inputs: Properties): Properties {
  const found: Properties = {};
  for (const name of Object.keys(kind.arguments)) {
    const value = reveal(inputs[name]);
    if (value !== undefined && value !== null) found[name] = value;
  }
  return found;
}

/** The arguments that led to some outputs. */
export function managedArguments(kind: AnyKind, outs: Properties): Properties {
  const managed = new Set(Array.isArray(outs[MANAGED]) ? outs[MANAGED] : []);
  const found = argumentsOf(kind, outs);
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (field.whenOmitted === "unmanaged" && !managed.has(name)) delete found[name];
  }
  return found;
}

/** Where the objects of a kind are, as some arguments say. */
export function parentOf(kind: AnyKind, known: Readonly<Properties>): string {
  if (kind.parent === undefined) return "";
  const { argument } = kind.parent;
  const value = reveal(known[argument]);
  if (typeof value === "string" && value !== "") return value;
  throw new Error(
    `${kind.name}.${argument}: is missing; give ${kind.arguments[argument]?.expected ?? "its parent"}.`,
  );
}
