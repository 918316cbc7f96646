import { isSameObject } from "../../kind/identity.js";
import { parentListOf } from "../run/collections.js";
import { isMissing, messageOf } from "../run/errors.js";
import type { Service } from "../run/service.js";
import type { Session } from "../run/session.js";
import { decode } from "../values/codec.js";
import type { ResourceRef, StateRef, Where } from "../values/state.js";
import { originIn } from "./marks.js";

/**
 * Confirms that an object is missing. The API returns 404 for a mistyped organization and a missing permission as well,
 * so it counts only with a complete list of the object's own service that lacks the object or its parent.
 *
 * @returns the object if a list still has it
 * @throws if the absence can't be confirmed
 */
export async function findInLists(service: Service, ref: StateRef): Promise<object | undefined> {
  try {
    const found = await service.collections.search(ref, (entity) =>
      isSameObject(ref.kind.identify(entity), ref.id),
    );
    if (found !== undefined) return found;
  } catch (error) {
    if (!isMissing(error) || !(await isParentMissing(service, ref)))
      throw unconfirmedDeletion(service, ref, error);
  }
  requireSameService(service, ref);
  return undefined;
}

/** @throws the `refusal` of the deletion if a list still has the object, or why its absence can't be confirmed */
export async function confirmDeleted(
  { service, reporter }: Session,
  ref: StateRef,
  refusal?: unknown,
): Promise<void> {
  const { kind, id, state } = ref;
  if ((await findInLists(service, ref)) !== undefined) {
    throw (
      refusal ??
      new Error(`${kind.name}: the ${kind.words.noun} ${id} was not deleted: run the command again.`)
    );
  }
  if (!kind.hidden?.when(state.outputs)) return;
  if (kind.hidden.allOrNone && (await areOthersVisible(service, ref))) return;
  // States of earlier versions don't say which service has the object.
  if (state.origin === undefined)
    throw new Error(keptInState(ref, "This token may not be allowed to read it."));
  reporter.warn(
    `The ${kind.words.noun} ${id} is removed from state: the API doesn't return it. It was deleted before, or is hidden ` +
      "from this access token. If it still exists, delete it in the web interface.",
  );
}

function requireSameService(service: Service, { kind, id, state }: StateRef): void {
  const origin = service.foreignOrigin(originIn(state));
  if (origin === undefined) return;
  throw new Error(
    `${kind.name}: the ${kind.words.noun} ${id} was read from ${origin}, and the settings lead to ${service.origin}, which ` +
      "doesn't have it. Another endpoint can't confirm the deletion. The resource stays in state. Set " +
      "buildpipeline:baseUrl (or BUILDPIPELINE_BASE_URL) back. If the service moved and the object was deleted, run " +
      "pulumi state delete.",
  );
}

async function isParentMissing(service: Service, where: Where): Promise<boolean> {
  const parents = parentListOf(where);
  if (parents === undefined) return false;
  try {
    return (await service.collections.search(parents, parents.isParent)) === undefined;
  } catch {
    return false;
  }
}

function unconfirmedDeletion(
  service: Service,
  { organization, kind, id, state }: StateRef,
  cause: unknown,
): Error {
  const configured = service.settings.organization;
  const other = configured === organization ? "" : ` (the settings say "${configured}")`;
  // What a program only reads was not deleted from its state.
  const kept =
    state.organization === undefined
      ? ""
      : "The deletion could not be confirmed. The resource stays in state. ";
  return new Error(
    `${kind.name}: the API doesn't return the ${kind.words.noun} ${id} in the organization "${organization}"${other}, and ` +
      `its lists can't be read. ${kept}Check the spelling of the organization, and that the API access token is valid, ` +
      `belongs to it and may read it. ${messageOf(cause)}`,
  );
}

/**
 * Decides whether a read removes an object from state that no response has: it was deleted, or it is hidden from this
 * access token. Warns where that isn't certain.
 */
export async function isGone(
  { service, disappearances, reporter }: Session,
  ref: StateRef,
  waits: () => void,
): Promise<boolean> {
  const { kind, organization, id, state } = ref;
  if (!kind.hidden?.when(state.outputs)) return true;
  const others = await areOthersVisible(service, ref);
  if (others && kind.hidden.allOrNone) return true;
  const tokenId = await service.tokenId();
  if (tokenId === undefined || state.tokenId !== tokenId) {
    reporter.warn(keptInState(ref, "This token may not be allowed to read it."));
    return false;
  }
  const missing = others ? [id] : await disappearances.with(waits, `${organization}/${kind.name}`, id);
  const more = [...missing].filter((other) => other !== id).join(", ");
  if (more !== "") {
    reporter.warn(
      keptInState(ref, `Neither does it return ${more}: the user of the token probably lost a role.`),
    );
    return false;
  }
  reporter.warn(
    `The ${kind.words.noun} ${id} is removed from state: the API no longer returns it to the access token that read it ` +
      "last. It was deleted, or was hidden from this token since. If it still exists, import it before the next " +
      "pulumi up, which would create it again.",
  );
  return true;
}

function keptInState({ kind, id }: ResourceRef, cause: string): string {
  return (
    `${kind.name}: the API doesn't return the ${kind.words.noun} ${id} to this access token. ${cause} The deletion could ` +
    "not be confirmed. The resource stays in state. Refresh with an access token that may read it, best the one of " +
    "the last deployment. If it was deleted, remove it from the program and run pulumi up, or run " +
    "pulumi state delete."
  );
}

async function areOthersVisible(service: Service, where: Where): Promise<boolean> {
  const { kind } = where;
  return (await service.collections.list(where)).some((entity) => kind.hidden?.when(decode(kind, entity)));
}
