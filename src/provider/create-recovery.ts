import type { AnyKind } from "../resources/kind.js";
import type { Arguments, Observed } from "../resources/value-roles.js";
import type { LostTry } from "../resources/write.js";
import { decode } from "./codec.js";
import { notAsSent } from "./equality.js";
import { messageOf } from "./errors.js";
import type { Session } from "./session.js";
import { type LiveObject, type NewObject, unconfirmedCreation } from "./unconfirmed-creation.js";

/** The time in which the service may still work on a request after a lost response, before the second look. */
const SETTLING_MS = 2_000;

/** A creation that is under way. */
export interface Creation extends NewObject {
  readonly session: Session;
  readonly args: Arguments;
  /** Id of a match that is left alone, because its secret is lost. */
  readonly passedOver?: string;
}

/** New objects that have everything that was sent, and those of them that this creation made. */
interface Lookalikes {
  readonly matches: readonly LiveObject[];
  readonly similar: readonly LiveObject[];
}

/**
 * Finds the one object that a creation made: looks in the list, waits, and looks once more.
 *
 * A match has everything that was sent, and isn't in the list from before. It was created while the request was on its
 * way, by the user of this process, if both are known.
 *
 * @param lost the last may have `ended`. Then the first look may be enough
 * @returns undefined where nothing like it is there
 * @throws if several match, or a similar object isn't a match
 */
export async function findCreated(
  creation: Creation,
  lost: readonly LostTry[],
  error: unknown,
): Promise<LiveObject | undefined> {
  const isSettled = lost.at(-1)?.ended || creation.where.kind.calls.list === undefined;
  const first = await lookForCreated(creation, lost).catch(() => undefined);
  if (isSettled && first?.matches.length === 1) return first.matches[0];
  // After a canceled wait, the error still names the object.
  await creation.session.pause(SETTLING_MS).catch(() => {});
  const { matches, similar } = await lookForCreated(creation, lost).catch((failure: unknown) => {
    throw unconfirmedCreation(
      creation,
      error,
      lost.length,
      [],
      `Looking for it failed: ${messageOf(failure)}`,
    );
  });
  if (matches.length !== 1 && similar.length > 0)
    throw unconfirmedCreation(creation, error, lost.length, similar);
  return matches[0];
}

/** Looks once for what a creation may have made. */
export function lookForCreated(creation: Creation, lost: readonly LostTry[]): Promise<Lookalikes> {
  const { list } = creation.where.kind.calls;
  return list === undefined ? lookAtView(creation) : lookInList(creation, lost, list);
}

/**
 * Returns a function that checks whether an object existed before a creation: the list from before has it, the state has
 * it, or this run created it. A view has the id of the object that it belongs to, which always existed.
 */
export async function existedBefore({ session, where }: Creation): Promise<(id: string) => boolean> {
  const { kind } = where;
  if (kind.listedWith !== undefined) return () => false;
  const before = await session.initialLists.known(where);
  const old = new Set(before?.map((entity) => kind.identify(entity)));
  return (id) => {
    const { created, planned } = session.run.of({ ...where, id });
    return created === true || planned !== undefined || old.has(id);
  };
}

async function lookInList(
  creation: Creation,
  lost: readonly LostTry[],
  list: NonNullable<AnyKind["calls"]["list"]>,
): Promise<Lookalikes> {
  const { session, where, args, passedOver } = creation;
  const { kind, organization } = where;
  const context = session.service.context(organization);
  const listed = await list(context, where).all();
  const isOld = await existedBefore(creation);
  const hasListFromBefore = (await session.initialLists.known(where)) !== undefined;
  const similar = listed
    .map((entity): LiveObject => ({ id: kind.identify(entity), observed: decode(kind, entity) }))
    .filter(({ id }) => !isOld(id) && id !== passedOver)
    .filter(({ observed }) => notAsSent(kind, args, observed).length === 0);
  const isMatch = ({ observed: { createdAt, ...observed } }: LiveObject) =>
    hasListFromBefore &&
    typeof createdAt === "string" &&
    lost.some(({ call }) => isObject(call) && context.client.mayHaveHappenedDuring(call, createdAt)) &&
    (session.service.user === undefined ||
      !("createdBy" in kind.outputs) ||
      userIn(observed) === session.service.user);
  return { matches: similar.filter(isMatch), similar };
}

/** A view of another kind's objects has the one object that it asked to change. */
async function lookAtView({ session, where, args }: Creation): Promise<Lookalikes> {
  const { kind, organization, parent } = where;
  // Its place is its whole address. Nothing is known of it yet.
  const address = { id: parent, parent, known: {} };
  const entity = await kind.calls.get(session.service.context(organization), address);
  const observed = entity === undefined ? {} : decode(kind, entity);
  if (entity === undefined || notAsSent(kind, args, observed).length > 0) return { matches: [], similar: [] };
  const made = [{ id: kind.identify(entity), observed }];
  return { matches: made, similar: made };
}

/** Returns the id of the user who created an object, where the service returns it. */
export function userIn({ createdBy }: Observed): string | undefined {
  return isObject(createdBy) && "id" in createdBy && typeof createdBy.id === "string"
    ? createdBy.id
    : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
