import type { Problem } from "../../kind/argument-problems.js";
import type { AnyKind } from "../../kind/kind.js";
import { argumentsOfPaths } from "../../kind/paths.js";
import type { Arguments } from "../../kind/value-roles.js";
import { findImported } from "../imports/find-imported.js";
import { mismatches } from "../imports/mismatches.js";
import { messageOf } from "../run/errors.js";
import type { Session } from "../run/session.js";
import type { ObservedObject } from "../values/codec.js";
import { parentKindOf } from "../values/kinds.js";
import { type CheckRequest, mayQuote, parentOf } from "../values/state.js";

/** Problems that the API shows, and the values that a resource takes from an object to import. */
export interface ApiFindings {
  readonly problems: readonly Problem[];
  readonly observed?: Arguments;
}

/** Compares arguments with the object to import. An argument in `ignoreChanges` takes the object's value. */
export async function matchImported(
  session: Session,
  kind: AnyKind,
  request: CheckRequest,
  args: Arguments,
): Promise<ApiFindings> {
  const name = String(request.import);
  const problem = (text: string) => ({ problems: [{ argument: "", text }] });
  try {
    const { organization } = session.settings;
    const imported = await findImported(session.service, { organization, kind, name, declared: args });
    const { id, observed } = imported;
    const ignored = ignoredNames(kind, request);
    const differences = await mismatches(kind, args, observed, { ignored, mayQuote: mayQuote(request) });
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
    const takes = ([argument]: [string, unknown]) =>
      ignored.has(argument) &&
      Object.hasOwn(kind.arguments, argument) &&
      (kind.arguments[argument]?.whenOmitted !== "unmanaged" || args[argument] !== undefined);
    return { problems: [], observed: Object.fromEntries(Object.entries(observed).filter(takes)) };
  } catch (error) {
    return problem(messageOf(error));
  }
}

function ignoredNames(kind: AnyKind, { importIgnores }: CheckRequest): ReadonlySet<string> {
  const ignored = argumentsOfPaths(importIgnores);
  return ignored.has("*") ? new Set(Object.keys(kind.arguments)) : ignored;
}

/** Warns that an imported object keeps the stack from deleting what it lives in. */
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
  const force = parentKind.deletesContents?.unless;
  if (planned === undefined || planned.imported || force === undefined) return;
  const { noun } = kind.words;
  reporter.warn(
    `the ${noun} ${id} is imported into a stack that manages its ${parentKind.words.noun} ${parent}. While import is ` +
      `set, the ${parentKind.words.noun} can't be deleted without ${force}: true, which deletes the ${noun} as well.`,
  );
}

/** Names an imported object as the program does, and by its id. */
export function importedWords(kind: AnyKind, name: string, id: string): string {
  return `${kind.words.noun} ${name.toLowerCase().endsWith(id) ? name : `${name} ${id}`}`;
}

export function alreadyManaged(kind: AnyKind, name: unknown, id: string): string {
  return (
    `${kind.name}.import: ${JSON.stringify(name)} is the ${kind.words.noun} ${id}, which another resource of this program ` +
    'manages or imports already. Declare it once; a renamed resource needs { aliases: [{ name: "<old name>" }] }.'
  );
}
