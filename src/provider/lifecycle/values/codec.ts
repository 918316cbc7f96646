import { isDeepStrictEqual } from "node:util";
import { isUnknown, type Properties, reveal, secret } from "../../../shared/protocol/encoded-values.js";
import {
  EXTERNAL,
  IMPORT,
  IMPORT_MARK,
  MADE_AT,
  MANAGED,
  namesAmong,
  ORGANIZATION,
  ORIGIN,
  SECRETS,
  TOKEN_ID,
  UNKNOWN_AT_IMPORT,
  UNNAMED,
  UNSENT,
  WRITTEN,
} from "../../../shared/protocol/properties.js";
import { canonicalText } from "../../kind/canonical.js";
import type { AnyArgumentField } from "../../kind/field.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Arguments, Body, Draft, Known, Observed, Outputs } from "../../kind/value-roles.js";
import { idIn, type ResourceState, secretNamesOf, type Where } from "./state.js";

/**
 * The way of values between a program, the API and the state. `encode` makes a body from arguments, `decode` makes
 * observed values from a response, and `reconcile` makes inputs and outputs from both.
 */

/** To create: every argument that is set. To update: those in `changed`, cleared where they are left out. */
export function encode(kind: AnyKind, args: Arguments, changed?: ReadonlySet<string>): Body {
  const body: Draft<Body> = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (field.sentAs === undefined) continue;
    const value = args[name];
    const isSentLater = field.creationOnly !== undefined || field.apply !== undefined;
    if (changed === undefined ? value === undefined : isSentLater || !changed.has(name)) continue;
    if (isReplaced(field, args)) continue;
    if (value !== undefined) body[field.sentAs] = field.encode === undefined ? value : field.encode(value);
    else if (field.whenOmitted !== "unmanaged" || field.clearedBy !== undefined)
      body[field.sentAs] = field.clearedBy === undefined ? "" : field.clearedBy;
  }
  return body;
}

/** Undefined in the result: returned as unset. Absent: not returned. */
export function decode(kind: AnyKind, answer: object): Observed {
  const observed: Draft<Observed> = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (field.returnedAs === undefined) continue;
    const { value, isThere } = valueAt(answer, field.returnedAs);
    if (isMask(value)) continue;
    const decoded = canonicalText(field.decode ? field.decode(value) : value);
    // An argument with a default always has a value, so null doesn't return one. A map may lack what the argument is about.
    const isLacking = typeof value === "object" && value !== null && decoded === undefined;
    const isLeftOut = field.default === undefined ? !isThere || isLacking : value == null;
    if (field.mayBeLeftOut && isLeftOut) continue;
    observed[name] = decoded;
  }
  for (const [name, field] of Object.entries(kind.outputs)) {
    const { value, isThere } = valueAt(answer, field.returnedAs);
    // What only some access tokens may read comes back empty for others.
    if (!isThere || (field.secret === "always" && value === "")) continue;
    observed[name] = field.user ? embeddedUser(value) : value;
  }
  return observed;
}

/** An object as the API returned it. */
export interface ObservedObject {
  readonly id: string;
  readonly observed: Observed;
}

/** Returns whether a service shows signs in place of a value. */
function isMask(value: unknown): boolean {
  return typeof value === "string" && /^[*•]{3,}$/.test(value);
}

/** Returns the names of the arguments that a response should have, and lacks. */
export function lackedIn({ arguments: fields }: AnyKind, answer: object): string[] {
  return Object.entries(fields).flatMap(([name, { returnedAs, mayBeLeftOut, apply }]) =>
    returnedAs === undefined || mayBeLeftOut || apply || valueAt(answer, returnedAs).isThere ? [] : [name],
  );
}

export function observedIn(where: Pick<Where, "kind" | "parent">, entity: object): ObservedObject {
  return { id: idIn(where, entity), observed: decode(where.kind, entity) };
}

export function userIn({ createdBy }: Known): string | undefined {
  if (typeof createdBy !== "object" || createdBy === null || !("id" in createdBy)) return undefined;
  return typeof createdBy.id === "string" ? createdBy.id : undefined;
}

export interface Reconciled {
  readonly inputs: Properties;
  readonly outs: Outputs;
}

/** What the state is to keep of an object in addition to the API's values. */
export type Entry = Partial<ResourceState> &
  Pick<ResourceState, "kind" | "args"> & {
    readonly organization: string;
    /** The response to the creation, with one-time secrets. Otherwise they come from the state. */
    readonly created?: Observed;
  };

/**
 * Returns the outputs of an object: every argument in the user's own spelling, unless the service's value means something
 * else, and what the service decides.
 *
 * @param response what the API returned. Default: nothing, as it was not asked
 */
export function outputsOf(entry: Entry, response: Observed = {}): Outputs {
  const { kind, args, created, outputs = {} } = entry;
  const observed = { ...lastSeen(entry), ...response };
  const known: Known = { ...outputs, ...observed };
  const secretNames = secretNamesOf(kind, entry.secretNames, args);
  const outs: Properties = {
    [ORGANIZATION]: entry.organization,
    [IMPORT]: entry.import,
    [SECRETS]: entry.secretNames,
    [IMPORT_MARK]: entry.importMark,
    [ORIGIN]: entry.origin,
    [TOKEN_ID]: entry.tokenId,
    [EXTERNAL]: entry.external,
    [WRITTEN]: entry.written,
    [MADE_AT]: entry.madeAt,
  };
  const managed: string[] = [];
  const unnamed: Properties = {};
  const unknownAtImport = stillUnknown(entry);
  if (unknownAtImport.length > 0) outs[UNKNOWN_AT_IMPORT] = unknownAtImport;
  const unsent = [...namesAmong(entry.unsent)]
    .map(String)
    .filter((name) => !isSettled(entry, name, observed));
  if (unsent.length > 0) outs[UNSENT] = unsent;
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (unknownAtImport.includes(name)) continue;
    const unmanaged = field.whenOmitted === "unmanaged" && args[name] === undefined;
    if (!unmanaged && isReplaced(field, args)) continue;
    const value = unmanaged ? known[name] : keptValue(kind, name, args[name], observed);
    // The engine itself marks what the program gave.
    const isMarked = field.secret || (unmanaged && secretNames.has(name));
    outs[name] = isMarked && value != null ? secret(value) : value;
    if (field.whenOmitted === "unmanaged" && !unmanaged) managed.push(name);
    if (field.isMerged && !unmanaged && !isMarked && !secretNames.has(name))
      unnamed[name] = name in observed ? withoutKeys(observed[name], value) : Object(outputs[UNNAMED])[name];
  }
  if (Object.values(unnamed).some((rest) => Object.keys(Object(rest)).length > 0)) outs[UNNAMED] = unnamed;
  if (managed.length > 0) outs[MANAGED] = managed;
  for (const [name, field] of Object.entries(kind.outputs)) {
    const value = reveal(
      field.secret === "once" ? (created ?? outputs)[name] : (known[name] ?? field.default),
    );
    const isSecret = field.secret !== undefined || secretNames.has(name);
    if (value != null) outs[name] = isSecret ? secret(value) : value;
  }
  return outs;
}

/** Returns the entries of a map whose keys another one lacks. */
function withoutKeys(all: unknown, named: unknown): Properties {
  const entries: [string, unknown][] = Object.entries(Object(all));
  return Object.fromEntries(entries.filter(([key]) => !Object.hasOwn(Object(named), key)));
}

/**
 * Returns the outputs, and the inputs that would have led to them: a refresh reaches the provider with outputs only, and
 * the engine compares inputs only.
 */
export function reconcile(entry: Entry, observed?: Observed): Reconciled {
  const { kind } = entry;
  const outs = outputsOf(entry, observed);
  const managed = namesAmong(outs[MANAGED]);
  const unknownAtImport = namesAmong(outs[UNKNOWN_AT_IMPORT]);
  const arguments_ = Object.entries(kind.arguments).filter(
    ([name, field]) =>
      !unknownAtImport.has(name) &&
      (field.whenOmitted !== "unmanaged" || managed.has(name)) &&
      !isReplaced(field, outs),
  );
  const names = [ORGANIZATION, IMPORT, SECRETS, ...arguments_.map(([name]) => name)];
  return { outs, inputs: Object.fromEntries(names.map((name) => [name, outs[name]])) };
}

/** Returns what the service had last of what it has otherwise than the program says. */
function lastSeen({ kind, unsent, outputs }: Entry): Observed {
  if (outputs === undefined) return {};
  const names = [...namesAmong(unsent)].map(String).filter((name) => kind.arguments[name]?.returnedAs);
  return Object.fromEntries(names.map((name) => [name, reveal(outputs[name]) ?? undefined]));
}

function isSettled({ kind, args }: Entry, name: string, observed: Observed): boolean {
  // After a read of the dynamic backend, the arguments are what the service has: no reason to replace an object.
  return kind.arguments[name]?.creationOnly === undefined && isKept(kind, name, args, observed) === true;
}

function stillUnknown({ unknownAtImport, args }: Entry): unknown[] {
  return Array.isArray(unknownAtImport) ? unknownAtImport.filter((name) => args[name] === undefined) : [];
}

/** Returns what the state keeps of an argument: the program's spelling of what the service has, or else that. */
export function keptValue(kind: AnyKind, name: string, wanted: unknown, observed: Observed): unknown {
  const standard = kind.arguments[name]?.default;
  if (!(name in observed)) return wanted;
  return sameOnService(kind, name, wanted, observed[name])
    ? (wanted ?? standard)
    : (concernedPart(kind, name, wanted, observed[name]) ?? standard);
}

/** Returns a property of a response, whatever its name, or one within it: never what an object has by its prototype. */
function valueAt(answer: object, path: string): { readonly value: unknown; readonly isThere: boolean } {
  const [name = "", ...rest] = path.split(".");
  if (!Object.hasOwn(answer, name)) return { value: undefined, isThere: false };
  const value: unknown = Reflect.get(answer, name);
  if (rest.length === 0) return { value, isThere: true };
  return typeof value === "object" && value !== null
    ? valueAt(value, rest.join("."))
    : { value: undefined, isThere: false };
}

function embeddedUser(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, name, email }: { id?: unknown; name?: unknown; email?: unknown } = value;
  return id ? { id, name, email } : undefined;
}

/**
 * Returns arguments with defaults, in the form in which the state keeps them. Once an object exists (`old`), what the API
 * may not return has no default until the state has a value, because the object may have another one.
 */
export function normalized(kind: AnyKind, given: Arguments, old?: Arguments): Arguments {
  const args: Draft<Arguments> = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    const isUnknownHere = field.mayBeLeftOut && old !== undefined && old[name] === undefined;
    const hasDefault = !isUnknownHere && !isReplaced(field, given);
    const value = given[name] ?? (hasDefault ? field.default : undefined);
    if (value === undefined) continue;
    args[name] =
      field.normalize === undefined || isUnknown(value) ? value : field.normalize(value, old?.[name]);
  }
  return args;
}

/** Returns whether the service's value of an argument is neither changed nor compared. */
export function isLeftAlone(field: AnyArgumentField, name: string, args: Arguments | Observed): boolean {
  return (field.whenOmitted === "unmanaged" && args[name] === undefined) || isReplaced(field, args);
}

function isReplaced({ unless }: AnyArgumentField, args: Arguments | Observed | Outputs): boolean {
  return unless !== undefined && args[unless.argument] !== undefined;
}

export function sameArgument(kind: AnyKind, name: string, a: unknown, b: unknown): boolean {
  const { canonical = canonicalText, equal } = kind.arguments[name] ?? {};
  return equal?.(a, b) ?? isDeepStrictEqual(canonical(a), canonical(b));
}

export function sameOnService(kind: AnyKind, name: string, wanted: unknown, found: unknown): boolean {
  if (wanted === found) return true;
  const concerned = concernedPart(kind, name, wanted, found);
  const canonical = kind.arguments[name]?.canonicalOnService;
  return canonical === undefined
    ? sameArgument(kind, name, wanted, concerned)
    : isDeepStrictEqual(canonical(wanted), canonical(concerned));
}

/** Returns whether an object has an argument as the program states it; undefined if nothing shows that. */
export function isKept(kind: AnyKind, name: string, args: Arguments, observed: Known): boolean | undefined {
  const { shownBy, default: usual } = kind.arguments[name] ?? {};
  if (args[name] !== undefined && shownBy !== undefined) {
    const shown = shownBy(observed);
    return shown === undefined ? undefined : shown === args[name];
  }
  return name in observed ? sameOnService(kind, name, args[name] ?? usual, observed[name]) : undefined;
}

/** Returns the part of the service's value that the program's value is about, such as the keys that it names. */
function concernedPart(kind: AnyKind, name: string, wanted: unknown, found: unknown): unknown {
  if (wanted === undefined || found === undefined) return found;
  return kind.arguments[name]?.concerned?.(found, wanted) ?? found;
}

/** Returns the names of the arguments that change; an unknown value counts as a change. */
export function changedNames(kind: AnyKind, old: Arguments, next: Arguments): Set<string> {
  const names = Object.keys(kind.arguments);
  return new Set(
    names.filter((name) => isUnknown(next[name]) || !sameArgument(kind, name, old[name], next[name])),
  );
}

/**
 * Returns the names of arguments that the service has with another value than was sent. What it doesn't return, what it
 * takes by a separate operation, and what is unmanaged is never among them.
 */
export function notAsSent(
  kind: AnyKind,
  args: Arguments,
  observed: Observed,
  names: Iterable<string> = Object.keys(kind.arguments),
): string[] {
  return [...names].filter((name) => {
    const field = kind.arguments[name];
    if (field === undefined || (field.apply ?? field.providerOnly) !== undefined) return false;
    return !isLeftAlone(field, name, args) && isKept(kind, name, args, observed) === false;
  });
}
