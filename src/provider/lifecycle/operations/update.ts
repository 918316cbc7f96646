import { resultOf } from "../../../client/write.js";
import type { Context } from "../../kind/calls.js";
import { isSameObject } from "../../kind/identity.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Observed } from "../../kind/value-roles.js";
import { getOwn, withMarks } from "../missing/marks.js";
import { isMissing, messageOf, withoutSecrets } from "../run/errors.js";
import type { RunRecord } from "../run/memory.js";
import type { Session } from "../run/session.js";
import { changedNames, decode, encode, notAsSent, reconcile } from "../values/codec.js";
import { type ChangeRequest, organizationOf, type ResourceRef, refOf } from "../values/state.js";
import {
  complete,
  type ObjectWrite,
  type Recorded,
  requireOwn,
  runSeparateOperations,
} from "./separate-operations.js";
import { requireConfirmed } from "./unreturned.js";

/** Sends what changed. A change that concerns the state only, as a removed import option, sends nothing. */
export function update(session: Session, request: ChangeRequest): Promise<Recorded> {
  return withoutSecrets([request.state, request.inputs], () => updateOwn(session, request));
}

async function updateOwn(session: Session, { state, inputs }: ChangeRequest): Promise<Recorded> {
  const { kind, id } = state;
  const { args } = inputs;
  const organization = organizationOf(session.settings, state, inputs);
  const ref = refOf(organization, state);
  const names = changedNames(kind, state.args, args);
  const context = session.service.context(organization);

  const updating = session.service.collections.writing(ref, async () => {
    const { observed, ...failure } = await sendChanges({ context, ref, args, names }, session.run);
    const { outs } = reconcile({ ...state, ...inputs, organization }, observed);
    // Without a response the state keeps the marks that it has.
    const isObserved = Object.keys(observed).length > 0;
    return { id, outs: isObserved ? await withMarks(session.service, kind, outs) : outs, ...failure };
  });
  return updating.catch((error: unknown) => {
    throw isMissing(error) ? missingUpdate(kind, id, error) : error;
  });
}

type ObjectUpdate = Required<ObjectWrite>;

async function sendChanges(change: ObjectUpdate, run: RunRecord): ReturnType<typeof complete> {
  const { ref, args, names } = change;
  if (Object.keys(encode(ref.kind, args, names)).length === 0)
    return { observed: await runSeparateOperations(change, {}) };
  const observed = await sendUpdate(change);
  run.note(ref, { updated: true });
  return complete(change, observed, "was updated in part");
}

/** Sends an update. It is done once a response, or else a read, has what was sent. */
async function sendUpdate(change: ObjectUpdate): Promise<Observed> {
  const { context, ref, args, names } = change;
  const { kind, id } = ref;
  const body = kind.updatesSendAll ? await everything(change) : encode(kind, args, names);
  const of = `of the ${kind.words.noun} ${id}`;
  // A response with only what was sent is a success. It counts where the object can't be read afterwards.
  let submitted: Observed | undefined;
  return resultOf({
    send: async () => kind.calls.update?.(context, ref, body),
    accept(response) {
      if (response === undefined) throw missingUpdate(kind, id);
      if (kind.isTerse?.(response)) {
        const observed = decode(kind, response);
        const isWhole = [...names].every((name) => name in observed);
        if (isWhole && notAsSent(kind, args, observed, names).length === 0) submitted = observed;
        throw new Error(`The response to the update ${of} has only what was sent.`);
      }
      requireOwn(ref, response, "the update");
      const observed = decode(kind, response);
      const others = notAsSent(kind, args, observed, names);
      if (others.length === 0) return observed;
      throw new Error(
        `The API responded with success to the update ${of}, but still has other values of ${others.join(", ")}. Run ` +
          "pulumi up --refresh. If that repeats, the API does not take these values as they are written.",
      );
    },
    async look(lost, error) {
      const live = await readOrList(context, ref).catch((failure: unknown) => {
        // The update may have given it another address, by which the next try finds it.
        if (submitted !== undefined || (kind.reusesAddresses && isMissing(failure))) return undefined;
        if (!lost.at(-1)?.ended) throw error;
        const text = `${messageOf(error)} The ${kind.words.noun} could not be read: ${messageOf(failure)}`;
        throw new Error(text, { cause: error });
      });
      if (live === undefined) return submitted;
      const observed = decode(kind, live);
      return notAsSent(kind, args, observed, names).length === 0 ? observed : undefined;
    },
    repeats: kind.reusesAddresses ? "looked up" : "by the client",
    pause: context.pause,
  });
}

/** Reads an object after an update. A token that may write teams may be allowed to list them, but not to read one. */
async function readOrList(context: Context, ref: ResourceRef): Promise<object | undefined> {
  const { kind, id } = ref;
  try {
    return await getOwn(context, ref);
  } catch (error) {
    if (kind.isTerse === undefined) throw error;
    const listed = await kind.calls
      .list?.(context, ref)
      .all()
      .catch(() => undefined);
    const found = listed?.find((entity) => isSameObject(kind.identify(entity), id));
    if (found === undefined) throw error;
    return found;
  }
}

/** Returns a body with every property: what changes as the program says, the rest as the service has it. */
async function everything({ context, ref, args, names }: ObjectUpdate): Promise<object> {
  const { kind } = ref;
  const live = await getOwn(context, ref);
  const observed = live === undefined ? {} : decode(kind, live);
  requireConfirmed(kind, ref.id, args, observed);
  const kept = Object.entries(kind.arguments)
    .filter(([name]) => !names.has(name) && name in observed)
    // An empty text is observed as unset.
    .map(([name, field]) => [name, observed[name] ?? (field.default === "" ? "" : args[name])]);
  return encode(kind, { ...args, ...Object.fromEntries(kept) });
}

function missingUpdate(kind: AnyKind, id: string, cause?: unknown): Error {
  const { noun } = kind.words;
  return new Error(
    `${kind.name}: the ${noun} ${id} could not be updated. The API has no such ${noun}: it was probably deleted. ` +
      `pulumi up --refresh creates it again.${cause === undefined ? "" : ` ${messageOf(cause)}`}`,
  );
}
