import { namesAmong } from "../protocol/properties.js";
import type { AnyKind } from "../resources/kind.js";
import type { Observed } from "../resources/value-roles.js";
import { byCreator } from "./creator.js";
import { messageOf } from "./errors.js";
import { importForm } from "./import-option.js";
import { importName } from "./namesakes.js";
import type { Where } from "./resource-ref.js";
import type { Inputs } from "./state.js";

/** An object that exists now, and what the service returned of it. */
export interface LiveObject {
  readonly id: string;
  readonly observed: Observed;
}

/** The object of a creation, as messages name it. */
export interface NewObject {
  readonly where: Where;
  /** Name of the object, for messages. */
  readonly label: string;
}

/** Returns the name of an object that is being created, for messages. */
export function labelWords(kind: AnyKind, { args, secretNames }: Inputs): string {
  const label = kind.words.label;
  if (label === undefined || namesAmong(secretNames).has(label)) return `the ${kind.words.noun}`;
  return `the ${kind.words.noun} ${JSON.stringify(args[label])}`;
}

/**
 * Returns the error for a creation that could not be confirmed.
 *
 * @param tries how often it was sent
 * @param similar objects that have everything that was sent
 * @param why reason, if it isn't the number of similar objects
 */
export function unconfirmedCreation(
  { where, label }: NewObject,
  failure: unknown,
  tries: number,
  similar: readonly LiveObject[],
  why = whyOf(where.kind, similar),
): Error {
  const { kind, parent } = where;
  const [only, ...others] = similar;
  const id = only !== undefined && others.length === 0 ? only.id : "<id>";
  const importing = kind.importing
    ? ` To manage one that this run created, add { import: ${JSON.stringify(importName(parent, id))} } ` +
      `(${importForm(kind)}). Otherwise delete it, unless it is a colleague's.`
    : "";
  const often = tries > 1 ? `The creation was sent ${tries} times, and each can still make one. ` : "";
  return new Error(
    `${kind.name}: could not confirm whether ${label} was created: ${sentence(messageOf(failure))} ${why} ${often}` +
      `Check the service before you run again.${importing}`,
  );
}

/** Returns the warning for an object that was found in the list after the response was lost. */
export function recovered({ where: { parent }, label }: NewObject, made: LiveObject): string {
  return (
    `the response to the creation of ${label} was lost. The one match in the list is recorded: ${describe(made)}. If ` +
    "it is a colleague's, or another one appears, remove it from state: pulumi state delete <urn> (pulumi stack " +
    `--show-urns lists the URN), then add { import: "${importName(parent, "<id>")}" } with the id of the right one.`
  );
}

/** Returns the warning for a one-time secret that was lost with its response. */
export function lostSecret({ where: { kind }, label }: NewObject, made: LiveObject): string {
  return (
    `the response with the secret of ${label} was lost, so another ${kind.words.noun} is created. This one has no known ` +
    `secret: ${describe(made)}. Revoke it if no colleague and no other stack uses it.`
  );
}

/**
 * Returns the warning for a creation that was sent again after the service reported that it is unavailable.
 *
 * @param tries how often it was sent
 * @param others new objects that have everything that was sent
 */
export function secondMayExist(
  { where, label }: NewObject,
  tries: number,
  others: readonly LiveObject[],
): string {
  const { kind, parent } = where;
  const { noun } = kind.words;
  const [only = { id: "<id>" }, ...more] = others;
  const found =
    others.length === 0 ? "The list has none yet" : `The list has ${others.map(describe).join("; ")}`;
  const name = importName(parent, more.length === 0 ? only.id : "<id>");
  return (
    `${kind.name}: after a 503, the creation of ${label} was sent again. The creation was sent ${tries} times, and the ` +
    `API may still carry out the others, which makes a second ${noun}. ${found}. Delete it unless it is a ` +
    `colleague's, or manage it with { import: ${JSON.stringify(name)} }.`
  );
}

function whyOf({ words: { noun }, calls }: AnyKind, similar: readonly LiveObject[]): string {
  if (calls.list === undefined) return `A read does not show the ${noun}.`;
  if (similar.length === 0) return `The list of ${noun}s does not have it.`;
  const which = similar.length === 1 ? `One ${noun} matches` : "More than one object matches";
  return `${which} the request, and may be a colleague's: ${similar.map(describe).join("; ")}.`;
}

/** Names an object by its id, creator and time. */
function describe({ id, observed: { createdAt, createdBy } }: LiveObject): string {
  return typeof createdAt === "string" ? `${id}, created ${createdAt}${byCreator(createdBy)}` : id;
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
