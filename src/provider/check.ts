import { withArticle } from "../messages/nouns.js";
import {
  DELETES_FIRST,
  IMPORT,
  IMPORT_IGNORES,
  INTERNAL,
  ORGANIZATION,
  PROBLEMS,
  SECRETS,
  secretNames,
} from "../protocol/properties.js";
import { isUnknown, type Properties, reveal, withoutUndefined } from "../protocol/values.js";
import type { AnyKind } from "../resources/kind.js";
import { argumentsIn } from "../resources/rules/paths.js";
import { problemsOf } from "../resources/rules/problems.js";
import { type Adopted, findAdopted, importedWords } from "./adoption.js";
import { changedNames } from "./equality.js";
import { messageOf, printable } from "./errors.js";
import { parentKindOf } from "./kinds.js";
import { mismatches } from "./mismatches.js";
import { normalized } from "./normalization.js";
import { obstacles } from "./obstacles.js";
import { missingAccess } from "./scopes.js";
import type { Session } from "./session.js";
import { argumentsOf, mayQuote, parentOf } from "./state.js";
import { requiredAtImport } from "./unknown-at-import.js";

const OFFLINE =
  "buildpipeline:offline is set, so nothing was asked of the API. The deployment reports missing scopes, conflicts, and " +
  "imports that don't match.";

/** Inputs as they go into state, and what is wrong with them. */
export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly string[];
}

/**
 * Validates inputs before anything is written: their values, the scopes of the API access token and, for an import,
 * whether they match the object. Completes them with defaults and the organization.
 *
 * @param olds inputs in state; empty on a creation and on every replacement
 */
export async function check(
  session: Session,
  kind: AnyKind,
  olds: Properties,
  news: Properties,
): Promise<Checked> {
  const wrong = problems(kind, olds, news);
  const inputs: Properties = {
    ...normalized(kind, olds, news),
    [ORGANIZATION]: session.settings.organization,
  };
  if (news[IMPORT] !== undefined) inputs[IMPORT] = news[IMPORT];
  // A constructor has told what is wrong with it.
  if (isUnknown(news[IMPORT])) return { inputs: withoutUndefined(inputs), failures: wrong };
  if (wrong.length > 0) return { inputs: withoutUndefined(inputs), failures: wrong };

  // An update plan holds a deployment to it, so a preview that cannot tell yet leaves it unknown.
  if (isUnknown(news[SECRETS]) || secretNames(news).size > 0) inputs[SECRETS] = news[SECRETS];
  const fresh = olds[ORGANIZATION] === undefined;
  session.ownership.noteCheck(kind, session.urn, inputs, fresh);
  const args = argumentsOf(kind, inputs);
  const changed = fresh || changedNames(kind, argumentsOf(kind, olds), args).size > 0;
  const name = news[IMPORT];
  const importing = fresh && typeof name === "string";
  const offline = session.settings.offline;
  if (offline) session.warnOnce(OFFLINE);
  const intent = importing ? "adopt" : fresh ? "create" : changed ? "update" : "nothing";
  const lacking = offline ? undefined : await missingAccess(session, kind, intent);
  const failures = lacking === undefined ? [] : [lacking];
  if (importing) failures.push(...missingForImport(kind, news));
  if (importing && !offline && failures.length === 0) {
    failures.push(...(await matchImported(session, kind, news, inputs)));
  } else if (fresh && !importing && !offline && failures.length === 0) {
    failures.push(...(await obstacles(session, kind, args, news[DELETES_FIRST] === true)));
  }
  // The engine ends at the first failure. Where the program listens, it tells all of them, and fails in the end. What is
  // new always answers the program; what is there already does not, if nothing else changes.
  const listening = fresh && news[PROBLEMS] !== undefined;
  if (!listening || failures.length === 0) return { inputs: withoutUndefined(inputs), failures };
  return { inputs: withoutUndefined({ ...inputs, [PROBLEMS]: failures.map(printable) }), failures: [] };
}

/** Everything that is wrong with what is known of some inputs. */
function problems(kind: AnyKind, olds: Properties, news: Properties): string[] {
  const quotes = mayQuote(news, olds);
  const names = [...Object.keys(news).filter((name) => !INTERNAL.has(name)), ...Object.keys(kind.arguments)];
  return [...new Set(names)]
    .filter((name) => !(name in kind.arguments && isUnknown(news[name])))
    .flatMap((name) => problemsOf(kind, name, reveal(news[name]), !quotes(name)))
    .map(({ text }) => text);
}

/** Lists arguments that an import needs and the program doesn't give. */
function missingForImport(kind: AnyKind, news: Properties): string[] {
  const { noun } = kind.words;
  return requiredAtImport(kind, news).map(
    (name) =>
      `${kind.name}.${name}: must be given when ${withArticle(noun)} is imported, because every update sends it and the ` +
      `API doesn't return it. Give ${kind.arguments[name]?.expected}, as the ${noun} has it now.`,
  );
}

/** Compares arguments with the object to import. An argument in `ignoreChanges` takes the object's value. */
async function matchImported(
  session: Session,
  kind: AnyKind,
  news: Properties,
  inputs: Properties,
): Promise<string[]> {
  const name = String(news[IMPORT]);
  const ignored = argumentsIn(news[IMPORT_IGNORES]);
  try {
    const { organization } = session.settings;
    const adopted = await findAdopted(session, organization, kind, name);
    const all = ignored.has("*") ? new Set(Object.keys(kind.arguments)) : ignored;
    const differences = await mismatches(kind, inputs, adopted, all, mayQuote(news));
    if (differences.length === 0) {
      if (!session.ownership.reserve({ organization, kind, id: adopted.id })) {
        return [alreadyManaged(kind, name, adopted.id)];
      }
      if (news[PROBLEMS] !== undefined) {
        session.inform(`imports the ${importedWords(kind, name, adopted.id)}; nothing is created`);
      }
      warnOfParent(session, kind, adopted);
      for (const [key, field] of Object.entries(kind.arguments)) {
        const unmanaged = field.whenOmitted === "unmanaged" && inputs[key] === undefined;
        if (all.has(key) && key in adopted.observed && !unmanaged) inputs[key] = adopted.observed[key];
      }
      return [];
    }
    const list = differences.map((line) => `\n    ${line}`).join("");
    return [
      `${kind.name}.import: the ${kind.words.noun} ${adopted.id} exists, but the arguments differ from it:${list}\n` +
        "  Make them match, or name what may differ in ignoreChanges.",
    ];
  } catch (error) {
    return [messageOf(error)];
  }
}

/** Warns that an imported object keeps the stack from deleting what it lives in. */
function warnOfParent(session: Session, kind: AnyKind, { id, observed }: Adopted): void {
  const parentKind = parentKindOf(kind);
  if (parentKind === undefined) return;
  const parent = parentOf(kind, observed);
  const { organization } = session.settings;
  const { planned } = session.run.of({ organization, kind: parentKind, id: parent });
  if (planned === undefined || planned.imported) return;
  const force = parentKind.deletesContents?.unless;
  session.warn(
    `the ${kind.words.noun} ${id} is imported into a stack that manages its ${parentKind.words.noun} ${parent}. ` +
      (force === undefined
        ? `Deleting the ${parentKind.words.noun} deletes the ${kind.words.noun} as well.`
        : `While import is set, the ${parentKind.words.noun} can't be deleted without ${force}: true, which deletes the ` +
          `${kind.words.noun} as well.`),
  );
}

/** Explains that two resources can't have one object. */
export function alreadyManaged(kind: AnyKind, name: unknown, id: string): string {
  return (
    `${kind.name}.import: ${JSON.stringify(name)} is the ${kind.words.noun} ${id}, which another resource of this program ` +
    'manages or imports already. Declare it once; a renamed resource needs { aliases: [{ name: "<old name>" }] }.'
  );
}
