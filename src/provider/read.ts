import { ORGANIZATION } from "../protocol/properties.js";
import type { Properties } from "../protocol/values.js";
import type { AnyKind } from "../resources/kind.js";
import { findInLists } from "./absence.js";
import { complete } from "./adoption.js";
import { decode, type Reconciled, reconcile } from "./codec.js";
import type { Reading } from "./disappearances.js";
import { confirmHiddenAbsence } from "./hidden-objects.js";
import { asExternal, isExternal, originIn, withMarks } from "./marks.js";
import { guardOrganization } from "./organization.js";
import { withSettingsOfState } from "./refused-token.js";
import { isMissing, type Session } from "./session.js";
import { identityIn, managedArguments, parentOf } from "./state.js";

/**
 * Reads an object for a refresh, or for `X.get`.
 *
 * @param props outputs in state, or for `X.get` the program's: those lack the organization
 * @returns undefined if it was deleted
 * @throws for `X.get` of a missing object, and if the deletion can't be confirmed
 */
export async function read(
  session: Session,
  kind: AnyKind,
  id: string,
  props: Properties,
): Promise<Reconciled | undefined> {
  if (props[ORGANIZATION] === undefined) return lookUp(session, kind, id, props);
  guardOrganization(session, kind, props);
  return session.disappearances.reading((reading) => refresh(session, kind, id, props, reading));
}

async function lookUp(session: Session, kind: AnyKind, id: string, props: Properties): Promise<Reconciled> {
  const { organization } = session.settings;
  const entity = await find(session, kind, organization, id, props, true);
  if (entity !== undefined) {
    const { inputs, outs } = observed(kind, organization, props, entity);
    return { inputs, outs: asExternal(kind, outs) };
  }
  throw new Error(
    `${kind.name}: the organization "${organization}" has no ${kind.words.noun} with the id ${id}. ` +
      `Check the id given to ${kind.name}.get, and that the access token may see it.`,
  );
}

async function refresh(
  session: Session,
  kind: AnyKind,
  id: string,
  props: Properties,
  reading: Reading,
): Promise<Reconciled | undefined> {
  const organization = String(props[ORGANIZATION]);
  const finding = () => find(session, kind, organization, id, props, false);
  const entity = await withSettingsOfState(session, finding);
  if (entity !== undefined) {
    session.noteFound(originIn(props));
    const { inputs, outs } = observed(kind, organization, props, entity);
    return { inputs, outs: isExternal(kind, props) ? outs : await withMarks(session, kind, outs) };
  }
  const where = { organization, kind, parent: parentOf(kind, props) };
  const { removed, warning } = await confirmHiddenAbsence(session, where, id, props, reading);
  if (warning !== undefined) session.warn(warning);
  if (removed) return undefined;
  return reconcile(kind, identityIn(props, organization), managedArguments(kind, props), {}, props);
}

/** What the state keeps of an object that the service has just returned. */
function observed(kind: AnyKind, organization: string, props: Properties, entity: object): Reconciled {
  const identity = identityIn(props, organization);
  return reconcile(kind, identity, managedArguments(kind, props), decode(kind, entity), props);
}

async function find(
  session: Session,
  kind: AnyKind,
  organization: string,
  id: string,
  props: Properties,
  looking: boolean,
): Promise<object | undefined> {
  const parent = parentOf(kind, props);
  const where = { organization, kind, parent };
  const { collections } = session;
  const context = session.context(organization);
  try {
    const address = { id, parent, known: props };
    // A list may tell less than a read, and then the rest is known from the state; for `X.get` there is none.
    const read = looking
      ? collections.get(context, where, address)
      : collections.read(context, where, address);
    const entity = await read;
    if (entity !== undefined) return entity;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const listed = await findInLists(session, organization, kind, id, props);
  return listed && complete(session, organization, kind, listed, parent);
}
