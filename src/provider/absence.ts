import type { AnyKind } from "../resources/kind.js";
import { decode } from "./codec.js";
import type { Where } from "./collections.js";
import type { Properties } from "./engine-values.js";
import { messageOf } from "./errors.js";
import { parentKindOf } from "./kinds.js";
import { isMissing, type Session } from "./session.js";
import { parentOf } from "./state.js";

/**
 * Whether an object that the service calls missing is really gone.
 *
 * The service answers 404 also for a mistyped organization or a missing permission, and forgetting a resource
 * for that would lose it. So a 404 counts only together with a list that answers and lacks the object, or lacks
 * the parent it was in.
 *
 * @returns the object when a list still has it, undefined when it is gone
 * @throws when no list answers: then nobody knows
 */
export async function findInLists(
  session: Session,
  organization: string,
  kind: AnyKind,
  id: string,
  known: Properties,
): Promise<object | undefined> {
  const parent = parentOf(kind, known);
  const where = { organization, kind, parent };
  try {
    const found = await findListed(session, where, (entity) => kind.identify(entity) === id);
    if (found !== undefined) return found;
  } catch (error) {
    if (!isMissing(error) || !(await isParentGone(session, organization, kind, parent))) {
      throw cannotTell(session, organization, kind, id, error);
    }
  }
  await requireWitness(session, where, id, known);
  return undefined;
}

/** An access token may be unable to see an object, so its absence is no proof that it is gone. */
export class HiddenError extends Error {}

/** Fails where a list without an object proves nothing: of another service, or where the object may be hidden. */
async function requireWitness(session: Session, where: Where, id: string, known: Properties): Promise<void> {
  const { kind, organization, parent } = where;
  const origin = session.foreignOrigin(known.url);
  if (origin !== undefined) {
    throw new Error(
      `${kind.name}: the ${kind.noun} ${id} came from ${origin}, but the settings lead to ${session.settings.baseUrl}, ` +
        "which does not have it. That proves nothing, so it stays in the state. Set buildpipeline:baseUrl (or " +
        "BUILDPIPELINE_BASE_URL) back, or remove it from the state by `pulumi state delete` if it is really gone.",
    );
  }
  if (!kind.hidden?.when(known)) return;
  const listed = await session.list(organization, kind, parent).catch(() => []);
  if (kind.hidden.allOrNone && listed.some((entity) => kind.hidden?.when(decode(kind, entity)))) return;
  throw new HiddenError(
    `${kind.name}: the service does not show the ${kind.noun} ${id}, which this access token may be unable to see, so ` +
      "it stays in the state. Use an access token that sees it, or remove it from the state by `pulumi state delete` " +
      "if it is really gone.",
  );
}

/** Whether the list of the parent's kind answers and lacks it, and so for the parent's own parent. */
async function isParentGone(
  session: Session,
  organization: string,
  kind: AnyKind,
  parent: string,
): Promise<boolean> {
  const parentKind = parentKindOf(kind);
  // What lives in something that lives in something else is found by no single list.
  if (parentKind === undefined || parentKind.parent !== undefined) return false;
  const where = { organization, kind: parentKind, parent: "" };
  try {
    const isParent = (entity: object) => referenceTo(kind, parentKind, entity) === parent;
    return (await findListed(session, where, isParent)) === undefined;
  } catch {
    return false;
  }
}

/** What a list has. The shared one may be some seconds old, so it proves what it lacks, and not what it has. */
async function findListed(
  session: Session,
  where: Where,
  matches: (entity: object) => boolean,
): Promise<object | undefined> {
  const { organization, kind, parent } = where;
  const listed = (await session.list(organization, kind, parent)).find(matches);
  if (listed === undefined) return undefined;
  session.collections.forget(where);
  return (await session.list(organization, kind, parent)).find(matches);
}

/** What an argument that names a parent holds for one. */
export function referenceTo(kind: AnyKind, parentKind: AnyKind, entity: object): unknown {
  const output = kind.parent?.refersBy;
  if (output === undefined) return parentKind.identify(entity);
  return Reflect.get(entity, parentKind.outputs[output]?.returnedAs ?? output);
}

function cannotTell(
  session: Session,
  organization: string,
  kind: AnyKind,
  id: string,
  cause: unknown,
): Error {
  const configured = session.settings.organization;
  const other = configured === organization ? "" : ` (the settings say "${configured}")`;
  return new Error(
    `${kind.name}: the service does not show the ${kind.noun} ${id} in the organization "${organization}"${other}, ` +
      "and no list proves that it is gone, so it stays in the state. Check that the organization is spelled right " +
      `and that the access token is valid, belongs to it and may read it. ${messageOf(cause)}`,
    { cause },
  );
}
