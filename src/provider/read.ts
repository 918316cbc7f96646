import type { AnyKind } from "../resources/kind.js";
import { findInLists } from "./absence.js";
import { type Properties, withoutUndefined } from "./engine-values.js";
import { isMissing, type Session } from "./session.js";
import { IMPORT, managedArguments, ORGANIZATION, outputs, reconciled } from "./state.js";
import { whole } from "./whole.js";

/** What the service has of an object now. */
export interface ReadObject {
  readonly outs: Properties;
  readonly inputs: Properties;
}

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
): Promise<ReadObject | undefined> {
  const looking = props[ORGANIZATION] === undefined;
  const organization = looking ? session.settings.organization : String(props[ORGANIZATION]);
  const entity = await find(session, kind, organization, id, props);
  if (entity === undefined) {
    if (!looking) return undefined;
    throw new Error(
      `${kind.name}: the organization "${organization}" has no ${kind.noun} with the id ${id}. ` +
        `Check the id given to ${kind.name}.get, and that the access token may see it.`,
    );
  }
  const args = reconciled(kind, managedArguments(kind, props), entity);
  const identity = { organization, import: props[IMPORT] };
  return {
    outs: withoutUndefined(outputs(kind, args, entity, identity, props)),
    inputs: withoutUndefined({ ...args, [ORGANIZATION]: organization, [IMPORT]: props[IMPORT] }),
  };
}

async function find(
  session: Session,
  kind: AnyKind,
  organization: string,
  id: string,
  props: Properties,
): Promise<object | undefined> {
  try {
    const entity = await kind.calls.read(session.service(organization), id, props);
    if (entity !== undefined) return entity;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const listed = await findInLists(session, organization, kind, id, props);
  return listed && whole(session, organization, kind, listed, props);
}
