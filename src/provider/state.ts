import { isDeepStrictEqual } from "node:util";
import {
  ADOPTION,
  EXTERNAL,
  IMPORT,
  MANAGED,
  ORIGIN,
  SECRETS,
  secretNames,
  TOKEN_ID,
  UNKNOWN_AT_IMPORT,
} from "../protocol/properties.js";
import { type Properties, reveal } from "../protocol/values.js";
import type { AnyKind } from "../resources/kind.js";

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
