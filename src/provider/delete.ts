import { mayHaveBeenCarriedOut } from "../client/index.js";
import type { AnyKind } from "../resources/kind.js";
import { confirmDeleted } from "./absence.js";
import type { Properties } from "./engine-values.js";
import { guardOrganization } from "./organization.js";
import { withSettingsOfState } from "./refused-token.js";
import { isMissing, type Session } from "./session.js";
import { IMPORT, ORGANIZATION, parentOf } from "./state.js";

/** How long a deletion waits for those that the engine asks for at the same time. */
const COMPANIONS_MS = 25;

/**
 * Deletes an object where it lives. One that is already gone is a success, once a list has proven it. One whose
 * state still has the import option stays, and so does one that another entry of the stack has adopted.
 */
export async function remove(session: Session, kind: AnyKind, id: string, outs: Properties): Promise<void> {
  const organization = String(outs[ORGANIZATION] ?? session.settings.organization);
  guardOrganization(session, kind, outs);
  const key = { organization, kind, id };
  if (outs[IMPORT] !== undefined) {
    session.ownership.noteImported(key, outs);
    session.warn(
      `the ${kind.noun} ${id} was adopted and its import option is still in the state: it leaves the state and ` +
        "stays on the service. To delete it with the stack, remove the option and deploy before.",
    );
    return;
  }
  // A destroy asks for no diff that would tell whose an object is; another entry of it is deleted at the same time.
  if (!session.ownership.knowsProgram) await session.pause(COMPANIONS_MS);
  if (session.ownership.isOthers(key, outs)) {
    session.warn(
      `the ${kind.noun} ${id} was adopted by another entry of this stack, a renamed resource say: the old ` +
        "entry leaves the state, and the object stays on the service.",
    );
    return;
  }
  // The entries of a view share its id: the deletion of an old one must not undo what another one keeps.
  if (kind.listedWith !== undefined && session.run.of(key).kept) return;
  const context = session.context(organization);
  const address = { id, parent: parentOf(kind, outs), known: outs };
  const deleting = () => session.collections.deleting(() => kind.calls.delete(context, address));
  try {
    const outcome = await withSettingsOfState(session, deleting);
    if (outcome === "missing") await confirmDeleted(session, organization, kind, id, outs);
    session.run.note(key, outcome === "leftBehind" ? { leftBehind: true } : { deleted: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
    // A deletion whose response was lost, or an id that this process deleted, needs no confirmation.
    if (mayHaveBeenCarriedOut(error) || session.run.of(key).deleted) return;
    await confirmDeleted(session, organization, kind, id, outs, error);
  }
}
