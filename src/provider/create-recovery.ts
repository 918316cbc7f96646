import type { AnyKind } from "../resources/kind.js";
import type { Arguments, Observed } from "../resources/value-roles.js";
import { decode } from "./codec.js";
import { messageOf } from "./errors.js";
import type { Session } from "./session.js";
import { type Made, type Unconfirmed, unconfirmedCreation } from "./unconfirmed-creation.js";
import { hasWhatWasSent } from "./what-was-sent.js";

/** The time in which the service may still work on a request after a lost response, before the second look. */
const SETTLING_MS = 2_000;

/** A creation without a usable response. */
export interface Creation extends Unconfirmed {
  readonly session: Session;
  readonly args: Arguments;
  /** Values that the client returned or threw for each try that may have made an object. */
  readonly lost: readonly unknown[];
  /** Ids of matches that are left alone, because their secret is lost. */
  readonly passedOver: ReadonlySet<string>;
}

/** The result of one look at the service. */
interface Seen {
  readonly matches: readonly Made[];
  /** New objects that have everything that was sent, matches included. */
  readonly similar: readonly Made[];
}

/**
 * Finds the one object that a creation made: looks in the list, waits, and looks once more.
 *
 * A match has everything that was sent, and isn't in the list from before. It was created while the request was on its
 * way, by the user of this process, if both are known.
 *
 * @param ended true if the service responded with success. Then the first look may be enough
 * @returns undefined where nothing like it is there
 * @throws if several match, or a similar object isn't a match
 */
export async function findCreated(
  creation: Creation,
  failure: unknown,
  ended: boolean,
): Promise<Made | undefined> {
  const { session, where } = creation;
  const { list } = where.kind.calls;
  const look = () => (list === undefined ? lookAtView(creation) : lookInList(creation, list));
  const settled = ended || list === undefined;
  const first = await look().catch(() => undefined);
  if (settled && first?.matches.length === 1) return first.matches[0];
  // After a canceled wait, the error still names the object.
  await session.pause(SETTLING_MS).catch(() => {});
  const { matches, similar } = await look().catch((error: unknown) => {
    throw unconfirmedCreation(creation, failure, [], `Looking for it failed: ${messageOf(error)}`);
  });
  if (matches.length !== 1 && similar.length > 0) throw unconfirmedCreation(creation, failure, similar);
  return matches[0];
}

async function lookInList(
  { session, where, args, lost, passedOver }: Creation,
  list: NonNullable<AnyKind["calls"]["list"]>,
): Promise<Seen> {
  const { kind, organization } = where;
  const context = session.service.context(organization);
  const listed = await list(context, where).all();
  const before = await session.initialLists.known(where);
  const old = new Set(before?.map((entity) => kind.identify(entity)));
  const similar = listed
    .map((entity): Made => ({ id: kind.identify(entity), observed: decode(kind, entity) }))
    .filter(({ id }) => {
      const { created, planned } = session.run.of({ ...where, id });
      return !created && planned === undefined && !old.has(id) && !passedOver.has(id);
    })
    .filter(({ observed }) => hasWhatWasSent(kind, args, observed));
  const isMatch = ({ observed: { createdAt, ...observed } }: Made) =>
    before !== undefined &&
    typeof createdAt === "string" &&
    lost.some((call) => isObject(call) && context.client.mayHaveHappenedDuring(call, createdAt)) &&
    (session.service.user === undefined ||
      !("createdBy" in kind.outputs) ||
      userIn(observed) === session.service.user);
  return { matches: similar.filter(isMatch), similar };
}

/** A view of another kind's objects has the one object that it asked to change. */
async function lookAtView({ session, where, args }: Creation): Promise<Seen> {
  const { kind, organization, parent } = where;
  // Its place is its whole address. Nothing is known of it yet.
  const address = { id: parent, parent, known: {} };
  const entity = await kind.calls.get(session.service.context(organization), address);
  const observed = entity === undefined ? {} : decode(kind, entity);
  if (entity === undefined || !hasWhatWasSent(kind, args, observed)) return { matches: [], similar: [] };
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
