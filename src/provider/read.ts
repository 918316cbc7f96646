import type { AnyKind } from "../resources/kind.js";
import { findInLists, HiddenError } from "./absence.js";
import { complete } from "./adoption.js";
import { decode, type Reconciled, reconcile } from "./codec.js";
import type { Properties } from "./engine-values.js";
import { guardOrganization } from "./organization.js";
import { withSettingsOfState } from "./refused-token.js";
import { isMissing, type Session } from "./session.js";
import { identityIn, managedArguments, ORGANIZATION, parentOf } from "./state.js";

/**
 * Reads an object for a refresh, or for `X.get`.
 *
 * @param props outputs in state, or for `X.get` the program's: those lack the organization
 * @returns undefined when it is really gone
 * @throws for `X.get` of a missing object, and when it cannot be told whether it is gone
 */
export async function read(
  session: Session,
  kind: AnyKind,
  id: string,
  props: Properties,
): Promise<Reconciled | undefined> {
  const looking = props[ORGANIZATION] === undefined;
  const organization = looking ? session.settings.organization : String(props[ORGANIZATION]);
  if (!looking) guardOrganization(session, kind, props);
  const args = managedArguments(kind, props);
  const identity = identityIn(props, organization);
  let entity: object | undefined;
  try {
    const finding = () => find(session, kind, organization, id, props, looking);
    entity = await (looking ? finding() : withSettingsOfState(session, finding));
  } catch (error) {
    if (!(error instanceof HiddenError) || looking) throw error;
    session.warn(error.message);
    return reconcile(kind, identity, args, {}, props);
  }
  if (entity === undefined) {
    if (!looking) return undefined;
    throw new Error(
      `${kind.name}: the organization "${organization}" has no ${kind.noun} with the id ${id}. ` +
        `Check the id given to ${kind.name}.get, and that the access token may see it.`,
    );
  }
  session.noteFound(props.url);
  return reconcile(kind, identity, args, decode(kind, entity), props);
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
