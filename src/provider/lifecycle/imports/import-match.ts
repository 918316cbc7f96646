import { isDeepStrictEqual } from "node:util";
import { counted } from "../../../shared/messages/nouns.js";
import { quoted } from "../../../shared/messages/quoted.js";
import { isUnknown } from "../../../shared/protocol/encoded-values.js";
import { identityOf } from "../../../shared/protocol/identity.js";
import { withCodeOf } from "../../../shared/protocol/message-codes.js";
import type { Problem } from "../../kind/argument-problems.js";
import { type AnyKind, forceArgument } from "../../kind/kind.js";
import { partsOfPath, pathsIn, pathsOfArguments, withPartOf } from "../../kind/paths.js";
import type { Arguments, Draft, Observed } from "../../kind/value-roles.js";
import { messageOf } from "../run/errors.js";
import type { Session } from "../run/session.js";
import { isLeftAlone, type ObservedObject, sameArgument, sameOnService } from "../values/codec.js";
import { parentKindOf } from "../values/kinds.js";
import { lossesOf } from "../values/losses.js";
import { type CheckRequest, mayQuote, parentOf } from "../values/state.js";
import { findImported } from "./find-imported.js";

/** @returns in `observed` the arguments with the object's values of what is in `ignoreChanges` */
export async function matchImported(
  session: Session,
  request: CheckRequest,
  args: Arguments,
): Promise<{ readonly problems: readonly Problem[]; readonly observed?: Arguments }> {
  const { kind } = request;
  const name = String(request.import);
  const problem = (text: string) => ({ problems: [{ argument: "", text }] });
  try {
    const { organization } = session.settings;
    const imported = await findImported(session.service, { organization, kind, name, declared: args });
    const { id, observed } = imported;
    const ignoring = withoutIgnored(request, args, observed);
    const differences = await mismatches(kind, ignoring, observed, mayQuote(request));
    if (differences.length > 0) {
      const list = differences.map(({ text }) => `\n    ${text}`).join("");
      return problem(
        `${kind.name}.import: the ${kind.words.noun} ${id} exists, but the arguments differ from it:${list}\n` +
          "  Make them match, or name what may differ in ignoreChanges.",
      );
    }
    if (!session.entries.reserve({ organization, kind, id })) return problem(alreadyManaged(kind, name, id));
    if (request.reports)
      session.reporter.inform(`imports the ${importedWords(kind, name, id)}; nothing is created`);
    warnOfParent(session, kind, imported);
    warnOfUnconfirmed(session, kind, args, imported);
    for (const { text } of lossesOf(kind, id, observed, args)) session.reporter.warn(text);
    return { problems: [], observed: ignoring };
  } catch (error) {
    return problem(withCodeOf(messageOf(error), error));
  }
}

/** Returns arguments with the object's values of what is in `ignoreChanges`. */
function withoutIgnored({ kind, ignores }: CheckRequest, args: Arguments, observed: Observed): Arguments {
  const taken: Draft<Arguments> = { ...args };
  for (const path of pathsOfArguments(pathsIn(ignores), Object.keys(kind.arguments))) {
    const [name = "", ...below] = partsOfPath(path);
    if (!Object.hasOwn(kind.arguments, name) || !Object.hasOwn(observed, name)) continue;
    if (kind.arguments[name]?.whenOmitted === "unmanaged" && args[name] === undefined) continue;
    taken[name] = withPartOf(taken[name], below, observed[name]);
  }
  return taken;
}

function warnOfParent(
  { settings, run, reporter }: Session,
  kind: AnyKind,
  { id, observed }: ObservedObject,
): void {
  const parentKind = parentKindOf(kind);
  if (parentKind === undefined) return;
  const parent = parentOf(kind, observed);
  const { organization } = settings;
  const { planned } = run.of({ organization, kind: parentKind, id: parent });
  const force = forceArgument(parentKind);
  if (planned === undefined || planned.imported || force === undefined) return;
  const { noun } = kind.words;
  reporter.warn(
    `the ${noun} ${id} is imported into a stack that manages its ${parentKind.words.noun} ${parent}. While import is ` +
      `set, the ${parentKind.words.noun} can't be deleted without ${force}: true, which deletes the ${noun} as well.`,
  );
}

/** Warns of what the program states of arguments that may stay unmanaged and no response tells: the import sends nothing. */
function warnOfUnconfirmed(
  { reporter }: Session,
  kind: AnyKind,
  args: Arguments,
  { id, observed }: ObservedObject,
): void {
  const names = Object.entries(kind.arguments)
    .filter(([, { whenOmitted, providerOnly }]) => whenOmitted === "unmanaged" && !providerOnly)
    .map(([name]) => name)
    .filter((name) => args[name] !== undefined && isUnshown(kind, name, args, observed));
  if (names.length === 0) return;
  const { noun } = kind.words;
  reporter.warn(
    `the API doesn't return ${names.join(" and ")} of the ${noun} ${id}. The import sends nothing, so the state takes ` +
      `what the program says without a check. Leave out what the ${noun} doesn't have.`,
  );
}

/** A secret that is shown in part may be another one. */
function isUnshown(kind: AnyKind, name: string, args: Arguments, observed: Observed): boolean {
  const isSecret = kind.arguments[name]?.secret === true;
  return (
    !Object.hasOwn(observed, name) || (isSecret && !sameArgument(kind, name, args[name], observed[name]))
  );
}

export function importedWords(kind: AnyKind, name: string, id: string): string {
  const own = identityOf(name).endsWith(identityOf(id)) ? "" : ` ${id}`;
  return `${kind.words.noun} ${quoted(name)}${own}`;
}

export function alreadyManaged(kind: AnyKind, name: unknown, id: string): string {
  return (
    `${kind.name}.import: ${JSON.stringify(name)} is the ${kind.words.noun} ${id}, which another resource of this program ` +
    'manages or imports already. Declare it once; a renamed resource needs { aliases: [{ name: "<old name>" }] }.'
  );
}

export interface ImportMismatch {
  readonly argument: string;
  readonly text: string;
}

/**
 * Shows both values of each argument that differs. Values that may be secret are described by their type.
 *
 * @param isImport false for an object that a state has already: then what an import sets afterwards differs as well
 */
export async function mismatches(
  kind: AnyKind,
  args: Arguments,
  observed: Observed,
  mayQuote: (name: string) => boolean,
  isImport = true,
): Promise<ImportMismatch[]> {
  const found: ImportMismatch[] = [];
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (!(name in observed) || isUnknown(args[name])) continue;
    if (isLeftAlone(field, name, args) || (isImport && field.isFirst)) continue;
    if (sameOnService(kind, name, args[name], observed[name])) continue;
    const [ours, theirs] = field.isMerged
      ? differingParts(args[name], observed[name])
      : [args[name], observed[name]];
    const display = name === kind.parent?.argument ? String : mayQuote(name) ? shown : described;
    const text =
      mayQuote(name) && isLong(ours) && isLong(theirs)
        ? `lines of the program (+) and of the service (-) differ:${await linesOf(theirs, ours)}`
        : `the program has ${display(ours)}, the service has ${display(theirs)}`;
    found.push({ argument: name, text: `${name}: ${text}` });
  }
  return found;
}

/** Returns the parts of a map that the program states and the service has otherwise, as both have them. */
function differingParts(ours: unknown, theirs: unknown): [unknown, unknown] {
  const live = Object(theirs);
  const parts = Object.entries(Object(ours)).filter(([key, value]) => !isDeepStrictEqual(value, live[key]));
  return [Object.fromEntries(parts), Object.fromEntries(parts.map(([key]) => [key, live[key]]))];
}

function isLong(value: unknown): value is string {
  return typeof value === "string" && value.trim().includes("\n");
}

async function linesOf(before: string, after: string): Promise<string> {
  // Loaded here and not above: every start of a provider would pay for it.
  const { lineDiff } = await import("../../../shared/messages/lines.js");
  const { lines, added, removed } = lineDiff(before, after);
  if (lines.length === 0) return `\n      ${counted(added, "new line")}, and ${removed} that are gone`;
  const written = lines.map(({ sign, text }) => (sign === "gap" ? "…" : `${sign} ${text}`));
  return written.map((line) => `\n      ${line}`).join("");
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function shown(value: unknown): string {
  return isNone(value) ? "none" : quoted(value);
}

/** Describes a value without its text. Numbers and booleans cannot be secrets; a text like a UUID can. */
function described(value: unknown): string {
  if (isNone(value)) return "none";
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value === "string") return `text of ${counted(value.length, "character")}`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return "a map";
}
