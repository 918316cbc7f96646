import type { AnyKind } from "../../resources/kind.js";
import { complete } from "../imports/import-option.js";
import type { PendingRead } from "../missing/disappearances.js";
import { asExternal, guardIdentity, isExternal, originIn, withMarks } from "../missing/marks.js";
import { confirmHiddenAbsence, findInLists } from "../missing/missing-objects.js";
import { isMissing, withoutSecrets } from "../run/errors.js";
import type { Service } from "../run/service.js";
import type { Session } from "../run/session.js";
import { decode, type Reconciled, reconcile } from "../values/codec.js";
import { type ResourceRef, type ResourceState, refOf, type StateRequest } from "../values/state.js";
import { explainingRefusedToken, guardOrganization } from "./access.js";

/**
 * Reads an object for a refresh, or for `X.get`. The state of a refresh has an organization; for `X.get` it holds what the
 * program gave, without one.
 *
 * @returns undefined if it was deleted
 * @throws for `X.get` of a missing object, and if the deletion can't be confirmed
 */
export async function read(
  session: Session,
  kind: AnyKind,
  { id, state }: StateRequest,
): Promise<Reconciled | undefined> {
  const { organization } = state;
  if (organization === undefined)
    return lookUp(session.service, refOf(kind, session.settings.organization, id, state), state);
  guardOrganization(session.settings, kind, organization);
  return withoutSecrets(kind, [state], () =>
    session.disappearances.reading((reading) =>
      refresh(session, refOf(kind, organization, id, state), state, reading),
    ),
  );
}

async function lookUp(service: Service, ref: ResourceRef, state: ResourceState): Promise<Reconciled> {
  const { kind, organization, id } = ref;
  const entity = await find(service, ref, state, true);
  if (entity !== undefined) {
    const { inputs, outs } = observed(ref, state, entity);
    return { inputs, outs: asExternal(kind, outs, service.origin) };
  }
  throw new Error(
    `${kind.name}: the organization "${organization}" has no ${kind.words.noun} with the id ${id}. ` +
      `Check the id given to ${kind.name}.get, and that the access token may see it.`,
  );
}

async function refresh(
  session: Session,
  ref: ResourceRef,
  state: ResourceState,
  reading: PendingRead,
): Promise<Reconciled | undefined> {
  const { kind, organization } = ref;
  const entity = await explainingRefusedToken(session, () => find(session.service, ref, state, false));
  if (entity !== undefined) {
    session.service.noteFound(originIn(state));
    const { inputs, outs } = observed(ref, state, entity);
    return { inputs, outs: isExternal(kind, state) ? outs : await withMarks(session.service, kind, outs) };
  }
  const { removed, warning } = await confirmHiddenAbsence(session, ref, state, reading);
  if (warning !== undefined) session.reporter.warn(warning);
  if (removed) return undefined;
  const identity = { ...state, organization };
  return reconcile(kind, { identity, args: state.args, old: state.outputs });
}

/** Returns what the state keeps of an object that the service has just returned. */
function observed({ kind, organization }: ResourceRef, state: ResourceState, entity: object): Reconciled {
  const identity = { ...state, organization };
  return reconcile(kind, { identity, args: state.args, observed: decode(kind, entity), old: state.outputs });
}

async function find(
  service: Service,
  ref: ResourceRef,
  state: ResourceState,
  looking: boolean,
): Promise<object | undefined> {
  const { collections } = service;
  try {
    const address = { ...ref, known: state.outputs };
    // A list may have less than a read, and then the rest is known from the state; for `X.get` there is none.
    const entity = await (looking ? collections.get(ref, address) : collections.read(ref, address));
    if (entity !== undefined && !looking) guardIdentity(ref.kind, ref.id, entity);
    if (entity !== undefined) return entity;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const listed = await findInLists(service, ref, state);
  return listed && complete(service, ref, listed);
}
