import type { AnyKind, Known } from "../resources/kind.js";
import { kinds } from "./kinds.js";
import { messageOf } from "./plain-error.js";
import { isMissing, type Session } from "./session.js";

/**
 * Whether an object that the service calls missing is really gone.
 *
 * The service answers 404 also for a mistyped organization or a missing permission, and forgetting a resource
 * for that would lose it. So a 404 counts only together with a list that answers and lacks the object, or lacks
 * the cluster it was in.
 *
 * @returns the object when a list still has it, undefined when it is gone
 * @throws when no list answers: then nobody knows
 */
export async function findInLists(
  session: Session,
  organization: string,
  kind: AnyKind,
  id: string,
  known: Known<Record<string, unknown>>,
): Promise<object | undefined> {
  try {
    const entities = await session.list(organization, kind, known);
    return entities.find((entity) => kind.calls.identify(entity) === id);
  } catch (error) {
    const ancestor = kind.collection.ancestor?.(known);
    const ancestorKind = ancestor && kinds.get(ancestor.kind);
    if (!isMissing(error) || ancestor === undefined || ancestorKind === undefined) {
      throw cannotTell(session, organization, kind, id, error);
    }
    const parent = await findInLists(session, organization, ancestorKind, ancestor.id, {});
    if (parent !== undefined) throw cannotTell(session, organization, kind, id, error);
    return undefined;
  }
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
