import type { Settings } from "../configuration/settings.js";
import { withArticle } from "../messages/nouns.js";
import { isUnknown, type Properties, withoutUndefined } from "../protocol/encoded-values.js";
import {
  IMPORT,
  namesAmong,
  ORGANIZATION,
  organizationAt,
  PROBLEMS,
  ROTATION,
  SECRETS,
} from "../protocol/properties.js";
import type { AnyKind } from "../resources/kind.js";
import { argumentsOfPaths } from "../resources/rules/paths.js";
import { type Problem, problemsOf } from "../resources/rules/problems.js";
import type { Arguments } from "../resources/value-roles.js";
import { changedNames } from "./equality.js";
import { messageOf, textForEngine } from "./errors.js";
import { alreadyManaged, findImported, type ImportedObject, importedWords } from "./import-option.js";
import { parentKindOf } from "./kinds.js";
import { mismatches } from "./mismatches.js";
import { normalized } from "./normalization.js";
import { obstacles } from "./obstacles.js";
import { type CheckRequest, mayQuote } from "./requests.js";
import { generationGoesBack, warnOfLeftOutGeneration } from "./rotation.js";
import { missingAccess } from "./scopes.js";
import type { Session } from "./session.js";
import { argumentsIn, parentOf } from "./state.js";
import { requiredAtImport } from "./unknown-at-import.js";

const OFFLINE =
  "buildpipeline:offline is set, so nothing was asked of the API. The deployment reports missing scopes, conflicts, and " +
  "imports that don't match.";

/** Inputs for the state, and their problems. */
export interface Checked {
  readonly inputs: Properties;
  /** Each with the name of the argument that it is about, or "". */
  readonly problems: readonly Problem[];
}

/**
 * Validates inputs before anything is written: their values, the scopes of the API access token and, for an import,
 * whether they match the object. Completes them with defaults and the organization.
 */
export async function check(session: Session, kind: AnyKind, request: CheckRequest): Promise<Checked> {
  const { given, old, isNew, secretNames } = request;
  const { organization, offline } = session.settings;
  const args = argumentsIn(kind, { ...normalized(kind, old.args, given) });
  const inputs = {
    ...args,
    [ORGANIZATION]: organization,
    [IMPORT]: request.import,
    [ROTATION]: request.rotation?.generation,
  };
  const wrong = [
    ...wrongValues(kind, request),
    ...wrongFunctions(session.settings, kind, request),
    ...generationGoesBack(request),
  ];
  session.entries.noteSecretNames(kind, secretNames);
  if (!isNew) session.entries.noteSecretNames(kind, [...namesAmong(old.secretNames)]);
  // If the name is unknown, the constructor has reported its problem.
  if (isUnknown(request.import) || wrong.length > 0) {
    return { inputs: withoutUndefined(inputs), problems: wrong };
  }
  // An update plan holds a deployment to it, so a preview that does not know yet leaves it unknown.
  const named = isUnknown(secretNames) || namesAmong(secretNames).size > 0 ? secretNames : undefined;
  const checked = { organization, import: request.import, secretNames: named, args };
  session.entries.noteCheck(kind, session.urn, checked, isNew);
  if (offline) session.reporter.warnOnce(OFFLINE);
  warnOfLeftOutGeneration(session, request);
  const { problems, observed } = await findInApi(session, kind, request, args);
  const complete = { ...inputs, [SECRETS]: named, ...observed };
  // The engine ends at the first failure. A program that reports problems reports all of them, and fails at its end. A new
  // resource always answers the program; an existing one doesn't, if nothing else changes.
  if (!isNew || !request.reports || problems.length === 0) {
    return { inputs: withoutUndefined(complete), problems };
  }
  const texts = problems.map(({ text }) => textForEngine(text));
  return { inputs: withoutUndefined({ ...complete, [PROBLEMS]: texts }), problems: [] };
}

/** Returns everything that is wrong with known values. */
function wrongValues(kind: AnyKind, request: CheckRequest): Problem[] {
  const { given } = request;
  const quotes = mayQuote(request);
  const names = new Set([...Object.keys(given), ...Object.keys(kind.arguments)]);
  return [...names]
    .filter((name) => !(Object.hasOwn(kind.arguments, name) && isUnknown(given[name])))
    .flatMap((name) => problemsOf(kind, name, given[name], !quotes(name)));
}

/** Refuses a resource in another organization than the one whose ids the program's functions return. */
function wrongFunctions(settings: Settings, kind: AnyKind, { functionsRead }: CheckRequest): Problem[] {
  const here = organizationAt(settings);
  if (typeof functionsRead !== "string" || functionsRead === here) return [];
  const text =
    `${kind.name}: the functions of this program read the organization ${functionsRead}, but this resource is in ${here}. ` +
    "In an inline program of the Automation API, functions don't see the workspace's envVars. Set buildpipeline:organization " +
    "and buildpipeline:baseUrl in the stack's configuration (stack.setConfig), which both use.";
  return [{ argument: "", text }];
}

/** Problems that the API shows, and the values that a resource takes from an object to import. */
interface ApiFindings {
  readonly problems: readonly Problem[];
  readonly observed?: Arguments;
}

async function findInApi(
  session: Session,
  kind: AnyKind,
  request: CheckRequest,
  args: Arguments,
): Promise<ApiFindings> {
  const { given, old, isNew } = request;
  const { offline } = session.settings;
  const importing = isNew && typeof request.import === "string";
  const changed = isNew || changedNames(kind, old.args, args).size > 0;
  const intent = importing ? "import" : isNew ? "create" : changed ? "update" : "nothing";
  const lacking = offline ? undefined : await missingAccess(session, kind, intent);
  const problems = lacking === undefined ? [] : [{ argument: "", text: lacking }];
  if (importing) problems.push(...missingForImport(kind, given));
  if (offline || problems.length > 0 || !isNew) return { problems };
  if (importing) return matchImported(session, kind, request, args);
  return { problems: await obstacles(session, kind, args, request) };
}

/** Lists arguments that an import needs and the program doesn't give. */
function missingForImport(kind: AnyKind, given: Arguments): Problem[] {
  const { noun } = kind.words;
  return requiredAtImport(kind, given).map((argument) => ({
    argument,
    text:
      `${kind.name}.${argument}: must be given when ${withArticle(noun)} is imported, because every update sends it and the ` +
      `API doesn't return it. Give ${kind.arguments[argument]?.expected}, as the ${noun} has it now.`,
  }));
}

/** Compares arguments with the object to import. An argument in `ignoreChanges` takes the object's value. */
async function matchImported(
  session: Session,
  kind: AnyKind,
  request: CheckRequest,
  args: Arguments,
): Promise<ApiFindings> {
  const name = String(request.import);
  const problem = (text: string) => ({ problems: [{ argument: "", text }] });
  try {
    const { organization } = session.settings;
    const imported = await findImported(session, { organization, kind, name });
    const { id, observed } = imported;
    const ignored = ignoredNames(kind, request);
    const differences = await mismatches(kind, args, observed, { ignored, mayQuote: mayQuote(request) });
    if (differences.length > 0) {
      const list = differences.map((line) => `\n    ${line}`).join("");
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
function warnOfParent(session: Session, kind: AnyKind, { id, observed }: ImportedObject): void {
  const parentKind = parentKindOf(kind);
  if (parentKind === undefined) return;
  const parent = parentOf(kind, observed);
  const { organization } = session.settings;
  const { planned } = session.run.of({ organization, kind: parentKind, id: parent });
  const force = parentKind.deletesContents?.unless;
  if (planned === undefined || planned.imported || force === undefined) return;
  const { noun } = kind.words;
  session.reporter.warn(
    `the ${noun} ${id} is imported into a stack that manages its ${parentKind.words.noun} ${parent}. While import is ` +
      `set, the ${parentKind.words.noun} can't be deleted without ${force}: true, which deletes the ${noun} as well.`,
  );
}
