import { isDeepStrictEqual } from "node:util";
import { type Properties, reveal } from "../../../shared/protocol/encoded-values.js";
import { identityOf } from "../../../shared/protocol/identity.js";
import { withCode } from "../../../shared/protocol/message-codes.js";
import {
  DELETES_FIRST,
  EXTERNAL,
  FUNCTIONS_READ,
  IGNORES,
  IMPORT,
  IMPORT_MARK,
  IMPORTS_OF_OTHERS,
  INTERNAL,
  MADE_AT,
  MANAGED,
  namesAmong,
  ORGANIZATION,
  ORIGIN,
  PROBLEMS,
  ROTATION,
  SECRETS,
  TOKEN_ID,
  TRANSFORMED,
  UNKNOWN_AT_IMPORT,
  UNSENT,
  WRITTEN,
} from "../../../shared/protocol/properties.js";
import type { Address } from "../../kind/behavior.js";
import { type AnyKind, secretArguments } from "../../kind/kind.js";
import type { Arguments, Outputs } from "../../kind/value-roles.js";

/** The inputs of a resource, as its check returned them. */
export interface Inputs {
  readonly kind: AnyKind;
  readonly organization: unknown;
  readonly import: unknown;
  /** Names of the arguments that are secret. Not a list: the program didn't say. */
  readonly secretNames: unknown;
  /** That of the rotation which a token takes part in. */
  readonly generation?: unknown;
  readonly args: Arguments;
}

export function inputsIn(kind: AnyKind, properties: Properties): Inputs {
  return {
    kind,
    organization: properties[ORGANIZATION],
    import: properties[IMPORT],
    secretNames: properties[SECRETS],
    generation: properties[ROTATION],
    args: argumentsIn(kind, properties),
  };
}

/** A resource in state: its outputs, and the inputs that led to them. */
export interface ResourceState extends Omit<Inputs, "organization">, Readonly<Record<Marks, unknown>> {
  readonly id: string;
  /** Undefined where a program reads an object, or the engine imports one. */
  readonly organization: string | undefined;
  readonly outputs: Outputs;
}

/** What stands beside the outputs, as `properties.ts` describes it. */
type Marks =
  | "importMark"
  | "unknownAtImport"
  | "unsent"
  | "written"
  | "madeAt"
  | "origin"
  | "tokenId"
  | "external";

/** @param stated the arguments in the inputs in state, where the engine says them. Default: as the outputs have them */
export function stateIn(kind: AnyKind, id: string, outs: Properties, stated?: Arguments): ResourceState {
  const { organization, args, ...inputs } = inputsIn(kind, outs);
  const names = namesAmong(outs[MANAGED]);
  const managed = Object.entries(args).filter(
    ([name]) => names.has(name) || kind.arguments[name]?.whenOmitted !== "unmanaged",
  );
  // What only the program says: a change of it alone is recorded in the inputs, and in no outputs.
  const unseen = Object.entries(stated ?? {}).filter(
    ([name]) => kind.arguments[name]?.returnedAs === undefined && args[name] === undefined,
  );
  return {
    ...inputs,
    id: identityOf(id),
    organization: organization === undefined ? undefined : String(organization),
    importMark: outs[IMPORT_MARK],
    unknownAtImport: outs[UNKNOWN_AT_IMPORT],
    unsent: outs[UNSENT],
    written: outs[WRITTEN],
    madeAt: outs[MADE_AT],
    origin: outs[ORIGIN],
    tokenId: outs[TOKEN_ID],
    external: outs[EXTERNAL],
    args: stated ?? Object.fromEntries(managed),
    outputs: { ...outs, ...Object.fromEntries(unseen) },
  };
}

function argumentsIn(kind: AnyKind, properties: Properties): Arguments {
  const found: Properties = {};
  for (const name of Object.keys(kind.arguments)) {
    const value = reveal(properties[name]);
    if (value !== undefined && value !== null) found[name] = value;
  }
  return found;
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
export function refOf(organization: string, state: ResourceState): StateRef {
  const { kind, id, outputs } = state;
  return {
    organization,
    kind,
    parent: parentOf(kind, outputs),
    id,
    known: outputs,
    stated: state.args,
    state,
  };
}

export function parentOf(kind: AnyKind, known: Readonly<Properties>): string {
  if (kind.parent === undefined) return "";
  const { argument } = kind.parent;
  const value = reveal(known[argument]);
  if (typeof value === "string" && value !== "") return identityOf(value);
  throw new Error(
    // Error state-incomplete: State lacks a value that the resource needs, because someone edited it or another version
    // wrote it.
    // Fix: Give the argument again, or run `pulumi refresh`.
    withCode(
      `${kind.name}.${argument}: is missing; give ${kind.arguments[argument]?.expected ?? "its parent"}.`,
      "state-incomplete",
    ),
  );
}

/**
 * Returns the names of what is secret: what the program gave as secrets, the kind's own secrets, and what the service
 * derives from them.
 */
export function secretNamesOf(kind: AnyKind, given: unknown, args: Arguments): ReadonlySet<unknown> {
  const { unique, outputs } = kind;
  const names = namesAmong(given).union(new Set(secretArguments(kind)));
  const isDerived = unique?.derived !== undefined && names.has(unique.derived.from);
  if (isDerived && args[unique.argument] === undefined) names.add(unique.argument);
  // Others know most of an address.
  for (const [name, { secret, spells }] of Object.entries(outputs))
    if (secret === "once" || (spells !== undefined && names.has(spells))) names.add(name);
  return names;
}

/** What the engine asks of a check. */
export interface CheckRequest extends Pick<Inputs, "kind" | "import" | "secretNames"> {
  /** Everything that the program gives, including names that aren't arguments. */
  readonly given: Arguments;
  /** Inputs in state; none on a creation and on every replacement. */
  readonly old: Inputs;
  readonly isNew: boolean;
  readonly ignores: unknown;
  readonly transformed: boolean;
  readonly functionsRead: unknown;
  readonly reports: boolean;
  readonly deletesFirst: boolean;
  /** What is replaced stays on the service. */
  readonly retains: boolean;
  readonly importsOfOthers: Readonly<Properties>;
  readonly rotation: ReturnType<typeof rotationIn>;
}

export function checkRequest(kind: AnyKind, olds: Properties, news: Properties): CheckRequest {
  const given: Arguments = Object.fromEntries(
    Object.entries(news).flatMap(([name, value]) => (INTERNAL.has(name) ? [] : [[name, reveal(value)]])),
  );
  const old = inputsIn(kind, olds);
  return {
    kind,
    given,
    old,
    isNew: old.organization === undefined,
    import: news[IMPORT],
    ignores: news[IGNORES],
    secretNames: news[SECRETS],
    transformed: news[TRANSFORMED] === true,
    functionsRead: news[FUNCTIONS_READ],
    reports: news[PROBLEMS] !== undefined,
    deletesFirst: news[DELETES_FIRST] === true,
    retains: news[DELETES_FIRST] === "never",
    importsOfOthers: Object(reveal(news[IMPORTS_OF_OTHERS])),
    rotation: rotationIn(news[ROTATION]),
  };
}

/** What the engine asks of a diff or an update: the resource in state, and the inputs that it is to have. */
export interface ChangeRequest {
  readonly state: ResourceState;
  readonly inputs: Inputs;
  /** Names of the arguments that the service has otherwise than this stack sent, and that are sent again. */
  readonly unsent: ReadonlySet<string>;
}

/** What is known of the resource in state beside its outputs. */
export interface Before {
  readonly args: Arguments;
  /** Names of the arguments that a program may state first after an import by the engine. */
  readonly unspoken?: ReadonlySet<unknown>;
  /** Names of the arguments that `ignoreChanges` keeps, in whole or in part. */
  readonly ignored?: ReadonlySet<string>;
  /** The engine is about to import it. */
  readonly isImport?: boolean;
}

export function beforeIn(kind: AnyKind, oldInputs: Properties): Before | undefined {
  if (oldInputs[ORGANIZATION] === undefined) return undefined;
  return { args: argumentsIn(kind, oldInputs), unspoken: namesAmong(oldInputs[UNKNOWN_AT_IMPORT]) };
}

/**
 * Returns whether messages may quote the value of an argument. Secrets reach the provider in plain text, and the
 * constructor lists them. Without that list nothing is quoted. A value that is in state already isn't quoted either:
 * `ignoreChanges` may have put it there, unknown to the constructor.
 */
export function mayQuote({
  kind,
  given,
  old,
  secretNames,
  transformed,
}: CheckRequest): (name: string) => boolean {
  const names = secretNamesOf(kind, secretNames, given);
  const isOld = (name: string) =>
    old.args[name] !== undefined && isDeepStrictEqual(old.args[name], given[name]);
  return (name) => Array.isArray(secretNames) && !transformed && !names.has(name) && !isOld(name);
}

/** Returns the rotation that a token takes part in, as the component `RotatingAgentToken` sends it with each of its two. */
function rotationIn(value: unknown) {
  if (typeof value !== "object" || value === null) return undefined;
  const { of, generation, previous }: { of?: unknown; generation?: unknown; previous?: unknown } = value;
  // `previous` is the id of the token of the generation before. Only the newest token has it.
  return typeof generation === "number" ? { of: String(of), generation, previous } : undefined;
}

/** Identifies an object on the service. A view, such as a default queue, has the id of the object it belongs to. */
export interface ObjectKey {
  readonly organization: string;
  readonly kind: Pick<AnyKind, "name" | "view">;
  readonly id: string;
}

/** Where the objects of a kind are: in an organization and, of some kinds, in another object. */
export interface Where {
  readonly organization: string;
  readonly kind: AnyKind;
  /** The value of the argument that refers to the other object; "" for a kind without one. */
  readonly parent: string;
  /** Only what has this in its name. Default: all. */
  readonly named?: string | undefined;
}

export interface ResourceRef extends Where, Address {}

export interface StateRef extends ResourceRef {
  readonly stated: Arguments;
  readonly state: ResourceState;
}

/** Returns the engine's id of an object: that of a pair has the parent's before its own. */
export function idIn({ kind, parent }: Pick<Where, "kind" | "parent">, entity: object): string {
  const own = kind.identify(entity);
  return kind.isPair && own !== "" ? `${parent}/${own}` : own;
}

export function objectKeyOf({ organization, kind, id }: ObjectKey): string {
  return `${organization}/${kind.name}/${identityOf(id)}`;
}

export function placeKeyOf({ organization, kind, parent }: Where): string {
  return `${organization}/${kind.name}/${parent}`;
}
