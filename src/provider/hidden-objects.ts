import type { AnyKind } from "../resources/kind.js";
import { decode } from "./codec.js";
import type { Reading } from "./disappearances.js";
import type { ResourceRef, Where } from "./resource-ref.js";
import type { Session } from "./session.js";
import type { ResourceState } from "./state.js";

/**
 * Objects that an access token may be unable to read. The complete list of the right service lacks one: it was deleted,
 * or it is hidden from this token.
 */

/** A decision about an object in state, and the warning that belongs to it. */
export type Verdict =
  | { readonly removed: true; readonly warning?: string }
  | { readonly removed: false; readonly warning: string };

/** Decides whether a read removes an object from state that the service doesn't return and a list lacks. */
export async function confirmHiddenAbsence(
  session: Session,
  ref: ResourceRef,
  state: ResourceState,
  reading: Reading,
): Promise<Verdict> {
  const { kind, organization, id } = ref;
  if (!kind.hidden?.when(state.outputs)) return { removed: true };
  const others = await areOthersVisible(session, ref);
  if (others && kind.hidden.allOrNone) return { removed: true };
  const tokenId = await session.service.tokenId();
  if (tokenId === undefined || state.tokenId !== tokenId)
    return keptInState(kind, id, "This token may not be allowed to read it.");
  if (!others) {
    const missing = await session.disappearances.with(reading, `${organization}/${kind.name}`, id);
    if (missing.size > 1) {
      const ids = [...missing].filter((other) => other !== id).join(", ");
      return keptInState(
        kind,
        id,
        `Neither does it return ${ids}: the user of the token probably lost a role.`,
      );
    }
  }
  return {
    removed: true,
    warning:
      `The ${kind.words.noun} ${id} is removed from state: the API no longer returns it to the access token that read it ` +
      "last. It was deleted, or was hidden from this token since. If it still exists, import it before the next " +
      "pulumi up, which would create it again.",
  };
}

/** Decides whether a resource that is to be deleted is only removed from state: a list of the service lacks its object. */
export async function confirmHiddenDeletion(
  session: Session,
  ref: ResourceRef,
  state: ResourceState,
): Promise<Verdict> {
  const { kind, id } = ref;
  if (!kind.hidden?.when(state.outputs)) return { removed: true };
  if (kind.hidden.allOrNone && (await areOthersVisible(session, ref))) return { removed: true };
  // States of earlier versions don't say which service has the object.
  if (state.origin === undefined) return keptInState(kind, id, "This token may not be allowed to read it.");
  return {
    removed: true,
    warning:
      `The ${kind.words.noun} ${id} is removed from state: the API doesn't return it. It was deleted before, or is hidden ` +
      "from this access token. If it still exists, delete it in the web interface.",
  };
}

function keptInState(kind: AnyKind, id: string, cause: string): Verdict {
  return {
    removed: false,
    warning:
      `${kind.name}: the API doesn't return the ${kind.words.noun} ${id} to this access token. ${cause} The deletion could ` +
      "not be confirmed. The resource stays in state. Refresh with an access token that may read it, best the one of " +
      "the last deployment. If it was deleted, remove it from the program and run pulumi up, or run " +
      "pulumi state delete.",
  };
}

/** Returns whether a list shows an object of the kind that not every access token may read. */
async function areOthersVisible(session: Session, where: Where): Promise<boolean> {
  const { kind } = where;
  return (await session.service.list(where)).some((entity) => kind.hidden?.when(decode(kind, entity)));
}
