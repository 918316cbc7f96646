import { type Properties, reveal } from "../protocol/encoded-values.js";
import {
  EXTERNAL,
  IMPORT,
  IMPORT_MARK,
  MANAGED,
  ORGANIZATION,
  ORIGIN,
  SECRETS,
  TOKEN_ID,
  UNKNOWN_AT_IMPORT,
} from "../protocol/properties.js";
import type { AnyKind } from "../resources/kind.js";
import type { Arguments, Outputs } from "../resources/value-roles.js";
import type { ResourceRef } from "./resource-ref.js";

/** Values that the state keeps of a resource in addition to its fields. */
export interface Identity {
  readonly organization: string;
  readonly import?: unknown;
  /** Distinguishes the entry that imported the object. */
  readonly importMark?: unknown;
  /** Names of the arguments that are secret. */
  readonly secretNames?: unknown;
  readonly unknownAtImport?: unknown;
  readonly origin?: unknown;
  readonly tokenId?: unknown;
  readonly external?: unknown;
}

/** The outputs of a resource in state. */
export interface ResourceState extends Omit<Identity, "organization"> {
  /** Undefined where a program reads an object, or the engine imports one. */
  readonly organization: string | undefined;
  /** The arguments that led to the outputs. */
  readonly args: Arguments;
  readonly outputs: Outputs;
}

/** The checked inputs of a resource. */
export interface Inputs {
  readonly organization: unknown;
  readonly import: unknown;
  readonly secretNames: unknown;
  readonly args: Arguments;
}

/** Parses outputs. */
export function stateIn(kind: AnyKind, outs: Properties): ResourceState {
  return {
    organization: outs[ORGANIZATION] === undefined ? undefined : String(outs[ORGANIZATION]),
    import: outs[IMPORT],
    importMark: outs[IMPORT_MARK],
    secretNames: outs[SECRETS],
    unknownAtImport: outs[UNKNOWN_AT_IMPORT],
    origin: outs[ORIGIN],
    tokenId: outs[TOKEN_ID],
    external: outs[EXTERNAL],
    args: managedArguments(kind, outs),
    outputs: outs,
  };
}

/** Parses inputs. */
export function inputsIn(kind: AnyKind, properties: Properties): Inputs {
  return {
    organization: properties[ORGANIZATION],
    import: properties[IMPORT],
    secretNames: properties[SECRETS],
    args: argumentsIn(kind, properties),
  };
}

/** Returns the arguments among some properties. */
export function argumentsIn(kind: AnyKind, properties: Properties): Arguments {
  const found: Properties = {};
  for (const name of Object.keys(kind.arguments)) {
    const value = reveal(properties[name]);
    if (value !== undefined && value !== null) found[name] = value;
  }
  return found;
}

/** Returns the arguments that led to some outputs. */
function managedArguments(kind: AnyKind, outs: Properties): Arguments {
  const managed = outs[MANAGED];
  const kept = Object.entries(kind.arguments).filter(
    ([name, { whenOmitted }]) =>
      whenOmitted !== "unmanaged" || (Array.isArray(managed) && managed.includes(name)),
  );
  return argumentsIn(kind, Object.fromEntries(kept.map(([name]) => [name, outs[name]])));
}

/** Returns the organization of a resource: as the state says, or else its inputs, or else the settings. */
export function organizationOf(
  settings: { readonly organization: string },
  ...known: readonly { readonly organization: unknown }[]
): string {
  const home = known.find(({ organization }) => organization !== undefined);
  return String(home?.organization ?? settings.organization);
}

/** Refers to the object of a resource in state. @throws where the state lacks what the object lives in */
export function refOf(
  kind: AnyKind,
  organization: string,
  id: string,
  { outputs }: ResourceState,
): ResourceRef {
  return { organization, kind, parent: parentOf(kind, outputs), id };
}

/** Returns where the objects of a kind are, as some arguments say. */
export function parentOf(kind: AnyKind, known: Readonly<Properties>): string {
  if (kind.parent === undefined) return "";
  const { argument } = kind.parent;
  const value = reveal(known[argument]);
  if (typeof value === "string" && value !== "") return value;
  throw new Error(
    `${kind.name}.${argument}: is missing; give ${kind.arguments[argument]?.expected ?? "its parent"}.`,
  );
}
