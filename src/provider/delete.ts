import type { AnyKind } from "../resources/kind.js";
import { findInLists } from "./absence.js";
import type { Properties } from "./engine-values.js";
import { isMissing, type Session } from "./session.js";
import { IMPORT, ORGANIZATION } from "./state.js";

/**
 * Deletes an object where it lives. One that is already gone is a success, once a list has proven it. One whose
 * state still has the import option stays, and so does one that another resource has adopted in this deployment.
 */
export async function remove(session: Session, kind: AnyKind, id: string, outs: Properties): Promise<void> {
  if (outs[IMPORT] !== undefined) {
    session.warn(
      `the ${kind.noun} ${id} was adopted and its import option is still in the state: it leaves the state and ` +
        "stays on the service. To delete it with the stack, remove the option and deploy before.",
    );
    return;
  }
  const organization = String(outs[ORGANIZATION] ?? session.settings.organization);
  if (session.hasAdopted(organization, kind, id)) {
    session.warn(
      `the ${kind.noun} ${id} was just adopted by another entry of this stack, a renamed resource say: the old ` +
        "entry leaves the state, and the object stays on the service.",
    );
    return;
  }
  try {
    await session.writing(() => kind.calls.delete(session.service(organization), id, outs));
  } catch (error) {
    if (!isMissing(error)) throw error;
    const listed = await findInLists(session, organization, kind, id, outs);
    if (listed !== undefined) throw error;
  }
}
