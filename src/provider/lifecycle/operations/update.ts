import { ValidationError } from "../../../client/index.js";
import { resultOf } from "../../../client/write.js";
import { quoted } from "../../../shared/messages/quoted.js";
import { reveal } from "../../../shared/protocol/encoded-values.js";
import { withCode } from "../../../shared/protocol/message-codes.js";
import { namesAmong } from "../../../shared/protocol/properties.js";
import type { Context } from "../../kind/behavior.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Arguments, Observed, Outputs } from "../../kind/value-roles.js";
import { namingGone } from "../missing/gone-references.js";
import { getOwn, withMarks } from "../missing/marks.js";
import { isMissing, messageOf } from "../run/errors.js";
import type { RunRecord } from "../run/memory.js";
import type { Session } from "../run/session.js";
import { decode, encode, isKept, notAsSent, outputsOf } from "../values/codec.js";
import {
  type ChangeRequest,
  organizationOf,
  type ResourceRef,
  type ResourceState,
  refOf,
  type StateRef,
} from "../values/state.js";
import {
  type Completed,
  complete,
  type ObjectWrite,
  type Recorded,
  requireOwn,
  runSeparateOperations,
} from "./separate-operations.js";
import { changeElsewhere, isLacked, mayHideChange, requireConfirmed, writtenAfter } from "./unreturned.js";
import { changedParts, isGivenUp, namesToSend, unsentAfter } from "./write-contents.js";

/** Sends what changed. A change that concerns the state only, as a removed import option, sends nothing. */
export async function update(session: Session, request: ChangeRequest): Promise<Recorded> {
  const { state, inputs } = request;
  const { kind, id } = state;
  const args = changedParts(kind, state.args, inputs.args);
  const organization = organizationOf(session.settings, state, inputs);
  const ref = refOf(organization, state);
  session.service.recent.noteInState(state);
  const changed = new Set([...namesToSend(request)].filter((name) => !isGivenUp(kind, name, args)));
  const context = session.service.context(organization);

  const updating = session.service.collections.writing(ref, async () => {
    const found = await withheldFrom(context, ref, state, changed);
    const names = new Set([...changed].filter((name) => isKept(kind, name, args, found) !== true));
    const before = mayHideChange(kind, names) ? await seenBefore(context, ref) : undefined;
    const elsewhere = before && changeElsewhere(state, before);
    const done = await sendChanges({ context, ref, args, names }, session.run);
    if (elsewhere !== undefined) session.reporter.warn(elsewhere);
    const { observed, unsent: _, ...failure } = done;
    const unsent = failure.initializationError ? unconfirmed(kind, args, names, observed) : [];
    const entry = {
      ...state,
      ...inputs,
      organization,
      unsent: unsentAfter(state, inputs.args, names, unsent),
      written: writtenAfter(state, names, before, observed),
    };
    const outs = outputsOf(entry, { ...unchangedIn(state, names), ...found, ...observed });
    // Without a response the state keeps the marks that it has.
    const isObserved = Object.keys(observed).length > 0;
    return { id, outs: isObserved ? await withMarks(session.service, kind, outs) : outs, ...failure };
  });
  return updating.catch(async (error: unknown) => {
    const change = { context, ref, args, names: changed };
    if (isMissing(error)) throw missingUpdate(kind, id, error);
    throw (await hindered(change, error)) ?? (await namingGone(session, ref, args, error));
  });
}

/** Reads an object right before a write that changes its time. What can't be read is as the state has it. */
async function seenBefore(context: Context, ref: StateRef): Promise<Observed | Outputs> {
  const live = await getOwn(context, ref).catch(() => undefined);
  return live === undefined ? ref.known : decode(ref.kind, live);
}

/** Reads what an import kept from the state although the API returns it: a secret of the program that needn't be sent. */
async function withheldFrom(
  context: Context,
  ref: ResourceRef,
  { kind, unknownAtImport }: ResourceState,
  changed: ReadonlySet<string>,
): Promise<Observed> {
  const withheld = [...namesAmong(unknownAtImport)]
    .map(String)
    .filter((name) => changed.has(name) && !isLacked(kind, name));
  const live = withheld.length === 0 ? undefined : await getOwn(context, ref);
  const observed: Observed = live === undefined ? {} : decode(kind, live);
  return Object.fromEntries(withheld.map((name) => [name, observed[name]]));
}

/** Returns the names of the arguments of which nothing shows that the service has them. */
function unconfirmed(kind: AnyKind, args: Arguments, names: ReadonlySet<string>, observed: Observed) {
  return [...names].filter((name) => {
    const { apply, creationOnly, sentAs } = kind.arguments[name] ?? {};
    const isSent = apply !== undefined || (sentAs !== undefined && creationOnly === undefined);
    return isSent && isKept(kind, name, args, observed) !== true;
  });
}

/** Returns what the state has of the arguments that an update doesn't send. */
export function unchangedIn({ kind, outputs }: ResourceState, names: ReadonlySet<string>): Observed {
  const returned = Object.entries(kind.arguments).filter(
    ([name, { returnedAs }]) => returnedAs !== undefined && !names.has(name) && Object.hasOwn(outputs, name),
  );
  return Object.fromEntries(returned.map(([name]) => [name, reveal(outputs[name]) ?? undefined]));
}

type ObjectUpdate = Omit<ObjectWrite, "isDue"> & { readonly names: ReadonlySet<string> };

/**
 * Sends what changed: arguments with an operation that comes first, then the body, then the other operations. Once
 * something was sent, a failure isn't thrown, because the state must record what is done.
 */
async function sendChanges(change: ObjectUpdate, run: RunRecord): Promise<Completed> {
  const { ref, args, names } = change;
  const first = await runSeparateOperations(
    { ...change, isDue: (name, { isFirst }) => names.has(name) && isFirst === true },
    {},
  );
  const later: ObjectWrite = { ...change, isDue: (name, { isFirst }) => names.has(name) && isFirst !== true };
  const hasBody = Object.keys(encode(ref.kind, args, names)).length > 0;
  if (!hasBody && first === undefined) return { observed: (await runSeparateOperations(later, {})) ?? {} };
  try {
    const observed = hasBody ? await sendUpdate(change) : {};
    if (hasBody) run.note(ref, { written: "updated" });
    return await complete(later, { ...first, ...observed }, "was updated in part");
  } catch (error) {
    if (first === undefined) throw error;
    return { observed: first, initializationError: partly(ref, error) };
  }
}

function partly({ kind, id }: ResourceRef, error: unknown): string {
  return withCode(`The ${kind.words.noun} ${id} was updated in part: ${messageOf(error)}`, "unfinished");
}

/** Sends an update. It is done once a response, or else a read, has what was sent. */
export async function sendUpdate(change: ObjectUpdate): Promise<Observed> {
  const { context, ref, args, names } = change;
  const { kind, id } = ref;
  const { reusesAddresses } = kind.behavior;
  const sendsMore = Object.values(kind.arguments).some(({ inEveryUpdate }) => inEveryUpdate);
  const body = sendsMore ? await everything(change) : encode(kind, args, names);
  const of = `of the ${kind.words.noun} ${id}`;
  return resultOf({
    send: async () => kind.behavior.update?.(context, { ...ref, wanted: args }, body),
    accept(response) {
      if (response === undefined) throw missingUpdate(kind, id);
      requireOwn(ref, response, "the update", [...names]);
      const observed = decode(kind, response);
      const others = notAsSent(kind, args, observed, names);
      if (others.length === 0) return observed;
      throw new Error(
        // Error no-effect: The API responded with success to a change, and neither the response nor a read has the new
        // value.
        // Fix: Run `pulumi up --refresh`. If that repeats, write the value as the API has it, or look for a proxy or
        // cache that answers in place of the API.
        withCode(
          `The API responded with success to the update ${of}, but still has other values of ${others.join(", ")}. Run ` +
            "pulumi up --refresh. If that repeats, the API does not take these values as they are written.",
          "no-effect",
        ),
      );
    },
    async look(lost, error) {
      const live = await getOwn(context, ref).catch((failure: unknown) => {
        // The update may have given it another address, by which the next try finds it.
        if (reusesAddresses && isMissing(failure)) return undefined;
        if (!lost.at(-1)?.ended) throw error;
        const text = `${messageOf(error)} The ${kind.words.noun} could not be read: ${messageOf(failure)}`;
        throw new Error(text, { cause: error });
      });
      if (live === undefined) return undefined;
      const observed = decode(kind, live);
      return notAsSent(kind, args, observed, names).length === 0 ? observed : undefined;
    },
    repeats: reusesAddresses ? "looked up" : "by the client",
    pause: context.pause,
  });
}

/** Returns a body with what changes, as the program says, and what every update sends, as the service has it. */
async function everything({ context, ref, args, names }: ObjectUpdate): Promise<object> {
  const { kind } = ref;
  const live = await getOwn(context, ref);
  const observed = live === undefined ? {} : decode(kind, live);
  requireConfirmed(kind, ref.id, args, observed);
  const sent = Object.entries(kind.arguments).filter(
    ([name, field]) => names.has(name) || field.inEveryUpdate,
  );
  const kept = sent
    .filter(([name]) => !names.has(name))
    .map(([name, field]) => {
      if (!(name in observed)) return [name, args[name] ?? reveal(ref.known[name]) ?? undefined];
      // An empty text is observed as unset.
      return [name, observed[name] ?? (field.default === "" ? "" : args[name])];
    });
  const values: Arguments = { ...args, ...Object.fromEntries(kept) };
  return encode(
    kind,
    values,
    new Set(sent.map(([name]) => name).filter((name) => values[name] !== undefined || names.has(name))),
  );
}

/**
 * Returns why an object takes no update, if somebody has changed what must come before one since the state was read: the
 * refusal itself may speak of fields, none of which is wrong.
 */
async function hindered(
  { context, ref, args, names }: ObjectUpdate,
  error: unknown,
): Promise<Error | undefined> {
  const { kind, id } = ref;
  const first = Object.keys(kind.arguments).filter(
    (name) => kind.arguments[name]?.isFirst && !names.has(name),
  );
  if (!(error instanceof ValidationError) || first.length === 0) return undefined;
  const live = await getOwn(context, ref).catch(() => undefined);
  const observed = live === undefined ? {} : decode(kind, live);
  const name = first.find((one) => isKept(kind, one, args, observed) === false);
  if (name === undefined) return undefined;
  const found = quoted(observed[name]);
  return new Error(
    `${kind.name}: the ${kind.words.noun} ${id} was not updated (422: ${error.serviceMessage}), because somebody changed its ` +
      `${name} to ${found}. pulumi up --refresh changes that back first. To leave it so, give ${name}: ${found}.`,
  );
}

function missingUpdate(kind: AnyKind, id: string, cause?: unknown): Error {
  const { noun } = kind.words;
  return new Error(
    `${kind.name}: the ${noun} ${id} could not be updated. The API has no such ${noun}: it was probably deleted. ` +
      `pulumi up --refresh creates it again${kind.hidden ? ", or says why it stays in state" : ""}.${cause === undefined ? "" : ` ${messageOf(cause)}`}`,
    { cause },
  );
}
