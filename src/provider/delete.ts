import { mayHaveBeenCarriedOut, UnexpectedResponseError } from "../client/index.js";
import { IMPORT, ORGANIZATION } from "../protocol/properties.js";
import type { Properties } from "../protocol/values.js";
import type { AnyKind } from "../resources/kind.js";
import { confirmDeleted } from "./absence.js";
import { guardContents } from "./contents.js";
import { parentKindOf } from "./kinds.js";
import { guardOrganization } from "./organization.js";
import { withSettingsOfState } from "./refused-token.js";
import type { ObjectKey } from "./run-record.js";
import { isMissing, type Session } from "./session.js";
import { parentOf } from "./state.js";

/**
 * Deletes an object where it lives. Nothing is sent for one whose state still has the option `import`, nor for one that
 * another entry of the program has. One that is missing already is a success, once that is confirmed.
 *
 * @param id from the state, so the object is ours
 */
export async function remove(session: Session, kind: AnyKind, id: string, outs: Properties): Promise<void> {
  const organization = String(outs[ORGANIZATION] ?? session.settings.organization);
  guardOrganization(session, kind, outs);
  const key = { organization, kind, id };
  if (outs[IMPORT] !== undefined) {
    session.warn(
      `nothing was sent for the ${kind.words.noun} ${id}, because its option import is still set: it was only removed from ` +
        "state. To delete an imported object, remove the option and run pulumi up first.",
    );
    return;
  }
  if (session.ownership.isOthers(key, outs, session.urn)) {
    session.warn(
      `nothing was sent for the ${kind.words.noun} ${id}, because another resource of this program imported it: only the ` +
        'old entry was removed from state. To rename a resource, use { aliases: [{ name: "<old name>" }] } instead.',
    );
    return;
  }
  // The entries of a view share its id: the deletion of an old one must not undo what another one keeps.
  if (kind.listedWith !== undefined && session.run.of(key).kept) return;
  // Two entries of the state may have one object, and the engine deletes them at the same time.
  const work = session.oneAtATime(`deletion of ${kind.name} ${organization}/${id}`, () =>
    withSettingsOfState(session, () => deleteOwn(session, kind, key, outs)),
  );
  session.run.note(key, { deleting: work.catch(() => undefined) });
  await work;
}

async function deleteOwn(session: Session, kind: AnyKind, key: ObjectKey, outs: Properties): Promise<void> {
  const { organization, id } = key;
  const parent = parentOf(kind, outs);
  await guardContents(session, kind, key, outs);
  const context = session.context(organization);
  try {
    const outcome = await session.collections.deleting(() =>
      kind.calls.delete(context, { id, parent, known: outs }),
    );
    if (outcome === "missing") await confirmDeleted(session, organization, kind, id, outs);
    session.run.note(key, outcome === "leftBehind" ? { leftBehind: true } : { deleted: true });
  } catch (error) {
    // A page of a proxy, for example: the request may not have reached the API.
    const isUnusable = error instanceof UnexpectedResponseError;
    if (!(isUnusable ? await isGone(session, kind, key, outs) : isMissing(error))) throw error;
    // A deletion whose response was lost, or an id that this process deleted, needs no confirmation.
    if (isUnusable || (!mayHaveBeenCarriedOut(error) && !isDeleted(session, kind, key, parent))) {
      await confirmDeleted(session, organization, kind, id, outs, error);
    }
    session.run.note(key, { deleted: true });
  }
}

/** Reads an object after a deletion without a usable response. @returns whether the API reports it as missing */
async function isGone(session: Session, kind: AnyKind, key: ObjectKey, outs: Properties): Promise<boolean> {
  const { organization, id } = key;
  const parent = parentOf(kind, outs);
  const context = session.context(organization);
  try {
    const where = { organization, kind, parent };
    return (await session.collections.get(context, where, { id, parent, known: outs })) === undefined;
  } catch (error) {
    return isMissing(error);
  }
}

/** Checks whether this process deleted an object, or what it lived in. */
function isDeleted({ run }: Session, kind: AnyKind, key: ObjectKey, parent: string): boolean {
  if (run.of(key).deleted) return true;
  const above = parentKindOf(kind);
  return above !== undefined && run.of({ ...key, kind: above, id: parent }).deleted === true;
}
