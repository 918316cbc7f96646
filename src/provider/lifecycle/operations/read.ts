import { PermissionError } from "../../../client/index.js";
import { withCode } from "../../../shared/protocol/message-codes.js";
import { saysAddedAgain } from "../../kind/behavior.js";
import type { AnyKind } from "../../kind/kind.js";
import { complete, withStated } from "../imports/find-imported.js";
import { holderOf } from "../imports/holders.js";
import { asExternal, guardIdentity, isExternal, originIn, withMarks } from "../missing/marks.js";
import { findInLists, isGone, type Search } from "../missing/missing-objects.js";
import { explainingRefusedToken, guardOrganization } from "../run/access.js";
import { isMissing } from "../run/errors.js";
import type { RunService } from "../run/service.js";
import type { Session } from "../run/session.js";
import { decode, type Reconciled, reconcile } from "../values/codec.js";
import { idIn, type ResourceState, refOf, type StateRef } from "../values/state.js";
import { changeElsewhere } from "./unreturned.js";

/** What a refresh found, and its id where it has another one than the state. */
export type Found = Reconciled & { readonly id?: string };

/** Reads for a refresh, or for `X.get`, whose state has no organization. @returns undefined if the object was deleted */
export async function read(session: Session, state: ResourceState): Promise<Found | undefined> {
  const found = await readObject(session, state);
  if (found !== undefined) warnOfColors(session, state, found);
  return found;
}

/** Warns of values that a preview is about to show as differences, maybe those of a colleague. */
export function warnOfColors(
  { reporter }: Session,
  { kind, secretNames }: Pick<ResourceState, "kind" | "secretNames">,
  { outs }: Reconciled,
): void {
  reporter.warnOfColors(outs, secretNames, (name) => `${kind.name}.${name}: the value`);
}

async function readObject(session: Session, state: ResourceState): Promise<Found | undefined> {
  const { organization } = state;
  if (organization === undefined) return lookUp(session.service, refOf(session.settings.organization, state));
  guardOrganization(session.settings, state);
  return session.disappearances.reading((waits) => refresh(session, refOf(organization, state), waits));
}

async function lookUp(service: RunService, ref: StateRef): Promise<Reconciled> {
  const { kind, organization, id } = ref;
  const { found } = await find(service, ref, true);
  if (found !== undefined) {
    const { inputs, outs } = observed(ref, found);
    return { inputs, outs: asExternal(kind, outs, service.origin) };
  }
  throw new Error(
    `${kind.name}: the organization "${organization}" has no ${kind.words.noun} with the id ${id}. ` +
      `Check the id given to ${kind.name}.get, and that the access token may see it.`,
  );
}

async function refresh(session: Session, ref: StateRef, waits: () => void): Promise<Found | undefined> {
  const { kind, state } = ref;
  session.service.recent.noteInState(state);
  const kept = () => reconcile({ ...state, organization: ref.organization });
  const search = await explainingRefusedToken(session, () => find(session.service, ref, false)).catch(
    (error: unknown) => {
      if (!(error instanceof PermissionError)) throw error;
      session.reporter.warnOfAll(unreadable(kind, error));
      return undefined;
    },
  );
  if (search === undefined) return kept();
  const entity = search.found;
  if (entity !== undefined) {
    session.service.noteFound(originIn(state));
    const { inputs, outs } = observed(ref, entity);
    for (const warning of [
      kind.noticed?.(state.outputs, entity, state.args),
      kind.ending?.(outs, state.args, session.service.time()),
      changeElsewhere(state, decode(kind, entity)),
    ])
      if (warning !== undefined) session.reporter.warn(warning);
    return { inputs, outs: isExternal(state) ? outs : await withMarks(session.service, kind, outs) };
  }
  const successor = search.missing === "in its list" ? await addedAgain(session.service, ref) : undefined;
  if (successor !== undefined) {
    session.reporter.warn(saysAddedAgain(kind.words.noun));
    return { ...observed(ref, successor), id: idIn(ref, successor) };
  }
  return (await isGone(session, ref, search, waits)) ? undefined : kept();
}

/** Returns the pair that was added again under another id. It is what the program declares. */
async function addedAgain(service: RunService, ref: StateRef): Promise<object | undefined> {
  const { kind, state } = ref;
  if (!Object.values(kind.arguments).some(({ goesWith }) => goesWith)) return undefined;
  return service.collections.search(ref, (entity) => holderOf(kind, state.args, [entity]) !== undefined);
}

function unreadable(
  { name, words: { noun } }: AnyKind,
  { serviceMessage, missingScope }: PermissionError,
): string {
  const cause =
    missingScope === undefined
      ? serviceMessage.replace(/[.\s]*$/, "")
      : `the scope ${missingScope} is missing`;
  return withCode(
    // Warning read-refused: The API refuses to show objects of this type to the access token, so the refresh keeps what
    // the state has.
    // Fix: Use an API access token that may read them.
    `${name}: the API doesn't let this access token read ${noun}s (403: ${cause}), so they stay in state as they are, and ` +
      "changes made elsewhere don't show.",
    "read-refused",
  );
}

function observed({ kind, organization, state }: StateRef, entity: object): Reconciled {
  return reconcile({ ...state, organization }, decode(kind, entity));
}

async function find(service: RunService, ref: StateRef, looking: boolean): Promise<Search> {
  const { collections } = service;
  // A list may have less than a read, and then the rest is known from the state; for `X.get` there is none.
  const read = () => ifThere(looking ? collections.get(ref) : collections.read(ref));
  let entity = await read();
  // The client has waited for what it didn't find, but not for a view, whose object is there.
  if (entity === undefined && (await service.settle(ref))) entity = await read();
  if (entity !== undefined && !looking) guardIdentity(ref, entity);
  const search = entity === undefined ? await findInLists(service, ref) : { found: entity };
  if (search.found === undefined) return search;
  entity ??= await complete(service, ref, search.found);
  return { found: await withStated(service, ref, entity, ref.state.args) };
}

/** Returns what a read finds; undefined if the API doesn't have it. */
async function ifThere(read: Promise<object | undefined>): Promise<object | undefined> {
  try {
    return await read;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return undefined;
  }
}
