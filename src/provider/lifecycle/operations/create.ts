import { randomUUID } from "node:crypto";
import type { OnTheWay } from "../../../client/transport/exchange.js";
import { sendWrite } from "../../../client/write.js";
import { quoted } from "../../../shared/messages/quoted.js";
import { withCode } from "../../../shared/protocol/message-codes.js";
import type { NewPlace } from "../../kind/behavior.js";
import type { AnyArgumentField } from "../../kind/field.js";
import { type AnyKind, secretArguments } from "../../kind/kind.js";
import { isGrave } from "../../kind/review.js";
import type { Observed } from "../../kind/value-roles.js";
import { importAdvice, isRefusedTwice, refusedBesideEqual, taken } from "../imports/conflicts.js";
import { findImported } from "../imports/find-imported.js";
import { cameAlong, findHolder } from "../imports/holders.js";
import { importedWords, mismatches } from "../imports/import-match.js";
import { namingGone } from "../missing/gone-references.js";
import { withMarks } from "../missing/marks.js";
import { messageOf } from "../run/errors.js";
import type { Session } from "../run/session.js";
import {
  encode,
  lackedIn,
  notAsSent,
  type ObservedObject,
  observedIn,
  outputsOf,
  sameArgument,
  userIn,
} from "../values/codec.js";
import { kindOfArgument, losesSecret, parentKindOf } from "../values/kinds.js";
import {
  type Inputs,
  organizationOf,
  parentOf,
  placeKeyOf,
  secretNamesOf,
  type Where,
} from "../values/state.js";
import {
  type Creation,
  existedBefore,
  findCreated,
  lookForCreated,
  lostSecret,
  recovered,
  secondMayExist,
  unconfirmedCreation,
} from "./lost-creation.js";
import { type Completed, complete, type ObjectWrite, type Recorded } from "./separate-operations.js";
import { takeSettings } from "./settings.js";
import { lastChangeIn } from "./unreturned.js";
import { sendUpdate } from "./update.js";
import { leftByImport, notKept } from "./write-contents.js";

// Error unfinished: A later step of the creation or the update failed. The object is in state.
// Fix: Run `pulumi up` again.
const UNFINISHED = "exists, but is not finished";

/** Creates an object, or imports the one that the option `import` names. */
export async function create(session: Session, inputs: Inputs): Promise<Recorded> {
  const { kind, args, secretNames } = inputs;
  const organization = organizationOf(session.settings, inputs);
  if (typeof inputs.import === "string")
    return importExisting(session, organization, { ...inputs, import: inputs.import });
  session.entries.noteReplaced();
  if (kind.isSetting) return takeSettings(session, inputs);
  const where = { organization, kind, parent: parentOf(kind, args) };
  return session.service.collections.writing(where, async () => {
    const { made, isFound, cameAlong } = await createOnce(session, where, inputs);
    const { id, observed: returned } = made;
    const write = {
      context: session.service.context(organization),
      ref: { ...where, id, known: returned },
      args,
      // Nothing shows that an object from a list has what the API never returns.
      isDue: (_: string, { sentAs, returnedAs }: AnyArgumentField) =>
        isFound || sentAs === undefined || returnedAs !== undefined,
    };
    const madeAt = session.service.noteMade(write.ref);
    // Equal secrets may be sent by somebody else, or shown in part only.
    const names = secretArguments(kind).filter((name) => {
      const isSent = isFound && args[name] !== undefined && kind.arguments[name]?.apply === undefined;
      return isSent && !sameArgument(kind, name, args[name], returned[name]);
    });
    const send = () => sendUpdate({ ...write, names: new Set(names) });
    const completed = cameAlong
      ? await takeOver(write, returned)
      : await complete(write, returned, UNFINISHED, names.length > 0 ? { names, send } : undefined);
    const { observed, unsent = [], ...failure } = reportNotKept(session, inputs, id, completed);
    const written = lastChangeIn(kind, observed);
    const outs = outputsOf(
      { kind, organization, secretNames, args, unsent, written, madeAt, created: observed },
      observed,
    );
    session.run.note({ ...where, id }, { known: outs });
    return { id, outs: await withMarks(session.service, kind, outs), ...failure };
  });
}

/**
 * Completes what is unsent with what the service has otherwise than it was sent. If that decides who may do or see something,
 * or whether something runs, the creation isn't finished. Otherwise it is a warning.
 */
function reportNotKept({ reporter }: Session, inputs: Inputs, id: string, completed: Completed): Completed {
  const { kind, args, secretNames } = inputs;
  const { observed, unsent = [], initializationError } = completed;
  const names = notKept(kind, args, observed);
  if (names.length === 0) return completed;
  const secrets = secretNamesOf(kind, secretNames, args);
  const found = (name: string) => {
    const value = kind.arguments[name]?.shownBy?.(observed) ?? observed[name];
    return value === undefined ? "none" : quoted(value);
  };
  const each = names.map((name) => (secrets.has(name) ? name : `${name} (the API has ${found(name)})`));
  const isLasting = names.every((name) => kind.arguments[name]?.creationOnly !== undefined);
  const next = isLasting ? "Only a creation takes that." : "Run pulumi up to send it again.";
  // Error not-kept: The API responded to a creation with other values than were sent. What people only read, such as a
  // description, is a warning.
  // Fix: Run `pulumi up`. If that repeats, write the value as the API has it.
  const words = withCode(`the API didn't keep ${each.join(" and ")} as it was sent. ${next}`, "not-kept");
  const noun = `${kind.words.noun} ${id}`;
  const all = { observed, unsent: [...unsent, ...names] };
  if (names.some((name) => isGrave(kind.arguments[name]?.review))) {
    const also = initializationError === undefined ? "" : `${initializationError} `;
    return { ...all, initializationError: `${also}The ${noun} ${UNFINISHED}: ${words}` };
  }
  reporter.warn(`${kind.name}: the ${noun} was created, but ${words}`);
  return { ...all, ...(initializationError !== undefined && { initializationError }) };
}

async function importExisting(
  session: Session,
  organization: string,
  { kind, import: name, args, secretNames }: Inputs & { readonly import: string },
): Promise<Recorded> {
  const { id, observed, warnings } = await findImported(session.service, {
    organization,
    kind,
    name,
    declared: args,
  });
  // Values that the preview could not know, such as ids of other resources, are known now.
  const differences = await mismatches(kind, args, observed, () => false);
  if (differences.length > 0) {
    throw new Error(
      `${kind.name}.import: the ${kind.words.noun} ${id} differs from the arguments: ${differences.map(({ text }) => text).join("; ")}.`,
    );
  }
  session.reporter.inform(`imported the ${importedWords(kind, name, id)}, nothing was created`);
  for (const loss of warnings) session.reporter.warn(`the ${kind.words.noun} ${id} was imported: ${loss}`);
  const entry = { kind, organization, import: name, importMark: randomUUID().slice(0, 8), secretNames, args };
  const unsent = leftByImport(kind).filter((argument) => args[argument] !== undefined);
  const outs = outputsOf({ ...entry, unsent, written: lastChangeIn(kind, observed) }, observed);
  session.entries.noteImported({ organization, kind, id }, entry);
  return { id, outs: await withMarks(session.service, kind, outs) };
}

/**
 * Creates an object once, whatever happens to the response, because the service has no idempotency keys. After a lost or
 * unusable response the list decides: see {@link findCreated}. Nothing is deleted, so a one-time secret that was lost
 * with its response costs one more object.
 */
async function createOnce(session: Session, where: Where, inputs: Inputs) {
  const { kind } = where;
  const body = encode(kind, inputs.args);
  // Two equal creations at the same time could not distinguish their objects.
  const label = inputs.args[kind.words.label ?? ""];
  return session.oneAtATime(`creation of ${String(label)} in ${placeKeyOf(where)}`, async () => {
    const { collections } = session.service;
    const place = collections.knownPlace(where, label);
    await collections.knownInitialList(place);
    const context = session.service.context(where.organization);
    const creation: Creation = { session, context, where: place, inputs, body };
    const first = await createUntilKnown(creation);
    const { made, found: isFound, cameAlong } = first;
    if (!isFound || !losesSecret(kind)) return { made, isFound, cameAlong };
    session.reporter.warn(lostSecret(creation, made));
    const again = await createUntilKnown({ ...creation, passedOver: made.id });
    if (again.found) throw unconfirmedCreation(creation, again.last?.error, 1, [again.made]);
    return { made: again.made, isFound: false, cameAlong: false };
  });
}

/**
 * Creates an object.
 *
 * @returns it, whether a list shows it and no response does, and whether it came into being with another object
 */
async function createUntilKnown(creation: Creation) {
  const { session, where } = creation;
  const { kind } = where;
  const outcome = await sendWrite({
    send: (options) => kind.behavior.create(creation.context, placeOf(creation), creation.body, options),
    accept: (response, request) => madeBy(creation, response, request),
    look: (lost, error) => findCreated(creation, lost, error),
    repeats: kind.unique?.isRefused ? "refused" : "never",
  });
  if (outcome.is === "unknown") throw unconfirmedCreation(creation, outcome.error, outcome.lost.length, []);
  if (outcome.is !== "made") {
    const made = await findTakenOver(creation, outcome.error);
    if (made !== undefined) return { made, found: false, cameAlong: true, last: undefined };
    throw await explained(creation, outcome.error);
  }
  const { result: made, found, lost } = outcome;
  const last = lost.at(-1);
  const tries = lost.length + (found ? 0 : 1);
  if (tries > 1 && !kind.unique?.isRefused) {
    const looked = await lookForCreated(creation, lost).catch(() => undefined);
    const others = looked?.similar.filter(({ id }) => id !== made.id) ?? [];
    session.reporter.warn(secondMayExist(creation, tries, others));
  }
  if (found && losesSecret(kind)) return { made, found, cameAlong: false, last };
  session.run.note({ ...where, id: made.id }, { written: "created" });
  // The service may still finish a request with a lost response, after the list was read.
  if (found && !last?.ended && kind.importing !== undefined) session.reporter.warn(recovered(creation, made));
  return { made, found, cameAlong: false, last };
}

/** Returns the object of a response. @throws if it isn't the new one, or has other values than were sent */
async function madeBy(
  creation: Creation,
  response: object,
  request: OnTheWay | undefined,
): Promise<ObservedObject> {
  const { session, where } = creation;
  const { kind } = where;
  const made = observedIn(where, response);
  const lacked = lackedIn(kind, response).filter((name) => creation.inputs.args[name] !== undefined);
  if (
    made.id === "" ||
    existedBefore(creation, made.id) ||
    (notAsSent(kind, creation.inputs.args, made.observed, identifying(kind)).length > 0 &&
      !(await isOwnByTime(creation, made, request)))
  )
    // Error other-object: The API's response to a change has another id than the request.
    // Fix: Check that `baseUrl` leads to the API and not to a cache, then run `pulumi up --refresh`.
    throw new Error(
      withCode("The response describes another object than the one that was created.", "other-object"),
    );
  session.service.user = userIn(made.observed) ?? session.service.user;
  for (const name of lacked)
    session.reporter.warnOfFirst(
      `${kind.name}.${name}: the response to a creation doesn't have it, so nothing shows yet that the API took it. A refresh compares it.`,
    );
  return { ...made, observed: withoutNames(made.observed, lacked) };
}

/**
 * Returns whether a new object is of this request, although it is called otherwise than was sent: a service may write names
 * in its own way. Its place is right, nobody else made it, it came into being while the request was on its way, and it is
 * there.
 */
async function isOwnByTime(
  creation: Creation,
  { id, observed }: ObservedObject,
  request: OnTheWay | undefined,
): Promise<boolean> {
  const { context, session, where, inputs } = creation;
  const { kind } = where;
  const place = kind.parent === undefined ? [] : [kind.parent.argument];
  return (
    request !== undefined &&
    typeof observed.createdAt === "string" &&
    session.service.collections.idsBefore(where) !== undefined &&
    notAsSent(kind, inputs.args, observed, place).length === 0 &&
    [undefined, session.service.user ?? userIn(observed)].includes(userIn(observed)) &&
    context.client.serviceClock.mayHaveHappenedDuring(request, observed.createdAt) &&
    (await isShown(creation, { id, observed })) &&
    // Meanwhile another response may have had this one.
    !existedBefore(creation, id)
  );
}

/** Reads what a response has just shown, again while the service may not show it yet. */
async function isShown(
  { context, session, where }: Creation,
  { id, observed }: ObservedObject,
): Promise<boolean> {
  const ref = { ...where, id, known: observed };
  session.service.noteMade(ref);
  return (await where.kind.behavior.get(context, ref).catch(() => undefined)) !== undefined;
}

function placeOf(creation: Creation): NewPlace {
  const { session, where } = creation;
  const above = parentKindOf(where.kind);
  const parent = above && session.run.of({ ...where, kind: above, id: where.parent });
  return {
    parent: where.parent,
    ...(parent?.written === "created" && parent.known && { shown: parent.known }),
    async whatExisted() {
      await session.service.collections.initialList(where);
      return (id) => existedBefore(creation, id);
    },
  };
}

function withoutNames(observed: Observed, names: readonly string[]): Observed {
  return Object.fromEntries(Object.entries(observed).filter(([name]) => !names.includes(name)));
}

/** Returns the names of the arguments by which one object is told from another. */
function identifying({ arguments: fields, words }: AnyKind): string[] {
  return Object.keys(fields).filter((name) => {
    const { whenOmitted, replaces } = fields[name] ?? {};
    return name === words.label || whenOmitted === "required" || replaces === true;
  });
}

/** Returns the pair that a refused creation meets, if it came into being with the object that it refers to. */
async function findTakenOver(creation: Creation, refusal: unknown): Promise<ObservedObject | undefined> {
  const { session, context, where, inputs } = creation;
  if (where.kind.comesWith === undefined || !mayBeTaken(context, refusal)) return undefined;
  const holder = await findHolder(session, where, inputs.args, await listedNow(creation));
  if (holder === undefined || !cameAlong(session, where, inputs.args, holder)) return undefined;
  const found = observedIn(where, holder);
  session.run.note({ ...where, id: found.id }, { entry: "importing", written: "created" });
  return found;
}

/** Gives a pair that is taken over what the program says. It exists, so a failure isn't thrown: the state must record it. */
async function takeOver({ context, ref, args }: ObjectWrite, observed: Observed): Promise<Completed> {
  const { kind, id } = ref;
  const origin = kindOfArgument(kind, kind.comesWith?.argument ?? "");
  const words = `took over the ${kind.words.noun} ${id}, which came into being with its ${origin?.words.noun}`;
  const names = notAsSent(kind, args, observed);
  try {
    const changed = names.length === 0 ? {} : await sendUpdate({ context, ref, args, names: new Set(names) });
    context.inform(names.length === 0 ? words : `${words}, and changed its ${names.join(" and ")}`);
    return { observed: { ...observed, ...changed } };
  } catch (error) {
    context.inform(words);
    return {
      observed,
      initializationError: withCode(
        `The ${kind.words.noun} ${id} ${UNFINISHED}: ${messageOf(error)}`,
        "unfinished",
      ),
    };
  }
}

/** Checks whether a refusal may mean that another object has the value. Some services say so by a conflict. */
function mayBeTaken({ status }: Creation["context"], refusal: unknown): boolean {
  return [409, 422].includes(status(refusal) ?? 0);
}

async function explained(creation: Creation, refusal: unknown): Promise<unknown> {
  const { session, context, where, inputs } = creation;
  const { kind } = where;
  const { args } = inputs;
  if (!mayBeTaken(context, refusal)) return namingGone(session, where, args, refusal);
  const names = secretNamesOf(kind, inputs.secretNames, args);
  const mayName = !names.has(kind.words.label ?? kind.unique?.argument);
  const isListed = kind.unique !== undefined || isRefusedTwice(kind);
  const listed = isListed ? await listedNow(creation) : [];
  const holder = await findHolder(session, where, args, listed);
  if (holder === undefined) {
    const equal = await refusedBesideEqual(session, where, args, listed, mayName);
    if (equal !== undefined) return new Error(`${messageOf(refusal)} ${equal}`, { cause: refusal });
    return namingGone(session, where, args, refusal);
  }
  const advice = await importAdvice(session, where, holder, listed, mayName);
  const found = taken(session, where, { args, holder, advice });
  return new Error(`${messageOf(refusal)} ${found}`, { cause: refusal });
}

async function listedNow({ context, where }: Creation): Promise<object[]> {
  const listed = where.kind.behavior.list?.(context, where).all();
  return (await listed?.catch(() => [])) ?? [];
}
