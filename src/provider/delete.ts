import type { AnyKind } from "../resources/kind.js";
import { sendWrite } from "../resources/write.js";
import { confirmDeleted } from "./absence.js";
import { guardContents } from "./contents.js";
import { isMissing } from "./failures.js";
import { parentKindOf } from "./kinds.js";
import { guardOrganization } from "./organization.js";
import { withSettingsOfState } from "./refused-token.js";
import type { StateRequest } from "./requests.js";
import { objectKeyOf, type ResourceRef } from "./resource-ref.js";
import { withoutSecrets } from "./secret-values.js";
import type { Session } from "./session.js";
import { organizationOf, type ResourceState, refOf } from "./state.js";

/**
 * Deletes an object. Sends nothing if its state still has the option `import`, or if another entry of the program has
 * the object. A missing object is a success, once that is confirmed. The id is from the state, so the object is ours.
 */
export async function remove(session: Session, kind: AnyKind, { id, state }: StateRequest): Promise<void> {
  const organization = organizationOf(session.settings, state);
  guardOrganization(session, kind, state.organization);
  const key = { organization, kind, id };
  if (state.import !== undefined) {
    session.reporter.warn(
      `nothing was sent for the ${kind.words.noun} ${id}, because its option import is still set: it was only removed from ` +
        "state. To delete an imported object, remove the option and run pulumi up first.",
    );
    return;
  }
  if (session.entries.isOthers(key, state, session.urn)) {
    session.reporter.warn(
      `nothing was sent for the ${kind.words.noun} ${id}, because another resource of this program imported it: only the ` +
        'old entry was removed from state. To rename a resource, use { aliases: [{ name: "<old name>" }] } instead.',
    );
    return;
  }
  // The entries of a view share its id: the deletion of an old one must not undo what another one keeps.
  if (kind.listedWith !== undefined && session.run.of(key).kept) return;
  // Two entries of the state may have one object, and the engine deletes them at the same time.
  const work = session.oneAtATime(`deletion of ${objectKeyOf(key)}`, () =>
    withoutSecrets(kind, [state], () =>
      withSettingsOfState(session, () => deleteOwn(session, refOf(kind, organization, id, state), state)),
    ),
  );
  session.run.note(key, { deleting: work.catch(() => undefined) });
  await work;
}

async function deleteOwn(session: Session, ref: ResourceRef, state: ResourceState): Promise<void> {
  await guardContents(session, ref, state);
  const context = session.service.context(ref.organization);
  const address = { ...ref, known: state.outputs };
  const outcome = await sendWrite({
    send: () => session.service.collections.deleting(() => ref.kind.calls.delete(context, address)),
    accept: (deletion) => deletion ?? "deleted",
    look: async () => ((await isReadMissing(session, ref, state)) ? "missing" : undefined),
    repeats: ref.kind.reusesAddresses ? "looked up" : "by the client",
    pause: session.pause,
  });
  const failure = outcome.is === "made" ? outcome.lost.at(-1)?.error : outcome.error;
  if (outcome.is !== "made" && !(outcome.is === "refused" && isMissing(failure))) throw failure;
  if (outcome.is === "made" && outcome.result === "leftBehind") {
    session.run.note(ref, { leftBehind: true });
    return;
  }
  // A 404 means a missing permission as well.
  const isConfirmed = outcome.is === "made" && outcome.result === "deleted";
  if (!isConfirmed && !isDeleted(session, ref)) await confirmDeleted(session, ref, state, failure);
  session.run.note(ref, { deleted: true });
}

/** Reads an object after a deletion with a lost response. @returns whether the API reports it as missing */
async function isReadMissing(
  session: Session,
  ref: ResourceRef,
  { outputs }: ResourceState,
): Promise<boolean> {
  const context = session.service.context(ref.organization);
  try {
    return (await session.service.collections.get(context, ref, { ...ref, known: outputs })) === undefined;
  } catch (error) {
    return isMissing(error);
  }
}

/** Returns whether this process deleted an object, or what it lived in. */
function isDeleted({ run }: Session, ref: ResourceRef): boolean {
  if (run.of(ref).deleted) return true;
  const above = parentKindOf(ref.kind);
  return above !== undefined && run.of({ ...ref, kind: above, id: ref.parent }).deleted === true;
}
