import { randomUUID } from "node:crypto";
import { sendWrite } from "../../../client/write.js";
import { namesAmong } from "../../../shared/protocol/properties.js";
import type { AnyKind } from "../../kind/kind.js";
import { holderOf, importAdvice, taken } from "../imports/conflicts.js";
import { findImported } from "../imports/find-imported.js";
import { importedWords, mismatches } from "../imports/import-match.js";
import { withMarks } from "../missing/marks.js";
import { isMissing, messageOf, withoutSecrets } from "../run/errors.js";
import type { Session } from "../run/session.js";
import { decode, encode, notAsSent, type ObservedObject, observedIn, reconcile } from "../values/codec.js";
import { type Inputs, organizationOf, parentOf, placeKeyOf, type Where } from "../values/state.js";
import {
  type Creation,
  existedBefore,
  findCreated,
  lookForCreated,
  lostSecret,
  recovered,
  SETTLING_MS,
  secondMayExist,
  unconfirmedCreation,
  userIn,
} from "./lost-creation.js";
import { complete, type Recorded } from "./separate-operations.js";

export function create(session: Session, inputs: Inputs): Promise<Recorded> {
  return withoutSecrets([inputs], () => createOrImport(session, inputs));
}

async function createOrImport(session: Session, inputs: Inputs): Promise<Recorded> {
  const { kind, args, secretNames } = inputs;
  const organization = organizationOf(session.settings, inputs);
  if (typeof inputs.import === "string")
    return importExisting(session, organization, { ...inputs, import: inputs.import });
  const where = { organization, kind, parent: parentOf(kind, args) };
  return session.service.collections.writing(where, async () => {
    const { id, observed: returned } = await createOnce(session, where, inputs);
    const write = {
      context: session.service.context(organization),
      ref: { ...where, id, known: returned },
      args,
    };
    const { observed, ...failure } = await complete(write, returned, "exists, but is not finished");
    const { outs } = reconcile({ kind, organization, secretNames, args }, observed, observed);
    return { id, outs: await withMarks(session.service, kind, outs), ...failure };
  });
}

async function importExisting(
  session: Session,
  organization: string,
  { kind, import: name, args, secretNames }: Inputs & { readonly import: string },
): Promise<Recorded> {
  const { id, observed } = await findImported(session.service, { organization, kind, name, declared: args });
  // Values that the preview could not know, such as ids of other resources, are known now.
  const differences = await mismatches(kind, args, observed, () => false);
  if (differences.length > 0) {
    throw new Error(
      `${kind.name}.import: the ${kind.words.noun} ${id} differs from the arguments: ${differences.map(({ text }) => text).join("; ")}.`,
    );
  }
  session.reporter.inform(`imported the ${importedWords(kind, name, id)}, nothing was created`);
  if (kind.importedWithoutSecret !== undefined) {
    session.reporter.warn(`the ${kind.words.noun} ${id} was imported: ${kind.importedWithoutSecret}`);
  }
  const entry = { kind, organization, import: name, importMark: randomUUID().slice(0, 8), secretNames, args };
  const { outs } = reconcile(entry, observed);
  session.entries.noteImported({ organization, kind, id }, entry);
  return { id, outs: await withMarks(session.service, kind, outs) };
}

/**
 * Creates an object once, whatever happens to the response, because the service has no idempotency keys. After a lost or
 * unusable response the list decides: see {@link findCreated}. Nothing is deleted, so a one-time secret that was lost
 * with its response costs one more object.
 */
async function createOnce(session: Session, where: Where, inputs: Inputs): Promise<ObservedObject> {
  const { kind } = where;
  const body = encode(kind, inputs.args);
  // Two equal creations at the same time could not distinguish their objects.
  return session.oneAtATime(JSON.stringify([placeKeyOf(where), body]), async () => {
    // A response with only the submitted values needs the list from before, also in an offline run.
    if (kind.isTerse !== undefined) await session.service.collections.initialList(where);
    const before = await session.service.collections.knownInitialList(where);
    const creation: Creation = {
      session,
      context: session.service.context(where.organization),
      where,
      inputs,
      body,
      before: before && new Set(before.map((entity) => kind.identify(entity))),
    };
    const first = await createUntilKnown(creation);
    if (!first.found || !losesSecret(kind)) return first.made;
    session.reporter.warn(lostSecret(creation, first.made));
    const again = await createUntilKnown({ ...creation, passedOver: first.made.id });
    if (again.found) throw unconfirmedCreation(creation, again.last?.error, 1, [again.made]);
    return again.made;
  });
}

/** Creates an object. @returns it, and whether a list shows it and no response does */
async function createUntilKnown(creation: Creation) {
  const { session, where } = creation;
  const { kind } = where;
  const outcome = await sendWrite({
    send: () => send(creation),
    accept: (response) => madeBy(creation, response),
    look: (lost, error) => findCreated(creation, lost, error),
    repeats: kind.refusesDuplicates ? "refused" : "never",
  });
  if (outcome.is === "unknown") throw unconfirmedCreation(creation, outcome.error, outcome.lost.length, []);
  if (outcome.is !== "made") throw await explained(creation, outcome.error);
  const { result: made, found, lost } = outcome;
  const last = lost.at(-1);
  const tries = lost.length + (found ? 0 : 1);
  if (tries > 1 && !kind.refusesDuplicates) {
    const looked = await lookForCreated(creation, lost).catch(() => undefined);
    const others = looked?.similar.filter(({ id }) => id !== made.id) ?? [];
    session.reporter.warn(secondMayExist(creation, tries, others));
  }
  if (found && losesSecret(kind)) return { made, found, last };
  session.run.note({ ...where, id: made.id }, { created: true });
  // The service may still finish a request with a lost response, after the list was read.
  if (found && !last?.ended && kind.importing !== undefined) session.reporter.warn(recovered(creation, made));
  return { made, found, last };
}

/** Sends a creation, and once more if the service doesn't know a place yet that this run has created. */
async function send({ session, context, where, body }: Creation): Promise<object> {
  const create = () => where.kind.calls.create(context, where, body);
  try {
    return await create();
  } catch (error) {
    const isNewPlace = session.run.some(where.parent, ({ created }) => created === true);
    if (!isNewPlace || !isMissing(error)) throw error;
    await context.pause(SETTLING_MS);
    return create();
  }
}

/** Returns the object of a response. @throws if it isn't the new one, or has other values than were sent */
async function madeBy(creation: Creation, response: object): Promise<ObservedObject> {
  const { session, where } = creation;
  const { kind } = where;
  const whole = await wholeResponse(creation, response);
  const made = observedIn(kind, whole);
  if (
    made.id === "" ||
    notAsSent(kind, creation.inputs.args, made.observed, required(kind)).length > 0 ||
    existedBefore(creation, made.id)
  )
    throw new Error("The response describes another object than the one that was created.");
  session.service.user = userIn(made.observed) ?? session.service.user;
  return made;
}

/**
 * Completes a response with only the submitted values: by a read, or else from the list. The service accepted the name,
 * so no other new object has it.
 */
async function wholeResponse(creation: Creation, response: object): Promise<object> {
  const { context, where, inputs } = creation;
  const { kind, parent } = where;
  if (!kind.isTerse?.(response)) return response;
  const id = kind.identify(response);
  if (id)
    return (await kind.calls.get(context, { id, parent, known: {} }).catch(() => undefined)) ?? response;
  const observed = decode(kind, response);
  const names = required(kind);
  const isOurs =
    names.every((name) => name in observed) && notAsSent(kind, inputs.args, observed, names).length === 0;
  if (!isOurs) return response;
  const news = (await listedNow(creation)).filter(
    (entity) => !existedBefore(creation, kind.identify(entity)),
  );
  const equal = news.filter((entity) => notAsSent(kind, inputs.args, decode(kind, entity)).length === 0);
  return (equal.length === 1 ? equal[0] : undefined) ?? response;
}

function required({ arguments: fields }: AnyKind): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.whenOmitted === "required");
}

function losesSecret(kind: AnyKind): boolean {
  return Object.values(kind.outputs).some(({ secret }) => secret);
}

async function explained(creation: Creation, refusal: unknown): Promise<unknown> {
  const { session, context, where, inputs } = creation;
  const { kind } = where;
  if (kind.unique === undefined || context.status(refusal) !== 422) return refusal;
  const listed = await listedNow(creation);
  const holder = holderOf(kind, inputs.args, listed);
  if (holder === undefined) return refusal;
  const mayName = !namesAmong(inputs.secretNames).has(kind.words.label ?? kind.unique);
  const advice = await importAdvice(session, where, holder, listed, mayName);
  return new Error(`${messageOf(refusal)} ${taken(kind, holder, advice, session.service.now())}`);
}

async function listedNow({ context, where }: Creation): Promise<object[]> {
  const listed = where.kind.calls.list?.(context, where).all();
  return (await listed?.catch(() => [])) ?? [];
}
