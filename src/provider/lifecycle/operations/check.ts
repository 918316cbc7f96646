import { shownByEngine } from "../../../shared/messages/foreign-text.js";
import { quoted } from "../../../shared/messages/quoted.js";
import { isUnknown, type Properties, UNKNOWN } from "../../../shared/protocol/encoded-values.js";
import {
  IMPORT,
  namesAmong,
  ORGANIZATION,
  PROBLEMS,
  ROTATION,
  SECRETS,
} from "../../../shared/protocol/properties.js";
import { nameOfUrn } from "../../../shared/protocol/urn.js";
import { brokenRules, type Problem, problemsOf, problemsOfName } from "../../kind/argument-problems.js";
import { secretArguments } from "../../kind/kind.js";
import { argumentsOfPaths } from "../../kind/paths.js";
import type { Arguments } from "../../kind/value-roles.js";
import { creationConflicts, missingReferences, namesakes } from "../imports/conflicts.js";
import { findImported } from "../imports/find-imported.js";
import { matchImported } from "../imports/import-match.js";
import { missingAccess, wrongFunctions } from "../run/access.js";
import type { Session } from "../run/session.js";
import { hidden } from "../run/subject.js";
import { changedNames, decode, normalized, sameArgument } from "../values/codec.js";
import { kindOfArgument } from "../values/kinds.js";
import { type CheckRequest, idIn, mayQuote } from "../values/state.js";
import { noteNamed, warnOfSteps } from "./named-in-steps.js";
import { settingProblems } from "./settings.js";
import { missingUnreturned, unreadableSecrets } from "./unreturned.js";

const OFFLINE =
  "buildpipeline:offline is set, so nothing was asked of the API. The deployment reports missing scopes, conflicts, and " +
  "imports that don't match.";

export interface Checked {
  readonly inputs: Properties;
  readonly problems: readonly Problem[];
}

/** Validates inputs before anything is written, and completes them with defaults and the organization. */
export async function check(session: Session, request: CheckRequest): Promise<Checked> {
  const { kind, given, old, isNew, secretNames } = request;
  const { organization, offline } = session.settings;
  const args = normalized(kind, given, isNew ? undefined : old.args);
  const inputs = {
    ...args,
    [ORGANIZATION]: organization,
    [IMPORT]: request.import,
    [ROTATION]: request.rotation?.generation,
  };
  noteNamed(session, kind, args);
  const wrong = [
    ...problemsOfName(kind, nameOfUrn(session.entries.urn() ?? "")),
    ...wrongValues(request),
    ...wrongFunctions(session.settings, request),
    ...(await wrongGeneration(session, request)),
  ];
  session.entries.noteSecretNames(kind, secretNames);
  if (!isNew) session.entries.noteSecretNames(kind, [...namesAmong(old.secretNames)]);
  // If the name is unknown, the constructor has reported its problem.
  if (isUnknown(request.import) || wrong.length > 0) return refused(request, { inputs, problems: wrong });
  // An update plan holds a deployment to it, so a preview that does not know yet leaves it unknown.
  const names = [...namesAmong(secretNames).union(new Set(secretArguments(kind)))];
  const named = isUnknown(secretNames) ? secretNames : names.length > 0 ? names : undefined;
  const generation = request.rotation?.generation;
  const checked = { kind, organization, import: request.import, secretNames: named, generation, args };
  session.entries.noteCheck(checked, isNew ? undefined : old, argumentsOfPaths(request.ignores));
  if (offline) session.reporter.warnOfAll(OFFLINE);
  warnOfLeftOutGeneration(session, request);
  const quotes = mayQuote(request);
  const called = (name: string) => `${kind.name}.${name}: ${quotes(name) ? quoted(args[name]) : "the value"}`;
  session.reporter.warnOfColors(args, secretNames, called);
  const { problems, observed } = await findInApi(session, request, args);
  if (problems.length === 0) await warnOfSteps(session, request, args);
  // The responses have told the time of the service.
  const now = session.service.time();
  for (const doubt of doubtsIn(request, args, now)) session.reporter.warnOnce(doubt);
  const all = [...problems, ...brokenRulesIn(request, now)];
  return reported(request, { inputs: { ...inputs, [SECRETS]: named, ...observed }, problems: all });
}

/** Refuses inputs, unless a transform left them to a program that reports problems: then wrong values are unknown. */
function refused(request: CheckRequest, { inputs, problems }: Checked): Checked {
  if (!request.transformed || !request.reports || !request.isNew) return { inputs, problems };
  const unknown = problems.filter(({ argument }) => Object.hasOwn(request.kind.arguments, argument));
  const later = Object.fromEntries(unknown.map(({ argument }) => [argument, UNKNOWN]));
  return reported(request, { inputs: { ...inputs, ...later }, problems });
}

/** Hands problems to the program, if it reports them, or else to the engine. */
function reported({ isNew, reports }: CheckRequest, { inputs, problems }: Checked): Checked {
  // The engine ends at the first failure. A program that reports problems reports all of them, and fails at its end. A new
  // resource always answers the program; an existing one doesn't, if nothing else changes.
  if (!isNew || !reports || problems.length === 0) return { inputs, problems };
  const texts = problems.map(({ text }) => shownByEngine(hidden(text)));
  return { inputs: { ...inputs, [PROBLEMS]: texts }, problems: [] };
}

/** Returns everything that is wrong with known values. */
function wrongValues(request: CheckRequest): Problem[] {
  const { kind, given, old, isNew } = request;
  const quotes = mayQuote(request);
  // What an import could not read may stay unsaid: `ignoreChanges` keeps what the program says from the provider.
  const unsaid = isNew
    ? []
    : unreadableSecrets(kind).filter((name) => (given[name] ?? old.args[name]) == null);
  const names = new Set([...Object.keys(given), ...Object.keys(kind.arguments)]).difference(new Set(unsaid));
  const wrong = [...names]
    .filter((name) => !(Object.hasOwn(kind.arguments, name) && isUnknown(given[name])))
    .flatMap((name) => problemsOf(kind, name, given[name], !quotes(name)));
  return [...wrong, ...brokenRulesIn(request).map((problem) => withCause(request, problem))];
}

/** Returns the broken rules: without a time, those that need none. */
function brokenRulesIn(request: CheckRequest, now?: number): Problem[] {
  const { kind, given } = request;
  const planned = now === undefined ? undefined : plannedBy(request, now);
  return brokenRules(kind, given, (name) => !isUnknown(given[name]), planned);
}

/** Names the option that may have put back the one of two alternatives that the program doesn't give. */
function withCause({ kind, given, old }: CheckRequest, { argument, text }: Problem): Problem {
  const { unless } = kind.arguments[argument] ?? {};
  const isKept = unless !== undefined && given[argument] != null && given[unless.argument] != null;
  if (!isKept || !sameArgument(kind, argument, old.args[argument], given[argument]))
    return { argument, text };
  return {
    argument,
    text: `${text} If the program gives only ${unless.argument}, ignoreChanges keeps ${argument}: remove it there.`,
  };
}

/** Returns why the service may refuse new or changed values, whose rules nobody knows for certain. */
function doubtsIn(request: CheckRequest, args: Arguments, now: number): string[] {
  const { kind, old, isNew } = request;
  const changed = isNew ? new Set(Object.keys(args)) : changedNames(kind, old.args, args);
  const quotes = mayQuote(request);
  const ofRules = brokenRules(kind, args, (name) => !isUnknown(args[name]), plannedBy(request, now), true);
  const ofValues = [...changed].flatMap((name) => {
    const value = args[name];
    const words = value === undefined || isUnknown(value) ? undefined : kind.arguments[name]?.doubt?.(value);
    return words === undefined
      ? []
      : [`${kind.name}.${name}: ${quotes(name) ? `${quoted(value)} ` : ""}${words}`];
  });
  return [...ofRules.map(({ text }) => text), ...ofValues];
}

function plannedBy({ isNew, import: name }: CheckRequest, now: number) {
  return { now, isNew, isCreation: isNew && name === undefined };
}

async function findInApi(
  session: Session,
  request: CheckRequest,
  args: Arguments,
): ReturnType<typeof matchImported> {
  const { kind, given, old, isNew } = request;
  const { offline } = session.settings;
  const importing = isNew && typeof request.import === "string";
  const changed = isNew || changedNames(kind, old.args, args).size > 0;
  const need = importing ? "read" : changed ? "write" : undefined;
  const problems = offline ? [] : await missingAccess(session, kind, need);
  if (importing) problems.push(...missingUnreturned(kind, given, "imported"));
  if (session.entries.isCommand && !isNew) problems.push(...missingUnreturned(kind, given, "changed"));
  if (!offline && problems.length === 0 && changed && !importing)
    problems.push(...(await missingReferences(session, request, args)));
  if (offline || problems.length > 0 || !isNew) return { problems };
  if (importing) return matchImported(session, request, args);
  if (kind.isSetting) return { problems: await settingProblems(session, request, args) };
  return { problems: await creationConflicts(session, request, await withImported(session, request, args)) };
}

/** Returns arguments with the ids of resources that this deployment imports, which a preview doesn't know otherwise. */
async function withImported(
  { service, settings: { organization } }: Session,
  { kind, importsOfOthers }: CheckRequest,
  args: Arguments,
): Promise<Arguments> {
  const found = Object.entries(importsOfOthers).map(async ([argument, name]) => {
    const other = kindOfArgument(kind, argument);
    if (other === undefined || typeof name !== "string" || !isUnknown(args[argument])) return {};
    const query = { organization, kind: other, name };
    // What it imports reports why nothing is found.
    const imported = await findImported(service, query).catch(() => undefined);
    return imported === undefined ? {} : { [argument]: imported.id };
  });
  return Object.assign({ ...args }, ...(await Promise.all(found)));
}

/** Refuses an earlier generation, whose secret nothing brings back, and a later one that reaches no token. */
async function wrongGeneration(session: Session, request: CheckRequest): Promise<Problem[]> {
  const { rotation, given, old, isNew } = request;
  if (rotation === undefined) return [];
  const { of, generation } = rotation;
  const problem = (text: string) => [
    { argument: "", text: `RotatingAgentToken ${JSON.stringify(of)}: generation ${text}` },
  ];
  const own = generationIn(given);
  // The triggers of the first generation's token are the program's own.
  if (generation > 2 && !isUnknown(given.triggers) && own !== generation && own !== generation - 1)
    return problem(
      `${generation} revokes nothing, because ignoreChanges or a transform overrides the triggers of its tokens. Remove whichever it is.`,
    );
  if (isNew) return [];
  const last = generationIn(old.args);
  // After a refresh of the dynamic backend, only the generation of the token itself is known.
  const recorded = old.generation ?? last;
  const isKnown = typeof recorded === "number";
  if (isKnown && generation >= recorded) return [];
  const was = isKnown && typeof last === "number" && last <= recorded ? last : 1;
  // A token that stays has the generation of a rotation that made no token as well.
  const isUndone = isKnown && recorded > was && !(await mayExist(session, request, recorded));
  const before = isUndone ? was : recorded;
  if (typeof before === "number" && generation < before)
    return problem(
      `goes back from ${before} to ${generation}. A revoked secret can't come back, so set generation to ${before} to ` +
        `keep the tokens, or to ${before + 1} to rotate.`,
    );
  if (generation === 1 && (isUndone || (await hasSecond(session, request))))
    session.reporter.warn(
      `RotatingAgentToken ${JSON.stringify(of)}: generation 1 has no second token. If this deployment deletes "${of}-even", ` +
        "that revokes its secret, which can't come back. To keep both tokens, set generation to 2.",
    );
  return [];
}

/** Returns whether the list has a second token, where a refresh of the dynamic backend may have forgotten the generation. */
async function hasSecond({ run, service, settings }: Session, { kind, old }: CheckRequest): Promise<boolean> {
  const { label = "" } = kind.words;
  const parent = old.args[kind.parent?.argument ?? ""];
  if (settings.offline || typeof parent !== "string") return false;
  const where = { organization: settings.organization, kind, parent };
  const { entities = [] } = await service.collections.initialList(where);
  const second = namesakes(kind, { [label]: `${old.args[label]} #2` }, entities);
  return second.some((entity) => run.of({ ...where, id: idIn(where, entity) }).planned === undefined);
}

/** Returns whether the token of a generation may exist beside one that stays. A transform or a person may have renamed it. */
async function mayExist(
  { reporter, run, service: { collections }, settings: { organization, offline } }: Session,
  { kind, rotation, old: { args } }: CheckRequest,
  generation: number,
): Promise<boolean> {
  const { label = "", noun } = kind.words;
  const [parent, name] = [args[kind.parent?.argument ?? ""], args[label]];
  if (offline || typeof parent !== "string" || typeof name !== "string") return true;
  const where = { organization, kind, parent };
  const isNumbered = new RegExp(`#${generation}(?!\\d)`);
  const mayBeIn = (entities: readonly object[] = []) => {
    const [own, second] = namesakes(kind, args, entities);
    if (own === undefined || second !== undefined) return true;
    const madeAt = (entity: object) => Date.parse(String(decode(kind, entity).createdAt));
    return entities.some((entity) => {
      if (entity === own || run.of({ ...where, id: idIn(where, entity) }).planned) return false;
      // Of two tokens that stay, the other one's own check knows its generation. Generation 1 leaves the other one out.
      const isUnsure = rotation?.generation === 1 && !(madeAt(entity) < madeAt(own));
      return isUnsure || isNumbered.test(String(decode(kind, entity)[label]));
    });
  };
  const { entities } = await collections.initialList(where);
  if (entities === undefined || mayBeIn(entities)) return true;
  const later = await collections.lookLater(where, `${name} #${generation}`, (seconds) =>
    reporter.inform(
      `the list of ${noun}s has none of generation ${generation}. An earlier deployment may have created it just ` +
        `now, so it is looked for again in ${seconds} s.`,
    ),
  );
  return later === undefined || mayBeIn(later);
}

/**
 * Warns if a deployment replaces the token in use. An ordinary rotation replaces the token that was not the newest at its
 * last deployment. A refresh of the dynamic backend that finds drift forgets that: then it replaces the newest
 * generation's slot only, and the token of the generation before exists already.
 */
function warnOfLeftOutGeneration({ run, reporter }: Session, request: CheckRequest): void {
  const { rotation, given, old, isNew } = request;
  const own = generationIn(given);
  if (rotation === undefined || isNew || own === undefined || own === generationIn(old.args)) return;
  const { of, generation, previous } = rotation;
  const isMadeNow = isUnknown(previous) || run.some(previous, ({ written }) => written === "created");
  const isLeap = own !== generation || isMadeNow;
  const wasNewest = old.generation === undefined ? isLeap : old.generation === (generationIn(old.args) ?? 1);
  // A token that this deployment makes is in nobody's hands, whatever the state says of a deployment that didn't get to it.
  const replacesBoth = own === generation && isMadeNow;
  if (!wasNewest && !replacesBoth) return;
  const why = isLeap ? "both tokens in one deployment" : "the newest token that was deployed";
  reporter.warnOfAll(
    `RotatingAgentToken ${JSON.stringify(of)}: generation ${generation} revokes the secret in use, because it replaces ` +
      `${why}. Agents can't start or reconnect until they have the new secret. To keep the last ` +
      "one valid, raise generation by one in each deployment.",
  );
}

/** Returns the generation of a token, which is a trigger from the second one on. */
function generationIn({ triggers }: Arguments): unknown {
  return typeof triggers === "object" && triggers !== null ? Reflect.get(triggers, "generation") : undefined;
}
