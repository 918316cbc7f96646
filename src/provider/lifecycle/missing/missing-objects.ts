import { isSameObject } from "../../../shared/protocol/identity.js";
import { withCode } from "../../../shared/protocol/message-codes.js";
import { parentListOf } from "../run/collections.js";
import { isMissing, messageOf } from "../run/errors.js";
import type { Reporter } from "../run/reporter.js";
import type { RunService } from "../run/service.js";
import type { Session } from "../run/session.js";
import { decode } from "../values/codec.js";
import { losesSecret, membershipsIn, parentKindOf } from "../values/kinds.js";
import { idIn, type ResourceRef, type StateRef, type Where } from "../values/state.js";
import { originIn } from "./marks.js";

/**
 * Confirms that an object is missing. The API returns 404 for a mistyped organization and a missing permission as well,
 * so it counts only with a complete list of the object's own service that lacks the object or its parent.
 *
 * @returns the object if a list still has it, or where it is missing: in its own list, or with its parent
 * @throws if the absence can't be confirmed
 */
export async function findInLists(service: RunService, ref: StateRef): Promise<Search> {
  let missing: Search["missing"] = "in its list";
  const since = service.settledAt(ref);
  try {
    const isIt = (entity: object) => isSameObject(idIn(ref, entity), ref.id);
    const found = await service.collections.search(ref, isIt, since);
    if (found !== undefined) return { found };
  } catch (error) {
    if (!isMissing(error) || !(await isParentMissing(service, ref, since)))
      throw unconfirmedDeletion(service, ref, error);
    missing = "with its parent";
  }
  requireSameService(service, ref);
  return { missing };
}

export interface Search {
  readonly found?: object;
  readonly missing?: "in its list" | "with its parent";
}

/** Returns the place whose objects hide a missing one from some access tokens: its own, or that of a hidden parent. */
function hidingPlace(ref: StateRef, { missing }: Search) {
  const { kind, organization, state } = ref;
  if (kind.hidden?.when(state.outputs)) return { ...kind.hidden, where: ref };
  const above = parentKindOf(kind);
  if (missing !== "with its parent" || above?.hidden === undefined) return undefined;
  return { ...above.hidden, where: { organization, kind: above, parent: "" } };
}

/** @throws the `refusal` of the deletion if a list still has the object, or why its absence can't be confirmed */
export async function confirmDeleted(
  { service, reporter, run }: Session,
  ref: StateRef,
  refusal?: unknown,
  mayBeDone = false,
): Promise<void> {
  const { kind, id, state } = ref;
  const search = await findInLists(service, ref);
  if (search.found !== undefined) {
    throw (
      refusal ??
      new Error(
        withCode(
          `${kind.name}: the ${kind.words.noun} ${id} was not deleted: run the command again.`,
          "deletion-contradicted",
        ),
      )
    );
  }
  const hidden = hidingPlace(ref, search);
  if (hidden === undefined) return;
  const { evidence } = hidden;
  if (evidence?.is === "enough" && (await service.collections.list(hidden.where)).some(evidence.of)) return;
  const group = hidden.where === ref ? id : ref.parent;
  const left = membershipsIn(hidden.where.kind).flatMap(({ name }) =>
    run
      .deletionsOf(ref.organization, name)
      .flatMap(({ isDeletedHere, id: other }) =>
        isDeletedHere && other.startsWith(`${group}/`) ? [{ by: name, other }] : [],
      ),
  );
  if (left.length > 0 && !mayBeDone) throw probablyExists(ref, left, refusal);
  // States of earlier versions don't say which service has the object.
  if (state.origin === undefined)
    // Warning hidden-or-deleted: A secret team or an unavailable template was deleted, or this API access token may not
    // read it. State is unchanged.
    // Fix: Refresh with the token of the last deployment, or with one that may read the object. If it was deleted,
    // remove the resource from the program and run `pulumi up`, or run `pulumi state delete`.
    throw new Error(keptInState(ref, "This token may not be allowed to read it.", "hidden-or-deleted"));
  reporter.warn(
    `The ${kind.words.noun} ${id} is removed from state: the API doesn't return it. It was deleted before, or is hidden ` +
      "from this access token. If it still exists, delete it in the web interface.",
  );
}

/** @param lost what this run has deleted, by which the access token's user may have seen the object */
export function probablyExists(
  { kind, id }: Pick<ResourceRef, "kind" | "id">,
  lost: readonly { readonly by: string; readonly other: string }[],
  failure: unknown,
): Error {
  return new Error(
    `${kind.name}: the ${kind.words.noun} ${id} probably still exists, and stays in state. This run deleted ` +
      `${lost.map(({ other }) => other).join(", ")} first, by which this access token's user may have had access to it. ` +
      `${failure === undefined ? "" : `${messageOf(failure)} `}Repeat the command with an admin's API access token. To ` +
      `avoid this, set retainOnDelete on the ${[...new Set(lost.map(({ by }) => by))].join(" and the ")}.`,
    { cause: failure },
  );
}

function requireSameService(service: RunService, { kind, id, state }: StateRef): void {
  const origin = service.foreignOrigin(originIn(state));
  if (origin === undefined) return;
  throw new Error(
    `${kind.name}: the ${kind.words.noun} ${id} was read from ${origin}, and the settings lead to ${service.origin}, which ` +
      "doesn't have it. Another endpoint can't confirm the deletion. The resource stays in state. Set " +
      "buildpipeline:baseUrl (or BUILDPIPELINE_BASE_URL) back. If the service moved and the object was deleted, run " +
      "pulumi state delete.",
  );
}

async function isParentMissing(service: RunService, where: Where, since: number): Promise<boolean> {
  const parents = parentListOf(where);
  if (parents === undefined) return false;
  try {
    return (await service.collections.search(parents, parents.isParent, since)) === undefined;
  } catch {
    return false;
  }
}

function unconfirmedDeletion(
  service: RunService,
  { organization, kind, id, state }: StateRef,
  cause: unknown,
): Error {
  const configured = service.settings.organization;
  const other = configured === organization ? "" : ` (the settings say "${configured}")`;
  // What a program only reads was not deleted from its state.
  const kept =
    state.organization === undefined
      ? ""
      : // Error deletion-unconfirmed: The API returned 404, and no list confirms the deletion, perhaps because the
        // organization, the token or its scopes have changed.
        // Fix: Correct the setting and run the command again.
        "The deletion could not be confirmed. The resource stays in state. ";
  const text =
    `${kind.name}: the API doesn't return the ${kind.words.noun} ${id} in the organization "${organization}"${other}, and ` +
    `its lists can't be read. ${kept}Check the spelling of the organization, and that the API access token is valid, ` +
    `belongs to it and may read it. ${messageOf(cause)}`;
  return new Error(kept === "" ? text : withCode(text, "deletion-unconfirmed"), { cause });
}

/**
 * Decides whether a read removes an object from state that no response has: it was deleted, or it is hidden from this
 * access token. Warns where that isn't certain.
 */
export async function isGone(
  { service, disappearances, reporter, run }: Session,
  ref: StateRef,
  search: Search,
  waits: () => void,
): Promise<boolean> {
  const { kind, organization, id, state } = ref;
  const hidden = hidingPlace(ref, search);
  if (run.of(ref).end === "deleted") return true;
  if (hidden === undefined) return goneFromLists(service, reporter, ref);
  const listed = await service.collections.list(hidden.where);
  const others = listed.some((entity) => hidden.where.kind.hidden?.when(decode(hidden.where.kind, entity)));
  if (others && hidden.evidence?.is === "enough") return goneFromLists(service, reporter, ref);
  if (hidden.evidence?.is === "needed" && !listed.some(hidden.evidence.of)) {
    reporter.warn(
      keptInState(
        ref,
        // Error perhaps-archived: The list of pipelines may leave out archived ones, so it doesn't confirm that one was
        // deleted.
        // Fix: If it is archived, unarchive it and refresh. If it was deleted, remove it from the program and run
        // `pulumi up`.
        "Its list shows nothing that is archived, so this may be archived and renamed. If it is, unarchive it in the web " +
          "interface.",
        "perhaps-archived",
      ),
    );
    return false;
  }
  const tokenId = await service.tokenId();
  if (tokenId === undefined || state.tokenId !== tokenId) {
    reporter.warn(keptInState(ref, "This token may not be allowed to read it.", "hidden-or-deleted"));
    return false;
  }
  const missing = others ? [id] : await disappearances.with(waits, `${organization}/${kind.name}`, id);
  const more = [...missing].filter((other) => other !== id).join(", ");
  if (more !== "") {
    reporter.warn(
      // Warning role-lost: Several secret teams or unavailable templates disappeared together, so the user of the token
      // probably lost a role. State is unchanged.
      // Fix: Restore the role, or use an administrator's token. If someone deleted them, run `pulumi state delete` for
      // each.
      keptInState(
        ref,
        `Neither does it return ${more}: the user of the token probably lost a role.`,
        "role-lost",
      ),
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

function goneFromLists(service: RunService, reporter: Reporter, ref: StateRef): true {
  const { kind, id } = ref;
  if (!service.isRecent(ref)) return true;
  reporter.warn(
    // Warning deleted-when-new: Somebody deleted what a deployment created minutes ago, or the API's lists lag behind
    // by more than fifteen seconds.
    // Fix: If it still exists, import it before the next `pulumi up`. Revoke an agent token, because its secret is
    // lost.
    withCode(
      `The ${kind.words.noun} ${id} is removed from state: the API's lists lack it, less than ten minutes after its creation. ` +
        (losesSecret(kind)
          ? "It may still be alive, with a secret that no state has: if the web interface shows it, revoke it there."
          : "If it still exists, import it before the next pulumi up, which would create it again."),
      "deleted-when-new",
    ),
  );
  return true;
}

function keptInState({ kind, id }: ResourceRef, cause: string, code: string): string {
  return withCode(
    `${kind.name}: the API doesn't return the ${kind.words.noun} ${id} to this access token. ${cause} The deletion could ` +
      "not be confirmed. The resource stays in state. Refresh with an access token that may read it, best the one of " +
      "the last deployment. If it was deleted, remove it from the program and run pulumi up, or run " +
      "pulumi state delete.",
    code,
  );
}
