import { withArticle } from "../../../shared/messages/nouns.js";
import { reveal } from "../../../shared/protocol/encoded-values.js";
import type { Problem } from "../../kind/argument-problems.js";
import { isSameInstant } from "../../kind/canonical.js";
import { type AnyKind, secretArguments } from "../../kind/kind.js";
import type { Arguments, Observed, Outputs } from "../../kind/value-roles.js";
import { byCreator } from "../imports/conflicts.js";
import type { ChangeRequest, Inputs, ResourceState } from "../values/state.js";

/**
 * Arguments by how responses show them. Of an imported object, the value on the service is unknown unless every response
 * has it. An argument is unconfirmed while every update would send it, and neither the state nor the program has a value.
 *
 * `sometimes`: a response may leave it out. `never`: the API takes it only. `local`: no part of the object.
 */
type Shown = "always" | "sometimes" | "never" | "local";

function shownOf({ parent, arguments: fields }: AnyKind, name: string): Shown {
  const { mayBeLeftOut, returnedAs, sentAs, whenOmitted } = fields[name] ?? {};
  if (name === parent?.argument) return "always";
  if (mayBeLeftOut) return "sometimes";
  if (returnedAs !== undefined) return "always";
  return sentAs === undefined || whenOmitted === "ignored" ? "local" : "never";
}

function named(kind: AnyKind, has: (name: string, field: AnyKind["arguments"][string]) => unknown): string[] {
  return Object.entries(kind.arguments).flatMap(([name, field]) => (has(name, field) ? [name] : []));
}

/** Returns the names of the arguments that the API may leave out of a response and that `values` lack. */
export function unknownAtImport(kind: AnyKind, values: Arguments | Observed | Outputs): string[] {
  return named(
    kind,
    (name, { whenOmitted }) =>
      shownOf(kind, name) === "sometimes" && whenOmitted !== "unmanaged" && !Object.hasOwn(values, name),
  );
}

/** Returns those of them that every update sends. */
export function unconfirmed(kind: AnyKind, values: Arguments | Observed | Outputs): string[] {
  return unknownAtImport(kind, values).filter((name) => kind.arguments[name]?.inEveryUpdate);
}

/** Returns what an update might reset: neither the program nor the API says it, so no update can repeat it. */
function unrepeated({ kind, outputs }: ResourceState, { args }: Inputs): string[] {
  return named(
    kind,
    (name, { inEveryUpdate, whenOmitted }) =>
      inEveryUpdate && whenOmitted === "unmanaged" && (args[name] ?? outputs[name]) === undefined,
  );
}

/** Returns the warning of a planned update that might reset what it can't repeat; undefined if it repeats everything. */
export function resetWarning({ state, inputs }: ChangeRequest): string | undefined {
  const names = unrepeated(state, inputs);
  if (names.length === 0) return undefined;
  const { name, words } = state.kind;
  return (
    `${name}: an update may reset ${names.join(", ")}, because the program leaves them out and the API doesn't return them, ` +
    `so the update can't repeat them. If the ${words.noun} has any of them, state it in the program.`
  );
}

/** Returns the names of the arguments that the API takes and never returns, by which an imported object may differ. */
export function neverReturned(kind: AnyKind): string[] {
  return named(kind, (name) => shownOf(kind, name) === "never");
}

/** Returns whether responses may show an argument in part or not at all, so that they don't show what the service has. */
export function isUnseen({ arguments: fields }: AnyKind, name: string): boolean {
  return fields[name]?.returnedAs === undefined || fields[name]?.secret === true;
}

/** Returns the secrets that a program must give, although nobody can read them: an import needs them from elsewhere. */
export function unreadableSecrets(kind: AnyKind): string[] {
  const required = (name: string) => kind.arguments[name]?.whenOmitted === "required";
  return secretArguments(kind).filter((name) => required(name) && shownOf(kind, name) === "never");
}

/** Returns the time of the last change of an object of which others can change a part that the API never returns. */
export function lastChangeIn(kind: AnyKind, { updatedAt }: Observed | Outputs): unknown {
  return neverReturned(kind).length === 0 ? undefined : updatedAt;
}

/** The change by somebody else of what the API never returns, which the state keeps until that is sent again. */
interface ChangeElsewhere {
  readonly at: unknown;
  readonly by: unknown;
}

function changeIn(
  { kind, written }: ResourceState,
  observed: Observed | Outputs,
): ChangeElsewhere | undefined {
  if (typeof written === "object" && written !== null && "at" in written)
    return { at: written.at, by: "by" in written ? written.by : undefined };
  const at = lastChangeIn(kind, observed);
  return isLater(at, written) ? { at, by: reveal(observed.updatedBy) } : undefined;
}

/**
 * Returns what the state keeps of the last change: the time of this stack's write, or a change by somebody else before it.
 *
 * @param before the object right before the write, which has a new time
 */
export function writtenAfter(
  state: ResourceState,
  names: ReadonlySet<string>,
  before: Observed | Outputs | undefined,
  observed: Observed,
): unknown {
  const now = lastChangeIn(state.kind, observed);
  const isResent = neverReturned(state.kind).some((name) => names.has(name));
  return now === undefined
    ? state.written
    : isResent
      ? now
      : (changeIn(state, before ?? state.outputs) ?? now);
}

/** Returns whether an update may hide a change by somebody else: it changes the time, and doesn't send what is never returned. */
export function mayHideChange(kind: AnyKind, names: ReadonlySet<string>): boolean {
  const unseen = neverReturned(kind);
  return (
    "updatedAt" in kind.outputs &&
    unseen.length > 0 &&
    !unseen.some((name) => names.has(name)) &&
    [...names].some((name) => kind.arguments[name]?.sentAs !== undefined)
  );
}

/** Returns the warning that somebody else changed an object of which a part is never returned; undefined if nobody did. */
export function changeElsewhere(state: ResourceState, observed: Observed | Outputs): string | undefined {
  const { kind, id } = state;
  const change = changeIn(state, observed);
  if (change === undefined) return undefined;
  const { noun } = kind.words;
  const names = neverReturned(kind);
  const advice = names.flatMap((name) =>
    (kind.arguments[name]?.changesWith ?? []).map(
      (other) => ` To send the ${name} again, change \`${other}\`.`,
    ),
  );
  return (
    `${kind.name}: the ${noun} ${id} was changed${byCreator(change.by)} at ${change.at}, and not by this ` +
    `stack. The API doesn't return ${names.join(" and ")}, so it may be another one now.${advice.join("")}`
  );
}

function isLater(time: unknown, than: unknown): boolean {
  if (typeof time !== "string" || typeof than !== "string" || isSameInstant(time, than)) return false;
  return Date.parse(time) > Date.parse(than);
}

/** @param done what the user does with the object, and not with one of which the arguments are known */
export function missingUnreturned(kind: AnyKind, given: Arguments, done: "imported" | "changed"): Problem[] {
  const { noun } = kind.words;
  return unconfirmed(kind, given).map((argument) => ({
    argument,
    text:
      `${kind.name}.${argument}: must be given when ${withArticle(noun)} is ${done}, because every update sends it and the ` +
      `API doesn't return it. Give ${kind.arguments[argument]?.expected}, as the ${noun} has it now.`,
  }));
}

/** @throws if an update would have to send a value that neither the program nor the API says */
export function requireConfirmed(kind: AnyKind, id: string, args: Arguments, observed: Observed): void {
  const names = unconfirmed(kind, { ...observed, ...args });
  if (names.length === 0) return;
  const { noun } = kind.words;
  const lines = names.map((name) => `\n    ${name}: ${kind.arguments[name]?.expected}`);
  throw new Error(
    `${kind.name}: nothing was sent. Every update of the ${noun} ${id} sends ${names.join(" and ")}, and the API doesn't ` +
      `return what the ${noun} has, so a default could change it unseen. Add what the web interface shows, and don't ` +
      `name it in ignoreChanges:${lines.join("")}`,
  );
}

/** Returns the names of the arguments of an imported object that a program may state first without changing them. */
export function unspokenIn(kind: AnyKind, observed: Observed): string[] {
  return named(
    kind,
    (name, { whenOmitted }) =>
      whenOmitted === "unmanaged" || (isLacked(kind, name) && !Object.hasOwn(observed, name)),
  );
}

/** Returns whether responses leave out an argument, always or at times. */
export function isLacked(kind: AnyKind, name: string): boolean {
  return shownOf(kind, name) !== "always";
}
