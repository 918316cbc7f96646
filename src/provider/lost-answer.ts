import { ConnectionError, mayHaveBeenCarriedOut, ServerError } from "../client/index.js";
import type { AnyKind, Context } from "../resources/kind.js";
import { importForm } from "./adoption.js";
import { decode, encode } from "./codec.js";
import type { Where } from "./collections.js";
import type { Properties } from "./engine-values.js";
import { sameOnService } from "./equality.js";
import { messageOf } from "./errors.js";
import { holderOf, importName, labelOf, taken } from "./inventory.js";
import type { Session } from "./session.js";
import { parentOf, secretNames } from "./state.js";

/** How often a creation is sent: once, once more when surely nothing came of it, and once more for a lost secret. */
const MOST_TRIES = 3;
/** How long a request that lost its connection may still be worked on, before a list proves that nothing came of it. */
const SETTLING_MS = 2_000;
/** Answers give their time in whole seconds. */
const CLOCK_GRAIN_MS = 1_000;

/** What was made, and what the service said of it. */
export interface Made {
  readonly id: string;
  readonly told: Properties;
}

/**
 * Creates an object once, whatever becomes of the answer.
 *
 * The service has no idempotency keys. So when an answer is lost, or is not the object that was asked for, the list
 * decides: exactly one object that is new and has what was sent is the one; none, when nothing can be under way any
 * more, means that it may be sent again. A one-time secret that was lost with its answer is of no use: that one object
 * is deleted and another one made.
 *
 * @throws when it cannot be told; the message names what to look for, and how to bring it in
 */
export async function createOnce(
  session: Session,
  kind: AnyKind,
  organization: string,
  inputs: Properties,
  args: Properties,
): Promise<Made> {
  const where = { organization, kind, parent: parentOf(kind, args) };
  const body = encode(kind, args);
  // Of two equal objects that are made at the same time, nobody could tell which is whose.
  return session.oneAtATime(JSON.stringify([organization, kind.name, where.parent, body]), async () => {
    const context = session.context(organization);
    for (let tries = 1; ; tries++) {
      const asked = context.client.serviceTime();
      let failure: unknown;
      try {
        const answer = await wholeAnswer(context, where, await kind.calls.create(context, where, body));
        const made = { id: kind.identify(answer), told: decode(kind, answer) };
        if (!kind.isTerse?.(answer) && isWhatWasSent(kind, args, made.told))
          return noted(session, where, made);
        failure = new Error("The answer to the creation is not the object that was asked for.");
      } catch (error) {
        if (tries === 1 && !mayHaveBeenCarriedOut(error)) throw await explained(context, where, args, error);
        failure = error;
      }
      const search: Search = { session, where, args, asked, label: labelWords(kind, inputs, args), failure };
      const found = (await findMade(search)) ?? (await findLate(search));
      if (found !== undefined && !losesSecret(kind)) return noted(session, where, found);
      if (found !== undefined) await discard(search, found);
      else if (!mayHaveBeenCarriedOut(failure)) throw await explained(context, where, args, failure);
      else if (!mayBeSentAgain(failure))
        throw unresolved(search, `The list of ${kind.noun}s does not have it.`);
      if (tries === MOST_TRIES)
        throw unresolved(search, "It was sent several times, and no answer was usable.");
    }
  });
}

/** An answer that tells only what was sent, and the id, is completed by a read. */
async function wholeAnswer(context: Context, { kind, parent }: Where, answer: object): Promise<object> {
  const id = kind.identify(answer);
  if (!kind.isTerse?.(answer) || !id) return answer;
  return (await kind.calls.get(context, { id, parent, known: {} }).catch(() => undefined)) ?? answer;
}

/** A refusal, and what to do when it is for a name that is taken. */
async function explained(
  context: Context,
  { kind, parent }: Where,
  args: Properties,
  refusal: unknown,
): Promise<unknown> {
  if (kind.unique === undefined || context.status(refusal) !== 422) return refusal;
  const listed = await kind.calls.list?.(context, { parent }).catch(() => []);
  const holder = holderOf(kind, args, listed ?? []);
  if (holder === undefined) return refusal;
  return new Error(`${messageOf(refusal)} ${taken(kind, parent, kind.identify(holder))}`, { cause: refusal });
}

/** Whatever still works on the request gets a moment to end, and then the list is asked again. */
async function findLate(search: Search): Promise<Made | undefined> {
  await search.session.pause(SETTLING_MS);
  return findMade(search);
}

interface Search {
  readonly session: Session;
  readonly where: Where;
  readonly args: Properties;
  /** The service's time when the creation was sent. */
  readonly asked: number | undefined;
  /** What the object is called, for messages. */
  readonly label: string;
  /** Why the answer is no use. */
  readonly failure: unknown;
}

function noted(session: Session, where: Where, made: Made): Made {
  session.run.note({ ...where, id: made.id }, { created: true });
  return made;
}

/** Whether an answer is about the object that was asked for: it has an id, and all that was required is as it was sent. */
function isWhatWasSent(kind: AnyKind, args: Properties, told: Properties): boolean {
  return Object.entries(kind.arguments).every(
    ([name, field]) =>
      field.whenOmitted !== "required" ||
      !(name in told) ||
      sameOnService(kind, name, args[name], told[name]),
  );
}

function losesSecret(kind: AnyKind): boolean {
  return Object.values(kind.outputs).some(({ secret }) => secret);
}

/**
 * Whether a creation of which the list shows nothing may be sent again: the service failed at it, or the connection was
 * lost some time ago. After a time-out it may still be worked on, and after a success something was made.
 */
function mayBeSentAgain(failure: unknown): boolean {
  return failure instanceof ServerError || failure instanceof ConnectionError;
}

/** The one object in the list that this creation made. */
async function findMade(search: Search): Promise<Made | undefined> {
  const { session, where, args, asked } = search;
  const { kind, organization } = where;
  let listed: readonly object[];
  try {
    // A view of another kind's objects has the one object that it asked to change.
    if (kind.calls.list === undefined) return await readView(search);
    listed = await kind.calls.list(session.context(organization), where);
  } catch (error) {
    throw unresolved(search, `Looking for it failed, too. ${messageOf(error)}`);
  }
  const before = await session.inventory.known(where);
  const old = before && new Set(before.map((entity) => kind.identify(entity)));
  const candidates = listed
    .map((entity): Made => ({ id: kind.identify(entity), told: decode(kind, entity) }))
    .filter(({ id }) => !old?.has(id))
    .filter(({ id }) => {
      const { created, planned } = session.run.of({ ...where, id });
      return !created && planned === undefined;
    })
    .filter(({ told }) => hasWhatWasSent(kind, args, told));
  const proven = candidates.filter(({ told }) => old !== undefined || isSince(told.createdAt, asked));
  const [only, ...others] = proven;
  if (others.length > 0 || (only === undefined && candidates.length > 0)) {
    const ids = candidates.map(({ id }) => id).join(", ");
    throw unresolved(
      search,
      `Which object it made, if any, cannot be told: these have what was sent: ${ids}.`,
    );
  }
  return only;
}

async function readView({ session, where, args }: Search): Promise<Made | undefined> {
  const { kind, organization, parent } = where;
  const entity = await kind.calls.get(session.context(organization), { id: parent, parent, known: args });
  if (entity === undefined || !hasWhatWasSent(kind, args, decode(kind, entity))) return undefined;
  return { id: kind.identify(entity), told: decode(kind, entity) };
}

/** Whether everything that the service tells is as it was sent. */
export function hasWhatWasSent(kind: AnyKind, args: Properties, told: Properties): boolean {
  return Object.entries(kind.arguments).every(
    ([name, field]) =>
      !(name in told) ||
      field.apply !== undefined ||
      field.whenOmitted === "unmanaged" ||
      sameOnService(kind, name, args[name] ?? field.default, told[name]),
  );
}

function isSince(createdAt: unknown, asked: number | undefined): boolean {
  return (
    asked !== undefined && typeof createdAt === "string" && Date.parse(createdAt) >= asked - CLOCK_GRAIN_MS
  );
}

/** Deletes the object whose one-time secret was lost with its answer. Nobody can have used it. */
async function discard(search: Search, { id, told }: Made): Promise<void> {
  const { session, where } = search;
  const { kind, organization, parent } = where;
  try {
    await kind.calls.delete(session.context(organization), { id, parent, known: told });
  } catch (error) {
    throw unresolved(
      search,
      `The ${kind.noun} ${id} was made and its secret lost; deleting it failed. ${messageOf(error)}`,
    );
  }
  session.warn(
    `the answer that tells the secret of a new ${kind.noun} was lost; ${id} was deleted, and another one is made.`,
  );
}

function labelWords(kind: AnyKind, inputs: Properties, args: Properties): string {
  const label = labelOf(kind);
  if (label === undefined || secretNames(inputs).has(label)) return `a ${kind.noun}`;
  return `the ${kind.noun} ${JSON.stringify(args[label])}`;
}

function unresolved({ where, label, failure }: Search, why: string): Error {
  const { kind, parent } = where;
  return new Error(
    `${kind.name}: ${label} may have been created, although the answer is no use: ${messageOf(failure)} ${why} ` +
      `Look whether it exists before you run again. To keep it, add { import: "${importName(parent, "<id>")}" } ` +
      `(${importForm(kind)}); otherwise delete it.`,
    { cause: failure },
  );
}
