import { messageOf } from "./errors.js";
import { isMissing } from "./failures.js";
import { confirmHiddenDeletion } from "./hidden-objects.js";
import { parentKindOf, referenceTo } from "./kinds.js";
import { originIn } from "./marks.js";
import type { ResourceRef, Where } from "./resource-ref.js";
import type { Session } from "./session.js";
import type { ResourceState } from "./state.js";

/**
 * Confirms that an object is missing for which the API returned 404.
 *
 * The API returns 404 for a mistyped organization and a missing permission as well. So a 404 counts only with a
 * complete list that lacks the object or its parent. The list must be from the object's own service.
 *
 * @returns the object if a list still has it, undefined if it is missing
 * @throws if the absence can't be confirmed
 */
export async function findInLists(
  session: Session,
  ref: ResourceRef,
  state: ResourceState,
): Promise<object | undefined> {
  try {
    const found = await search(session, ref, (entity) => ref.kind.identify(entity) === ref.id);
    if (found !== undefined) return found;
  } catch (error) {
    if (!isMissing(error) || !(await isParentMissing(session, ref)))
      throw unconfirmedDeletion(session, ref, error);
  }
  requireSameService(session, ref, state);
  return undefined;
}

/**
 * Confirms that an object is missing for which the API returned 404 when it was to be deleted.
 *
 * @param refusal what the API returned, to be thrown if a list still has the object
 * @throws if the object is there, or its absence can't be confirmed
 */
export async function confirmDeleted(
  session: Session,
  ref: ResourceRef,
  state: ResourceState,
  refusal?: unknown,
): Promise<void> {
  const { kind, id } = ref;
  if ((await findInLists(session, ref, state)) !== undefined) {
    throw (
      refusal ??
      new Error(`${kind.name}: the ${kind.words.noun} ${id} was not deleted: run the command again.`)
    );
  }
  const { removed, warning } = await confirmHiddenDeletion(session, ref, state);
  if (!removed) throw new Error(warning);
  if (warning !== undefined) session.reporter.warn(warning);
}

function requireSameService(session: Session, { kind, id }: ResourceRef, state: ResourceState): void {
  const origin = session.service.foreignOrigin(originIn(state));
  if (origin === undefined) return;
  throw new Error(
    `${kind.name}: the ${kind.words.noun} ${id} was read from ${origin}, and the settings lead to ${session.service.origin}, which ` +
      "doesn't have it. Another endpoint can't confirm the deletion. The resource stays in state. Set " +
      "buildpipeline:baseUrl (or BUILDPIPELINE_BASE_URL) back. If the service moved and the object was deleted, run " +
      "pulumi state delete.",
  );
}

/** Returns whether the list of the parent's kind is complete and lacks the parent. */
async function isParentMissing(session: Session, { organization, kind, parent }: Where): Promise<boolean> {
  const parentKind = parentKindOf(kind);
  // No single list has what lives in an object that lives in another one.
  if (parentKind === undefined || parentKind.parent !== undefined) return false;
  const where = { organization, kind: parentKind, parent: "" };
  try {
    const isParent = (entity: object) => referenceTo(kind, parentKind, entity) === parent;
    return (await search(session, where, isParent)) === undefined;
  } catch {
    return false;
  }
}

function search(
  session: Session,
  where: Where,
  matches: (entity: object) => boolean,
): Promise<object | undefined> {
  return session.service.collections.search(session.service.context(where.organization), where, matches);
}

function unconfirmedDeletion(
  session: Session,
  { organization, kind, id }: ResourceRef,
  cause: unknown,
): Error {
  const configured = session.settings.organization;
  const other = configured === organization ? "" : ` (the settings say "${configured}")`;
  return new Error(
    `${kind.name}: the API doesn't return the ${kind.words.noun} ${id} in the organization "${organization}"${other}, and ` +
      "its lists can't be read. The deletion could not be confirmed. The resource stays in state. Check the spelling " +
      "of the organization, and that the API access token is valid, belongs to it and may read it. " +
      messageOf(cause),
  );
}
