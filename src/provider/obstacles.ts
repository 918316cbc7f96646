import { isUnknown } from "../protocol/encoded-values.js";
import type { AnyKind } from "../resources/kind.js";
import type { Problem } from "../resources/rules/problems.js";
import type { Arguments } from "../resources/value-roles.js";
import { messageOf } from "./errors.js";
import { isMissing, isUnreachable } from "./failures.js";
import { parentIn, referenceTo } from "./kinds.js";
import { holderOf, importAdvice, namesakes, namesakeWarning, taken } from "./namesakes.js";
import { type CheckRequest, mayQuote } from "./requests.js";
import type { Where } from "./resource-ref.js";
import { unreachable } from "./scopes.js";
import type { Session } from "./session.js";
import { parentOf } from "./state.js";

/**
 * Finds the conflicts of a creation. A missing place and a taken name are problems. An object of the same name is a
 * warning if names are not unique. Reads one list of each place, and none of a new place.
 */
export async function obstacles(
  session: Session,
  kind: AnyKind,
  args: Arguments,
  request: CheckRequest,
): Promise<Problem[]> {
  const argument = kind.parent?.argument;
  if (argument !== undefined && isUnknown(args[argument])) return [];
  const where = { organization: session.settings.organization, kind, parent: parentOf(kind, args) };
  const label = kind.words.label;
  if (kind.calls.list === undefined || label === undefined) return missingParent(session, where);
  const { entities, failure } = await session.initialLists.of(where);
  if (entities === undefined) return notListed(session, where, failure);
  if (isUnknown(args[label])) return [];
  const advice = (entity: object) => importAdvice(session, where, entity, entities, mayQuote(request)(label));
  if (kind.unique === undefined) {
    for (const namesake of kind.importing === undefined ? [] : namesakes(kind, args, entities)) {
      if (session.run.of({ ...where, id: kind.identify(namesake) }).planned !== undefined) continue;
      session.reporter.warn(namesakeWarning(session, where, namesake, await advice(namesake)));
    }
    return [];
  }
  const holder = holderOf(kind, args, entities);
  if (holder === undefined || request.deletesFirst) return [];
  const { deletedFirst, renamed } = session.run.of({ ...where, id: kind.identify(holder) });
  if (deletedFirst || renamed) return [];
  return [{ argument: kind.unique, text: taken(session, where, holder, await advice(holder)) }];
}

/**
 * Describes a place with an unreadable list. An access token may be allowed to create objects, but not to list them.
 */
async function notListed(session: Session, where: Where, failure: unknown): Promise<Problem[]> {
  const { kind, organization } = where;
  if (isUnreachable(failure)) return [{ argument: "", text: unreachable(kind, failure) }];
  if (!isMissing(failure)) return [];
  if (kind.parent !== undefined) return missingParent(session, where);
  const text =
    `${kind.name}: the organization "${organization}" does not exist, or has no ${kind.words.noun}s that this access token may ` +
    `see. Check how it is spelled in buildpipeline:organization (or BUILDPIPELINE_ORGANIZATION), and that the access ` +
    `token belongs to it. ${messageOf(failure)}`;
  return [{ argument: "", text }];
}

/** Describes the missing object that a new one is to live in. */
async function missingParent(session: Session, where: Where): Promise<Problem[]> {
  const { organization, kind, parent } = where;
  const found = parentIn(kind);
  if (found === undefined) return [];
  const { parentKind, argument } = found;
  if (session.run.of({ organization, kind: parentKind, id: parent }).created) return [];
  const isParent = (entity: object) => referenceTo(kind, parentKind, entity) === parent;
  const above = { organization, kind: parentKind, parent: "" };
  // No single list has the objects of a parent that itself has a parent.
  if (parentKind.parent !== undefined) return [];
  const { entities, failure } = await session.initialLists.of(above);
  if (entities === undefined) return notListed(session, above, failure);
  if (entities.some(isParent)) return [];
  // It may have been made since, by another process of this deployment.
  const asked = session.now();
  const now = await session.service.list(above, asked).catch(() => undefined);
  if (now === undefined || now.some(isParent)) return [];
  const text =
    `${kind.name}.${argument}: there is no ${parentKind.words.noun} ${parent} in the organization ` +
    `"${organization}" that this access token may see. Give an id that exists, or the ${parentKind.name} itself.`;
  return [{ argument, text }];
}
