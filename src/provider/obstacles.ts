import { isUnknown, type Properties } from "../protocol/values.js";
import type { AnyKind } from "../resources/kind.js";
import { referenceTo } from "./absence.js";
import type { Where } from "./collections.js";
import { messageOf } from "./errors.js";
import { holderOf, namesakes, namesakeWarning, taken } from "./inventory.js";
import { parentKindOf } from "./kinds.js";
import { unreachable } from "./scopes.js";
import { isMissing, isUnreachable, type Session } from "./session.js";
import { parentOf } from "./state.js";

/**
 * What is in the way of a creation: a place that does not exist and a name that is taken are failures, an object of the
 * same name is a warning where names are not unique. Asks for one list of each place, and none of what is made anew.
 */
export async function obstacles(
  session: Session,
  kind: AnyKind,
  args: Properties,
  deletesFirst: boolean,
): Promise<string[]> {
  if (session.importing) return [];
  const argument = kind.parent?.argument;
  if (argument !== undefined && isUnknown(args[argument])) return [];
  const where = { organization: session.settings.organization, kind, parent: parentOf(kind, args) };
  const label = kind.words.label;
  if (kind.calls.list === undefined || label === undefined) return missingParent(session, where);
  const { entities, failure } = await session.inventory.before(where);
  if (entities === undefined) return notListed(session, where, failure);
  if (isUnknown(args[label])) return [];
  if (kind.unique === undefined) {
    for (const namesake of kind.adoption === undefined ? [] : namesakes(kind, args, entities)) {
      if (session.run.of({ ...where, id: kind.identify(namesake) }).planned !== undefined) continue;
      session.warn(namesakeWarning(session, where, namesake));
    }
    return [];
  }
  const holder = holderOf(kind, args, entities);
  if (holder === undefined || deletesFirst) return [];
  const { deletedFirst, renamed } = session.run.of({ ...where, id: kind.identify(holder) });
  return deletedFirst || renamed ? [] : [taken(session, where, holder)];
}

/** What to say of a place whose list cannot be had. What the access token may not list may still be created. */
async function notListed(session: Session, where: Where, failure: unknown): Promise<string[]> {
  const { kind, organization } = where;
  if (isUnreachable(failure)) return [unreachable(kind, failure)];
  if (!isMissing(failure)) return [];
  if (kind.parent !== undefined) return missingParent(session, where);
  return [
    `${kind.name}: the organization "${organization}" does not exist, or has no ${kind.words.noun}s that this access token may ` +
      `see. Check how it is spelled in buildpipeline:organization (or BUILDPIPELINE_ORGANIZATION), and that the access ` +
      `token belongs to it. ${messageOf(failure)}`,
  ];
}

/** What to say where the object that a new one is to live in does not exist. */
async function missingParent(session: Session, where: Where): Promise<string[]> {
  const { organization, kind, parent } = where;
  const parentKind = parentKindOf(kind);
  if (kind.parent === undefined || parentKind === undefined) return [];
  if (session.run.of({ organization, kind: parentKind, id: parent }).created) return [];
  const isParent = (entity: object) => referenceTo(kind, parentKind, entity) === parent;
  const above = { organization, kind: parentKind, parent: "" };
  // What lives in something that lives in something else is found by no single list.
  if (parentKind.parent !== undefined) return [];
  const { entities, failure } = await session.inventory.before(above);
  if (entities === undefined) return notListed(session, { ...where, kind: parentKind, parent: "" }, failure);
  if (entities.some(isParent)) return [];
  // It may have been made since, by another process of this deployment.
  const asked = session.now();
  const now = await session.list(organization, parentKind, "", asked).catch(() => undefined);
  if (now === undefined || now.some(isParent)) return [];
  return [
    `${kind.name}.${kind.parent.argument}: there is no ${parentKind.words.noun} ${parent} in the organization ` +
      `"${organization}" that this access token may see. Give an id that exists, or the ${parentKind.name} itself.`,
  ];
}
