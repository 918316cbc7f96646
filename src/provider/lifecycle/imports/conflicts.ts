import { counted, enumerated, withArticle } from "../../../shared/messages/nouns.js";
import { quoted } from "../../../shared/messages/quoted.js";
import { isUnknown, reveal } from "../../../shared/protocol/encoded-values.js";
import { isSameObject, isUuid } from "../../../shared/protocol/identity.js";
import { withCode, withCodeOf } from "../../../shared/protocol/message-codes.js";
import { nameOfUrn } from "../../../shared/protocol/urn.js";
import type { Problem } from "../../kind/argument-problems.js";
import { type AnyKind, allOf, forceArgument, isConnection } from "../../kind/kind.js";
import type { Arguments } from "../../kind/value-roles.js";
import { unreachable } from "../run/access.js";
import { parentListOf } from "../run/collections.js";
import { isMissing, isUnreachable, messageOf } from "../run/errors.js";
import type { Session } from "../run/session.js";
import { changedNames, decode, notAsSent, observedIn, sameArgument } from "../values/codec.js";
import { importForm, kindOfArgument, lostWith, parentKindOf } from "../values/kinds.js";
import { lossesOf, refusedLoss } from "../values/losses.js";
import {
  type ChangeRequest,
  type CheckRequest,
  idIn,
  mayQuote,
  organizationOf,
  parentOf,
  placeKeyOf,
  type Where,
} from "../values/state.js";
import { cameAlong, findHolder, formOf, hasSame, wantedBy, wantedValue } from "./holders.js";
import { alreadyManaged } from "./import-match.js";
import { importName, NamedObjects } from "./import-name.js";

/** A taken name is a problem, a namesake only a warning. Reads one list of each place, and none of a new place. */
export async function creationConflicts(
  session: Session,
  request: CheckRequest,
  args: Arguments,
): Promise<Problem[]> {
  const { kind } = request;
  const argument = kind.parent?.argument;
  if (argument !== undefined && isUnknown(args[argument])) return [];
  const { service, run, reporter, entries } = session;
  const where = { organization: service.settings.organization, kind, parent: parentOf(kind, args) };
  const label = kind.words.label;
  const twice = await claimedTwice(session, where, request, args);
  if (twice !== undefined) return [twice];
  if (kind.behavior.list === undefined || label === undefined) {
    const problems = await missingParent(session, where);
    if (kind.view !== undefined) await warnOfSetView(session, where, args);
    return problems;
  }
  // A query stands in the logs of gateways.
  const place = mayQuote(request)(label) ? await service.collections.narrowed(where, args[label]) : where;
  const { entities, failure } = await service.collections.initialList(place);
  if (entities === undefined) return notListed(session, where, failure);
  const { id: own } = entries.replacedBy({ ...where, import: undefined, secretNames: undefined, args }) ?? {};
  const isFirst = request.deletesFirst && own !== undefined;
  const kept = isFirst ? await keptFromDeletion(session, { ...where, id: own }) : undefined;
  if (kept !== undefined) return [{ argument: "", text: kept }];
  if (kind.unique === undefined && isUnknown(args[label])) return [];
  await entries.decided(service.pause);
  const advice = (entity: object) => importAdvice(session, where, entity, entities, mayQuote(request)(label));
  const keyOf = (entity: object) => ({ ...where, id: idIn(where, entity) });
  // The engine checks a resource with its state before it decides to replace it, and then again without.
  const replaced = entries.replacedBy({ ...where, import: undefined, secretNames: undefined, args });
  if (kind.unique === undefined) {
    const found = kind.importing === undefined ? [] : namesakes(kind, args, entities);
    const isOnly = found.length === 1 && entries.urn() !== undefined && replaced?.keepsLabel;
    for (const namesake of found) {
      const isOwn = replaced?.id === undefined ? isOnly : keyOf(namesake).id === replaced.id;
      if (isOwn) for (const { text } of lossesIn(where, namesake, args)) reporter.warnOnce(text);
      if (isOwn || run.of(keyOf(namesake)).planned !== undefined) continue;
      if (isBeingImported(session, where))
        return [
          {
            argument: label,
            text: namesakeBelowImport(kind, namesake, await advice(namesake), service.time()),
          },
        ];
      // Pulumi ignores the option `import` of a component.
      const importing = request.rotation === undefined ? await advice(namesake) : undefined;
      const isOther = replaced?.id !== undefined;
      reporter.warn(namesakeWarning(kind, namesake, importing, service.time(), isOther));
    }
    return [];
  }
  // What refers to it must go before it.
  if (request.deletesFirst && replaced?.id !== undefined)
    run.note({ ...where, id: replaced.id }, { label: "deletedFirst" });
  const holder = await findHolder(session, where, args, entities, (place) =>
    service.collections.mayLook(place),
  );
  if (holder === undefined) return [];
  const { id } = keyOf(holder);
  const problem = (text: string) => [{ argument: kind.unique?.argument ?? "", text }];
  if (cameAlong(session, where, args, holder)) {
    if (!entries.reserve(keyOf(holder))) return problem(alreadyManaged(kind, id, id));
    const names = notAsSent(kind, args, decode(kind, holder)).filter((name) => !isUnknown(args[name]));
    if (names.length > 0) reporter.warnOnce(takesOver(kind, id, names));
    return [];
  }
  const { isRefused } = kind.unique;
  const mayBeReplaced = request.deletesFirst && typeof isRefused !== "string";
  const isOwn = replaced?.id === undefined ? replaced?.keepsLabel : replaced.id === id;
  if (isOwn && request.retains && typeof isRefused !== "string")
    return problem(takenByRetained(kind, holder));
  if (isOwn)
    return mayBeReplaced || (isRefused === true && replaced?.id !== undefined)
      ? refusedLosses(where, holder, args)
      : problem(takenByReplaced(kind, holder));
  const { label: of, planned } = run.of(keyOf(holder));
  if (!isRefused && of !== "held") return [];
  const text = taken(session, where, {
    args,
    holder,
    advice: await advice(holder),
    retains: request.retains,
  });
  const { guessedFrom } = wantedBy(kind, args);
  const quotes = guessedFrom !== undefined && mayQuote(request)(guessedFrom);
  if (guessedFrom !== undefined) {
    const value = quotes ? ` ${quoted(wantedValue(kind, args))}` : "";
    reporter.warn(
      `${kind.name}.${guessedFrom}: the ${kind.words.noun} ${id} has the ${kind.unique.argument}${value}, which the API ` +
        `may make of this as well, and then it refuses the creation. Give another ${kind.unique.argument}.`,
    );
    return [];
  }
  // With `--replace`, of which no diff knows, it is the old one, and goes first.
  if (mayBeReplaced && planned === undefined) {
    reporter.warn(text);
    return refusedLosses(where, holder, args);
  }
  return problem(text);
}

/**
 * Refuses to delete an object before its replacement. Just before that, the engine asks how what refers to the object would
 * change. No check of the new object knows it: `--replace` has no diff, and other SDKs don't tell of `deleteBeforeReplace`.
 */
export async function requireReplaceable(session: Session, { state, inputs }: ChangeRequest): Promise<void> {
  const organization = organizationOf(session.settings, state);
  for (const [argument, id] of Object.entries(state.args)) {
    const kind = isUnknown(inputs.args[argument]) ? kindOfArgument(state.kind, argument) : undefined;
    if (kind === undefined || typeof id !== "string" || session.settings.offline) continue;
    const kept = await keptFromDeletion(session, { organization, kind, id });
    if (kept !== undefined) throw new Error(kept);
  }
}

/** Returns why an object must not be deleted before its replacement: what is in it would go, and then it would stay itself. */
async function keptFromDeletion(
  session: Session,
  { kind, organization, id }: Pick<Where, "kind" | "organization"> & { readonly id: string },
): Promise<string | undefined> {
  const { behavior } = kind;
  const next = behavior.keptBy && session.entries.replacingFirst({ organization, kind, id });
  if (behavior.keptBy === undefined || next === undefined) return undefined;
  const kept = await behavior.keptBy(session.service.context(organization), id).catch(() => []);
  if (kept.length > 0) return keptWords(kind, id, kept);
  await warnOfContents(session, { organization, kind, id }, next);
  return undefined;
}

function keptWords({ name, words: { noun } }: AnyKind, id: string, kept: readonly string[]): string {
  // Error deletes-before-replace: A cluster with pipelines would be deleted before its replacement is created. The API may
  // refuse that after everything else in the cluster is deleted.
  // Fix: Remove `deleteBeforeReplace`.
  return withCode(
    `${name}: deleteBeforeReplace is set, and the ${noun} ${id} has ${kept.join("; ")}. What else is in it would be deleted ` +
      `first, and then the API may refuse to delete the ${noun} itself. Remove deleteBeforeReplace: then the new ${noun} is ` +
      "created first, and what is in the old one moves into it.",
    "deletes-before-replace",
  );
}

/** Warns of what is in an object that goes first: what belongs to others keeps it, once this stack's own is deleted. */
async function warnOfContents(
  { reporter, service }: Session,
  { kind, organization, id }: Pick<Where, "kind" | "organization"> & { readonly id: string },
  args: Arguments,
): Promise<void> {
  const force = forceArgument(kind);
  if (force === undefined || args[force] === true) return;
  const lists = lostWith(kind.name).map(async (child) => {
    const inside = await allOf(child, service.context(organization), { parent: id }).catch(() => []);
    return inside.length === 0 ? [] : [counted(inside.length, child.words.noun)];
  });
  const found = (await Promise.all(lists)).flat();
  if (found.length === 0) return;
  const { noun } = kind.words;
  reporter.warnOnce(
    `${kind.name}: deleteBeforeReplace is set, and the ${noun} ${id} has ${enumerated(found)}. Those of this stack are deleted ` +
      `first, and if any other is left, the ${noun} is not deleted. Remove deleteBeforeReplace: then the new ${noun} is ` +
      "created first.",
  );
}

/** Returns the problem that another new resource of the program claims the same. Constructors don't see it in all languages. */
async function claimedTwice(
  session: Session,
  where: Where,
  request: CheckRequest,
  args: Arguments,
): Promise<Problem | undefined> {
  const { kind } = where;
  const { once, unique } = kind;
  if (once === undefined || once.tolerated === true) return undefined;
  // What the API takes twice, the constructors of the dynamic provider refuse.
  if (!unique?.isRefused && session.entries.urn() === undefined) return undefined;
  const { argument } = unique === undefined ? once : wantedBy(kind, args);
  const value = args[argument];
  if (typeof value !== "string" || isUnknown(value)) return undefined;
  const form = formOf(kind);
  // Where no list shows who has it, the entries that the program keeps do.
  const other =
    session.entries.claim(`${placeKeyOf(where)} ${form(value)}`) ??
    (unique === undefined ? await keptEntry(session, where, argument, form(value)) : undefined);
  if (other === undefined) return undefined;
  const name = other.urn === undefined ? "another resource of this program" : quoted(nameOfUrn(other.urn));
  const shown = mayQuote(request)(argument) ? `${quoted(value)} ` : "";
  return { argument, text: `${kind.name}.${argument}: ${shown}${once.words.replace("{other}", () => name)}` };
}

/** Warns that an object has another value of a view than the one that is about to be created: somebody else set it. */
async function warnOfSetView({ entries, reporter, service }: Session, where: Where, args: Arguments) {
  const { kind, parent } = where;
  const parents = parentListOf(where);
  if (
    parents === undefined ||
    entries.replacedBy({ ...where, import: undefined, secretNames: undefined, args })
  )
    return;
  const place = (await service.collections.knownInitialList(parents))?.find(parents.isParent);
  if (place === undefined || !kind.view?.exists(place)) return;
  for (const [name, value] of Object.entries(decode(kind, place)))
    if (value !== undefined && name in kind.arguments && !sameArgument(kind, name, value, args[name]))
      reporter.warn(
        `${kind.name}.${name}: the ${parents.kind.words.noun} ${parent} has another ${kind.words.noun} already, ${quoted(value)}. ` +
          "The deployment changes that. If another stack manages it, leave it to one of the two.",
      );
}

async function keptEntry(
  { entries, run, service }: Session,
  { kind, organization }: Where,
  argument: string,
  wanted: string,
) {
  await entries.decided(service.pause);
  const form = formOf(kind);
  return run
    .knownOf(organization, kind.name)
    .find(({ known, isRenamed }) => !isRenamed && form(String(reveal(known[argument]))) === wanted);
}

function lossesIn(where: Where, entity: object, args: Arguments) {
  const { id, observed } = observedIn(where, entity);
  return lossesOf(where.kind, id, observed, args);
}

function refusedLosses(where: Where, holder: object, args: Arguments): Problem[] {
  const refused = lossesIn(where, holder, args).filter((loss) => loss.refused);
  return refused.map(({ text }) => ({ argument: "", text: refusedLoss(where.kind, text) }));
}

/** An access token may be allowed to create objects, but not to list them: then there is no problem. */
async function notListed(session: Session, where: Where, failure: unknown): Promise<Problem[]> {
  const { kind, organization } = where;
  if (isUnreachable(failure)) return [{ argument: "", text: unreachable(kind, failure) }];
  if (!isMissing(failure)) return [];
  if (kind.parent !== undefined) return missingParent(session, where);
  const text =
    `${kind.name}: the organization "${organization}" does not exist, or has no ${kind.words.noun}s that this access token may ` +
    `see. Check how it is spelled in buildpipeline:organization (or BUILDPIPELINE_ORGANIZATION), and that the access ` +
    `token belongs to it. ${messageOf(failure)}`;
  return [{ argument: "", text: withCodeOf(text, failure) }];
}

async function missingParent(session: Session, where: Where): Promise<Problem[]> {
  const { kind, parent } = where;
  const parents = parentListOf(where);
  if (parents === undefined) return [];
  return missingObject(session, kind, kind.parent?.argument ?? "", parents, parent, parents.isParent);
}

/**
 * Refuses new ids of objects that the organization lacks. Of what some access tokens don't see, an absence shows nothing.
 * What the program itself declares needs no look.
 */
export async function missingReferences(session: Session, request: CheckRequest, args: Arguments) {
  const { kind, old, isNew } = request;
  const { organization } = session.service.settings;
  const problems: Problem[] = [];
  for (const argument of isNew ? Object.keys(args) : changedNames(kind, old.args, args)) {
    const of = kindOfArgument(kind, argument);
    const id = args[argument];
    const isListed = of !== undefined && of.parent === undefined && of.hidden === undefined;
    if (!isListed || argument === kind.parent?.argument || typeof id !== "string") continue;
    if (isUnknown(id) || !isUuid(id)) continue;
    const where = { organization, kind: of, parent: "" };
    if (session.run.of({ ...where, id }).planned !== undefined) continue;
    if ((await session.service.collections.initialList(where)).entities === undefined) continue;
    const isIt = (entity: object) => isSameObject(of.identify(entity), id);
    problems.push(...(await missingObject(session, kind, argument, where, id, isIt)));
  }
  return problems;
}

async function missingObject(
  session: Session,
  kind: AnyKind,
  argument: string,
  where: Where,
  id: string,
  isIt: (entity: object) => boolean,
): Promise<Problem[]> {
  const { service, run, reporter } = session;
  const { collections } = service;
  const { organization, kind: of } = where;
  const { written, planned } = run.of({ ...where, id });
  if (written === "created") return [];
  const { entities, failure } = await collections.initialList(where);
  if (entities === undefined) return notListed(session, where, failure);
  if (entities.some(isIt)) return [];
  // It may have been made since, by another process of this deployment, or by the last one.
  const now = await collections.lookLater(where, id, (seconds) =>
    reporter.inform(
      `${kind.name}.${argument}: the list of ${of.words.noun}s lacks ${id}. Another stack may have created it just now, so it ` +
        `is looked for again in ${seconds} s.`,
    ),
  );
  if (now === undefined || now.some(isIt)) return [];
  const evidence = of.hidden?.evidence;
  const unlisted = evidence?.is === "needed" && !now.some(evidence.of);
  const fix =
    planned === undefined
      ? `Give an id that exists, or the ${of.name} itself.`
      : `A resource of this program has it: if it was deleted, pulumi up --refresh creates it again` +
        `${of.hidden ? ", or says why it stays in state" : ""}.`;
  const text =
    `${kind.name}.${argument}: there is no ${of.words.noun} ${id} in the organization ` +
    `"${organization}" that this access token may see. ${fix}` +
    (unlisted
      ? ` Lists may leave out what is archived. If the ${of.words.noun} is, ` +
        (planned === undefined ? "unarchive it first." : "pulumi up --refresh unarchives it.")
      : "");
  return [{ argument, text }];
}

/** Returns the objects that are equal as far as the arguments say: what these leave out, but for the label, may be anything. */
export function namesakes(kind: AnyKind, args: Arguments, entities: readonly object[]): object[] {
  const { words, equalIn } = kind;
  const { label = "" } = words;
  if (equalIn === undefined && args[label] === undefined) return [];
  const names = (equalIn ?? [label]).filter(
    (name) => name === label || (args[name] !== undefined && !isUnknown(args[name])),
  );
  return entities.filter((entity) => names.every((name) => hasSame(kind, name, args, entity)));
}

/** Returns whether this deployment imports what an object is to live in. */
function isBeingImported({ run }: Session, { kind, organization, parent }: Where): boolean {
  const above = parentKindOf(kind);
  if (above === undefined) return false;
  const { entry, isEngineImport } = run.of({ organization, kind: above, id: parent });
  return entry === "importing" || isEngineImport === true;
}

/**
 * Returns why a change can't give an object a value that must be unique: another object has it, which this deployment may
 * delete too late. It is known before the old object is deleted.
 */
export async function takenInChange(
  session: Session,
  { state, inputs }: ChangeRequest,
  isReplaced: boolean,
): Promise<string | undefined> {
  const { kind, id } = state;
  const { args } = inputs;
  const { argument = "", isRefused } = kind.unique ?? {};
  const place = kind.parent?.argument ?? "";
  const wanted = isReplaced ? wantedValue(kind, args) : args[argument];
  const before = isReplaced ? wantedValue(kind, state.args) : state.args[argument];
  if (!isRefused || session.settings.offline || isUnknown(wanted) || isUnknown(args[place])) return undefined;
  const moves = !sameArgument(kind, place, state.args[place], args[place]);
  if (wanted === undefined || (!moves && sameArgument(kind, argument, before, wanted))) return undefined;
  const where = {
    organization: organizationOf(session.settings, inputs),
    kind,
    parent: parentOf(kind, args),
  };
  const { entities = [] } = await session.service.collections.initialList(where);
  const holder = await findHolder(session, where, args, entities);
  if (holder === undefined || isSameObject(idIn(where, holder), id)) return undefined;
  return taken(session, where, { args, holder });
}

/**
 * Returns the option `import` for an object of a list: by ids, and by names if they are known to be unique and aren't
 * secret. Asks the service for nothing.
 */
export async function importAdvice(
  session: Session,
  where: Where,
  entity: object,
  among: readonly object[],
  mayName: boolean,
): Promise<string> {
  const { kind, parent } = where;
  const option = (name: string) => `{ import: ${JSON.stringify(name)} }`;
  const ids = option(importName(parent, kind.identify(entity)));
  const name = new NamedObjects(kind, [...among, entity]).importNameOf(entity);
  if (!mayName || name === kind.identify(entity)) return `${ids} (${importForm(kind)})`;
  const named = option(importName(await parentName(session, where), name));
  // An id is found in the list only.
  return among.includes(entity) ? `${named} (or ${ids})` : named;
}

/** Returns the name of the object that another one lives in, if its list was read and it isn't secret; otherwise its id. */
async function parentName({ entries, service }: Session, where: Where): Promise<string> {
  const parents = parentListOf(where);
  if (parents === undefined || !entries.mayShowLabels(parents.kind)) return where.parent;
  const known = (await service.collections.knownInitialList(parents)) ?? [];
  const owner = known.find(parents.isParent);
  return owner === undefined ? where.parent : new NamedObjects(parents.kind, known).importNameOf(owner);
}

/** @param mayName its name isn't secret */
export function describeObject(kind: AnyKind, entity: object, now: number, mayName: boolean): string {
  const label = kind.words.label;
  const name = label === undefined || !mayName ? "" : ` ${quoted(decode(kind, entity)[label])}`;
  return `${kind.words.noun}${name} (${idAndOrigin(kind, entity, now)})`;
}

/** Says that an object is there already: `a cluster with the same name already exists: …`. */
function namesakeWords(kind: AnyKind, entity: object, now: number): string {
  const { noun, label } = kind.words;
  const which =
    kind.equalIn === undefined || isRefusedTwice(kind)
      ? `${withArticle(noun)} with the same ${enumerated(kind.equalIn ?? [label ?? "name"])}`
      : `an equal ${noun}`;
  // Warning namesake: An object of this name exists, so the deployment would create a second one.
  // Fix: Follow the first case in the message that applies: replaced, renamed, or not managed by this stack. After a
  // killed process, follow [the steps](../guides/recover.md).
  return `${which} already exists: ${idAndOrigin(kind, entity, now)}.`;
}

/** Nothing tells whether the API takes two objects that are equal in what identifies them, and no update makes one of the other. */
export function isRefusedTwice({ equalIn, behavior }: AnyKind): boolean {
  return equalIn !== undefined && behavior.update === undefined;
}

/**
 * Explains a creation that the API refused beside an object that is equal in what identifies them; undefined if there is none.
 * The engine doesn't say whether the new object replaces one: what it checked does.
 */
export async function refusedBesideEqual(
  session: Session,
  where: Where,
  args: Arguments,
  entities: readonly object[],
  mayName: boolean,
): Promise<string | undefined> {
  const { kind, parent } = where;
  if (!isRefusedTwice(kind)) return undefined;
  const stateOf = (entity: object) => session.run.of({ ...where, id: idIn({ kind, parent }, entity) });
  const equal = namesakes(kind, args, entities).find((one) => stateOf(one).end !== "deleted");
  if (equal === undefined) return undefined;
  const id = idIn({ kind, parent }, equal);
  const replaced = session.entries.replacedBy({ ...where, import: undefined, secretNames: undefined, args });
  const stays = `The ${kind.words.noun} ${id} has the same ${enumerated(kind.equalIn ?? [])}, and stays as it is.`;
  const replacing = "set deleteBeforeReplace: true, which accepts that there is none in between";
  if (replaced?.id === id) return `${stays} To replace it, ${replacing}.`;
  if (stateOf(equal).planned !== undefined)
    return `${stays} Another resource of this program has it: declare each ${kind.words.noun} once.`;
  const advice = await importAdvice(session, where, equal, entities, mayName);
  // `--replace` asks for no diff.
  const own =
    replaced !== undefined && replaced.id === undefined ? ` If it is the one to replace, ${replacing}.` : "";
  return `${stays}${own} To manage it here, add ${advice}; if another stack manages it, move it with \`pulumi state move\`.`;
}

function takesOver(kind: AnyKind, id: string, names: readonly string[]): string {
  const origin = kindOfArgument(kind, kind.comesWith?.argument ?? "");
  return (
    `${kind.name}: the ${kind.words.noun} ${id} came into being with its ${origin?.words.noun}. Nothing is created: the deployment ` +
    `takes it over, and changes its ${enumerated(names)}.`
  );
}

function namesakeBelowImport(kind: AnyKind, entity: object, advice: string, now: number): string {
  const parent = parentKindOf(kind)?.words.noun;
  return (
    `${kind.name}.${kind.parent?.argument}: this deployment imports the ${parent}, in which ${namesakeWords(kind, entity, now)} ` +
    `To manage it here, add ${advice}. To create a second one, deploy the import of the ${parent} first.`
  );
}

/**
 * @param advice the option that manages it here; undefined where nothing can
 * @param isOther whether it is known to be another one than this resource replaces
 */
function namesakeWarning(
  kind: AnyKind,
  entity: object,
  advice: string | undefined,
  now: number,
  isOther: boolean,
): string {
  const whose = isOther
    ? `It isn't the one that this resource replaces. ${LEFT} Otherwise an interrupted deployment may have created it: to manage`
    : "If this resource is being replaced, that is the old one, and there is nothing to do. " +
      `${LEFT} ${ALIASES} Otherwise it isn't managed by this stack: to manage`;
  const ways =
    advice === undefined
      ? (isOther
          ? ""
          : `If this ${kind.words.noun} is being replaced, that is the old one, and there is nothing to do. `) +
        `${LEFT} ` +
        'If the RotatingAgentToken was renamed, add { aliases: [{ name: "<old name>" }] } to its options. Otherwise delete the ' +
        `${kind.words.noun}, unless it is a colleague's.`
      : `${whose} it here, add ${advice}; if another stack manages it, move it with \`pulumi state move\`.`;
  return withCode(
    `${namesakeWords(kind, entity, now)} Pulumi will create a ` +
      `second one${isRefusedTwice(kind) ? ". If the API refuses that, the deployment fails" : ""}. ${ways}`,
    "namesake",
    kind.identify(entity),
  );
}

const LEFT = "If an earlier deployment couldn't delete it (`delete: true` in the state), this one does.";

const ALIASES =
  'If the resource was renamed in the program, add { aliases: [{ name: "<old name>" }] } to its options; if it moved to ' +
  "another parent, add aliases with its old parent.";

function idAndOrigin(kind: AnyKind, entity: object, now: number): string {
  const origin = creationWords(kind, entity, now);
  return origin === undefined ? kind.identify(entity) : `${kind.identify(entity)}, ${origin}`;
}

function creationWords(kind: AnyKind, entity: object, now: number): string | undefined {
  const { createdAt, createdBy } = decode(kind, entity);
  if (typeof createdAt !== "string") return undefined;
  return `created ${age(now - Date.parse(createdAt))}${byCreator(createdBy)}`;
}

const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000 };

function age(milliseconds: number): string {
  for (const [unit, length] of Object.entries(UNITS)) {
    const count = Math.floor(milliseconds / length);
    if (count > 0) return `${counted(count, unit)} ago`;
  }
  return "less than a minute ago";
}

function takenByRetained(kind: AnyKind, holder: object): string {
  // Error taken-by-retained: Pulumi replaces the resource, and keeps the old object because of `retainOnDelete`. The API
  // gives its key, slug or pair to no second one.
  // Fix: Deploy the resource without `retainOnDelete` first, or don't replace it.
  return withCode(
    `${kind.name}.${kind.unique?.argument}: is taken by the ${kind.words.noun} ${kind.identify(holder)}, which retainOnDelete ` +
      "keeps although this resource is being replaced. Remove retainOnDelete and deploy that first, then replace it.",
    "taken-by-retained",
  );
}

function takenByReplaced(kind: AnyKind, holder: object): string {
  const { noun } = kind.words;
  const { argument, isRefused } = kind.unique ?? {};
  const fix =
    typeof isRefused === "string"
      ? `Remove replaceOnChanges, --replace or whatever asks for that. ${isRefused}`
      : "Because this resource is being replaced, add { deleteBeforeReplace: true } to its options.";
  return withCode(
    // Error taken-until-replaced: Pulumi replaces the resource without asking the provider, because of `replaceWith`,
    // `replacementTrigger` or `pulumi state taint`. It would create the new one first.
    // Fix: Set the option `deleteBeforeReplace` on the resource. A pipeline is never replaced, so remove what asks for
    // it.
    `${kind.name}.${argument}: is taken by the ${noun} ${kind.identify(holder)}, which exists until its replacement is ` +
      `created. ${fix}`,
    "taken-until-replaced",
  );
}

/**
 * Explains a value that is taken, and how to get it.
 *
 * @param advice the import of the holder, for a resource without an object. Such a resource and one that `--replace`
 *   replaces are checked in the same way.
 */
export function taken(
  { run, service }: Session,
  where: Where,
  { args, holder, advice, retains }: { args: Arguments; holder: object; advice?: string; retains?: boolean },
): string {
  const { kind } = where;
  const { noun } = kind.words;
  const { argument = "", isRefused } = kind.unique ?? {};
  const id = idIn(where, holder);
  const evidence = kind.hidden?.evidence;
  const unlisted = evidence?.is === "needed" && evidence.of(holder) ? ", which is archived" : "";
  const origin = creationWords(kind, holder, service.time());
  const { planned, written } = run.of({ ...where, id });
  const isOfEntry = planned !== undefined || written === "created";
  const deletesFirst = retains ? NOT_RETAINED : DELETES_FIRST;
  const replacing = isRefused === true || !isRefused ? deletesFirst : `${NOT_REPLACED} ${isRefused}`;
  const sentences = [
    // Error taken: Another object has the key, the slug, the name or the pair.
    // Fix: Follow the first case in the message that applies: replaced, renamed, or not managed by this stack.
    `${kind.name}.${wantedBy(kind, args).argument}: is taken by the ${noun} ${id}${unlisted}${settingsOf(kind, holder)}.`,
    origin !== undefined && `It was ${origin}.`,
    isOfEntry && `Another resource of this program has it: declare each ${noun} once.`,
    advice !== undefined && !isOfEntry && replacing,
    "What another resource gives up in the same deployment isn't free yet: deploy that first, and then this.",
    isConnection(kind)
      ? "If a deployment that failed has yet to delete it, deploy once without this resource."
      : `To swap two ${argument}s, deploy three times, the first time with a third ${argument}.`,
    advice !== undefined &&
      !isOfEntry &&
      `${ALIASES} To manage that ${noun} here, add ${advice}; if another stack manages it, move it with \`pulumi state move\`.`,
  ];
  const text = sentences.filter((sentence) => typeof sentence === "string").join(" ");
  return isOfEntry || advice === undefined ? text : withCode(text, "taken", id);
}

const DELETES_FIRST = "If this resource is being replaced, add { deleteBeforeReplace: true } to its options.";
const NOT_RETAINED =
  "If this resource is being replaced, remove retainOnDelete and deploy that first: it keeps the old one.";
const NOT_REPLACED = "If replaceOnChanges or --replace asks to replace this resource, take that back.";

/** Returns what a pair is besides the two that it connects: `, with the role "maintainer"`. */
function settingsOf(kind: AnyKind, pair: object): string {
  if (!kind.isPair) return "";
  const observed = decode(kind, pair);
  const settings = Object.entries(kind.arguments).flatMap(([name, { whenOmitted, replaces }]) =>
    replaces || whenOmitted === "ignored" || observed[name] === undefined
      ? []
      : [`the ${words(name)} ${quoted(observed[name])}`],
  );
  return settings.length === 0 ? "" : `, with ${settings.join(" and ")}`;
}

/** Returns the name of an argument as words: `access level`. */
function words(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function byCreator(createdBy: unknown): string {
  const isNamed = typeof createdBy === "object" && createdBy !== null && "name" in createdBy;
  return isNamed && typeof createdBy.name === "string" ? ` by ${createdBy.name}` : "";
}
