import { mayHaveBeenCarriedOut, ServerError, UnexpectedResponseError } from "../client/index.js";
import { namesAmong } from "../protocol/properties.js";
import type { Context } from "../resources/calls.js";
import type { AnyKind } from "../resources/kind.js";
import { decode, encode } from "./codec.js";
import { type Creation, findCreated, userIn } from "./create-recovery.js";
import { messageOf } from "./errors.js";
import { holderOf, importAdvice, taken } from "./namesakes.js";
import { placeKeyOf, type Where } from "./resource-ref.js";
import type { Session } from "./session.js";
import type { Inputs } from "./state.js";
import { labelWords, lostSecret, type Made, recovered, unconfirmedCreation } from "./unconfirmed-creation.js";
import { isWhatWasSent } from "./what-was-sent.js";

/** The most tries of a creation that cannot make a second object. */
const MOST_TRIES = 3;

/**
 * Creates an object once, whatever happens to the response. The service has no idempotency keys.
 *
 * A creation that was not sent or was refused is an error. After a lost or unusable response the list decides: see
 * {@link findCreated}. Nothing is deleted. A one-time secret that was lost with its response costs one more object.
 *
 * @throws where it cannot be confirmed. The message names what to look for, and its `import`
 */
export async function createOnce(session: Session, where: Where, inputs: Inputs): Promise<Made> {
  const { kind } = where;
  const { args } = inputs;
  const body = encode(kind, args);
  const label = labelWords(kind, inputs);
  // Two equal creations at the same time could not distinguish their objects.
  return session.oneAtATime(JSON.stringify([placeKeyOf(where), body]), async () => {
    // A response with only the submitted values needs the list from before, also in an offline run.
    if (kind.isTerse !== undefined) await session.initialLists.of(where);
    let creation: Creation = { session, where, args, label, lost: [], passedOver: new Set() };
    for (let tries = 1; ; tries++) {
      const attempt = await sendCreation(creation, body);
      if ("made" in attempt) return noted(creation, attempt.made);
      const { failure, response } = attempt;
      const mayExist = mayHaveBeenCarriedOut(failure);
      if (mayExist) creation = { ...creation, lost: [...creation.lost, response] };
      else if (creation.lost.length === 0) throw await explained(creation, failure, inputs);

      const found = await findCreated(creation, failure, hasEnded(attempt));
      if (found === undefined) {
        const sendable = mayExist && tries < MOST_TRIES && mayBeSentAgain(kind, failure);
        if (!sendable) throw unconfirmedCreation(creation, failure, []);
      } else if (!losesSecret(kind)) {
        // The service may still finish a request with a lost response, after the list was read.
        if (!hasEnded(attempt) && kind.importing !== undefined)
          session.reporter.warn(recovered(creation, found));
        return noted(creation, found);
      } else {
        if (creation.passedOver.size > 0) throw unconfirmedCreation(creation, failure, [found]);
        session.reporter.warn(lostSecret(creation, found));
        creation = { ...creation, lost: [], passedOver: new Set([found.id]) };
      }
    }
  });
}

/** The result of sending a creation. */
type Attempt = { readonly made: Made } | Failed;

interface Failed {
  readonly failure: unknown;
  /** Value that the client returned or threw: the client knows when the request was on its way. */
  readonly response: unknown;
}

async function sendCreation({ session, where, args }: Creation, body: object): Promise<Attempt> {
  const { kind, organization } = where;
  const context = session.service.context(organization);
  try {
    const response = await kind.calls.create(context, where, body);
    const whole = await wholeResponse(context, where, response);
    const made = { id: kind.identify(whole), observed: decode(kind, whole) };
    if (!kind.isTerse?.(whole) && isWhatWasSent(kind, args, made.observed)) {
      session.service.user = userIn(made.observed) ?? session.service.user;
      return { made };
    }
    return {
      failure: new Error("The response describes another object than the one that was created."),
      response,
    };
  } catch (error) {
    return { failure: error, response: error };
  }
}

/** Completes a response with only the submitted values and the id, by a read. */
async function wholeResponse(context: Context, { kind, parent }: Where, response: object): Promise<object> {
  const id = kind.identify(response);
  if (!kind.isTerse?.(response) || !id) return response;
  return (await kind.calls.get(context, { id, parent, known: {} }).catch(() => undefined)) ?? response;
}

/** Returns whether the service responded with success, so that nothing works on the request any more. */
function hasEnded({ failure, response }: Failed): boolean {
  return failure !== response || failure instanceof UnexpectedResponseError;
}

/**
 * Checks whether a creation that the list lacks may be sent again. It may if the service refuses duplicates, or itself
 * reported that it is unavailable.
 */
function mayBeSentAgain(kind: AnyKind, failure: unknown): boolean {
  if (kind.refusesDuplicates) return true;
  return failure instanceof ServerError && failure.status === 503 && failure.inServiceForm;
}

function losesSecret(kind: AnyKind): boolean {
  return Object.values(kind.outputs).some(({ secret }) => secret);
}

function noted({ session, where }: Creation, made: Made): Made {
  session.run.note({ ...where, id: made.id }, { created: true });
  return made;
}

/** Returns a refusal, with advice if a name is taken. */
async function explained(
  { session, where }: Creation,
  refusal: unknown,
  { args, secretNames }: Inputs,
): Promise<unknown> {
  const { kind, organization, parent } = where;
  const context = session.service.context(organization);
  if (kind.unique === undefined || context.status(refusal) !== 422) return refusal;
  const list = kind.calls.list?.(context, { parent });
  const listed = (await list?.all().catch(() => [])) ?? [];
  const holder = holderOf(kind, args, listed);
  if (holder === undefined) return refusal;
  const mayName = !namesAmong(secretNames).has(kind.words.label ?? kind.unique);
  const advice = await importAdvice(session, where, holder, listed, mayName);
  return new Error(`${messageOf(refusal)} ${taken(session, where, holder, advice)}`);
}
