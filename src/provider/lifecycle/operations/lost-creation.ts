import type { LostTry } from "../../../client/write.js";
import { withCode } from "../../../shared/protocol/message-codes.js";
import type { Context } from "../../kind/behavior.js";
import { type AnyKind, secretArguments } from "../../kind/kind.js";
import type { Body } from "../../kind/value-roles.js";
import { byCreator } from "../imports/conflicts.js";
import { importName } from "../imports/import-name.js";
import { messageOf } from "../run/errors.js";
import type { Session } from "../run/session.js";
import { currentSubject } from "../run/subject.js";
import { notAsSent, type ObservedObject, observedIn, userIn } from "../values/codec.js";
import { importForm, losesSecret } from "../values/kinds.js";
import { type Inputs, secretNamesOf, type Where } from "../values/state.js";
import { neverReturned } from "./unreturned.js";

/** The time in which the service may still work on a request after a lost response, before the second look. */
const SETTLING_MS = 2_000;

export interface Creation {
  readonly session: Session;
  readonly context: Context;
  readonly where: Where;
  readonly inputs: Inputs;
  readonly body: Body;
  /** Id of a match that is left alone, because its secret is lost. */
  readonly passedOver?: string;
}

/**
 * Looks for the one object that a creation made, waits, and looks once more. A match has everything that was sent, and
 * isn't in the list from before. It was created while the request was on its way, by the user of this process, if both
 * are known.
 *
 * @returns undefined where nothing like it is there
 * @throws if several match, or a similar object isn't a match
 */
export async function findCreated(
  creation: Creation,
  lost: readonly LostTry[],
  error: unknown,
): Promise<ObservedObject | undefined> {
  const isSettled = lost.at(-1)?.ended || creation.where.kind.behavior.list === undefined;
  const first = await lookForCreated(creation, lost).catch(() => undefined);
  if (isSettled && first?.matches.length === 1) return first.matches[0];
  // After a canceled wait, the error still names the object.
  await creation.context.pause(SETTLING_MS).catch(() => {});
  const { matches, similar } = await lookForCreated(creation, lost).catch((failure: unknown) => {
    const why = `Looking for it failed: ${messageOf(failure)}`;
    throw unconfirmedCreation(creation, error, lost.length, [], why);
  });
  if (matches.length !== 1 && similar.length > 0)
    throw unconfirmedCreation(creation, error, lost.length, similar);
  return matches[0];
}

/** Returns new objects that have everything that was sent, and as `matches` those of them that this creation made. */
export async function lookForCreated(creation: Creation, lost: readonly LostTry[]) {
  const { session, context, where, inputs, passedOver } = creation;
  const { kind, parent } = where;
  const isAsSent = ({ observed }: ObservedObject) => notAsSent(kind, inputs.args, observed).length === 0;
  if (kind.behavior.list === undefined) {
    // A view of another kind's object: its place is its whole address, and nothing is known of it yet.
    const entity = await kind.behavior.get(context, { id: parent, parent, known: {} });
    const made = entity === undefined ? [] : [observedIn(where, entity)].filter(isAsSent);
    return { matches: made, similar: made };
  }
  const { list } = kind.behavior;
  // One read is enough: who finds nothing looks once more.
  const similarIn = async (place: Where) =>
    (await list(context, place).all())
      .map((entity) => observedIn(where, entity))
      .filter((one) => !existedBefore(creation, one.id) && one.id !== passedOver && isAsSent(one));
  const narrow = await similarIn(where);
  // That a narrow list lacks it proves nothing.
  const isKnown = narrow.length > 0 || where.named === undefined;
  const similar = isKnown ? narrow : await similarIn({ ...where, named: undefined });
  const isOfThatTime = (createdAt: unknown) =>
    typeof createdAt === "string"
      ? lost.some(
          ({ request }) => request && context.client.serviceClock.mayHaveHappenedDuring(request, createdAt),
        )
      : // Without a time, such as a pair's or a suite's, the list from before must be enough, and nothing may be lost.
        kind.outputs.createdAt === undefined && kind.unique?.isRefused !== undefined && !losesSecret(kind);
  const isStrict =
    neverReturned(kind).length > 0 ||
    secretArguments(kind).length > 0 ||
    // No update corrects somebody else's.
    (kind.behavior.update === undefined && kind.outputs.createdBy !== undefined);
  const isOfThisUser = (creator: string | undefined) =>
    // Nothing shows whether the object has the value that was sent.
    isStrict
      ? creator !== undefined && creator === session.service.user
      : [undefined, session.service.user ?? creator].includes(creator);
  const isMatch = ({ observed }: ObservedObject) =>
    session.service.collections.idsBefore(where) !== undefined &&
    isOfThatTime(observed.createdAt) &&
    isOfThisUser(userIn(observed));
  return { matches: similar.filter(isMatch), similar };
}

/** False for a view: it has the id of the object that it belongs to, which always existed. */
export function existedBefore({ session, where }: Creation, id: string): boolean {
  if (where.kind.view !== undefined) return false;
  const { written, planned } = session.run.of({ ...where, id });
  return (
    written === "created" ||
    planned !== undefined ||
    session.service.collections.idsBefore(where)?.has(id) === true
  );
}

function creationInWords({ where: { kind }, inputs: { args, secretNames } }: Creation): string {
  const { noun, label, composed } = kind.words;
  if (composed !== undefined) return `the ${currentSubject()?.name ?? noun}`;
  const value = args[label ?? ""];
  if (label === undefined || value === undefined || secretNamesOf(kind, secretNames, args).has(label))
    return `the ${noun}`;
  return `the ${noun} ${JSON.stringify(value)}`;
}

/** @param why default: the number of similar objects */
export function unconfirmedCreation(
  creation: Creation,
  failure: unknown,
  tries: number,
  similar: readonly ObservedObject[],
  why = whyOf(creation.where.kind, similar),
): Error {
  const { kind, parent } = creation.where;
  const [only, ...others] = similar;
  const id = only !== undefined && others.length === 0 ? only.id : "<id>";
  const importing = isOfRotation(creation)
    ? " If this run created one, delete it, because Pulumi ignores the option import of a RotatingAgentToken."
    : kind.importing
      ? ` To manage one that this run created, add { import: ${JSON.stringify(importName(parent, id))} } ` +
        `(${importForm(kind)}). Otherwise delete it, unless it is a colleague's.`
      : "";
  const often = tries > 1 ? `The creation was sent ${tries} times, and each can still make one. ` : "";
  return new Error(
    // Error creation-unconfirmed: The response to a creation was lost, and no list showed what became of it.
    // Fix: Look on Buildkite. If the object exists and is yours, [import
    // it](../guides/recover.md#a-creation-was-not-confirmed), or delete it.
    withCode(
      `${kind.name}: could not confirm whether ${creationInWords(creation)} was created: ${sentence(messageOf(failure))} ${why} ${often}` +
        `Check the service before you run again.${importing}`,
      "creation-unconfirmed",
    ),
  );
}

export function recovered(creation: Creation, made: ObservedObject): string {
  const { parent } = creation.where;
  return withCode(
    // Warning creation-found: The response to a creation was lost. Exactly one object matches the request, and state
    // records it.
    // Fix: Nothing to do, unless the object is a colleague's. Then follow [the
    // steps](../guides/recover.md#the-wrong-object-is-in-state).
    `the response to the creation of ${creationInWords(creation)} was lost. The one match in the list is recorded: ${describe(made)}. If ` +
      "it is a colleague's, or another one appears, remove it from state: pulumi state delete <urn> (pulumi stack " +
      `--show-urns lists the URN), then add { import: "${importName(parent, "<id>")}" } with the id of the right one.`,
    "creation-found",
  );
}

export function lostSecret(creation: Creation, made: ObservedObject): string {
  const { noun } = creation.where.kind.words;
  return (
    `the response with the secret of ${creationInWords(creation)} was lost, so another ${noun} is created. This one has no known ` +
    `secret: ${describe(made)}. Revoke it if no colleague and no other stack uses it.`
  );
}

export function secondMayExist(creation: Creation, tries: number, others: readonly ObservedObject[]): string {
  const { kind, parent } = creation.where;
  const { noun } = kind.words;
  const [only = { id: "<id>" }, ...more] = others;
  const found =
    others.length === 0 ? "The list has none yet" : `The list has ${others.map(describe).join("; ")}`;
  const name = importName(parent, more.length === 0 ? only.id : "<id>");
  return (
    `${kind.name}: after a 503, the creation of ${creationInWords(creation)} was sent again. The creation was sent ${tries} times, and the ` +
    `API may still carry out the others, which makes a second ${noun}. ${found}. Delete it unless it is a ` +
    `colleague's${isOfRotation(creation) ? "" : `, or manage it with { import: ${JSON.stringify(name)} }`}.`
  );
}

/** Pulumi ignores the option `import` of a component, so nobody can import a token of a `RotatingAgentToken`. */
function isOfRotation({ inputs }: Creation): boolean {
  return inputs.generation !== undefined;
}

function whyOf({ words: { noun }, behavior }: AnyKind, similar: readonly ObservedObject[]): string {
  if (behavior.list === undefined) return `A read does not show the ${noun}.`;
  if (similar.length === 0) return `The list of ${noun}s does not have it.`;
  const which = similar.length === 1 ? `One ${noun} matches` : "More than one object matches";
  return `${which} the request, and may be a colleague's: ${similar.map(describe).join("; ")}.`;
}

function describe({ id, observed: { createdAt, createdBy } }: ObservedObject): string {
  return typeof createdAt === "string" ? `${id}, created ${createdAt}${byCreator(createdBy)}` : id;
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
