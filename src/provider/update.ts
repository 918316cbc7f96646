import { mayHaveBeenCarriedOut } from "../client/index.js";
import type { Address, Context } from "../resources/calls.js";
import type { AnyKind } from "../resources/kind.js";
import type { Arguments, Observed, Outputs } from "../resources/value-roles.js";
import { decode, encode, reconcile } from "./codec.js";
import { changedNames } from "./equality.js";
import { messageOf } from "./errors.js";
import { isMissing } from "./failures.js";
import { getOwn } from "./identity.js";
import { withMarks } from "./marks.js";
import { missingUpdate } from "./missing-update.js";
import type { ChangeRequest } from "./requests.js";
import type { ResourceRef } from "./resource-ref.js";
import { runSeparateOperations } from "./separate-operations.js";
import type { Session } from "./session.js";
import { organizationOf, refOf } from "./state.js";
import { hasWhatWasSent } from "./what-was-sent.js";

/** An object after an update. */
export interface Updated {
  readonly outs: Outputs;
  /** It was updated in part: why not in whole. */
  readonly initializationError?: string;
}

/** Sends what changed. A change that concerns the state only, as a removed import option, sends nothing. */
export async function update(session: Session, kind: AnyKind, request: ChangeRequest): Promise<Updated> {
  const { id, state, inputs } = request;
  const { args, secretNames } = inputs;
  const organization = organizationOf(session.settings, state, inputs);
  const ref = refOf(kind, organization, id, state);
  const target: Target = { ...ref, known: state.outputs };
  const context = session.service.context(organization);
  const names = changedNames(kind, state.args, args);
  const body = encode(kind, args, names);
  const sends = Object.keys(body).length > 0;

  const updating = session.service.collections.writing(ref, async () => {
    let observed: Observed = {};
    if (sends) {
      const sent = kind.updatesSendAll ? await everything(context, target, args, names) : body;
      observed = decode(kind, await sendUpdate(context, target, args, sent));
      session.run.note(ref, { updated: true });
    }
    let failure: unknown;
    try {
      observed = {
        ...observed,
        ...(await runSeparateOperations(session, ref, { args, observed, known: state.outputs, names })),
      };
    } catch (error) {
      if (!sends) throw error;
      failure = error;
    }
    const identity = { ...state, organization, import: inputs.import, secretNames };
    const reconciled = reconcile(kind, { identity, args, observed, old: state.outputs });
    // Without a response the state keeps the marks that it has.
    const isObserved = Object.keys(observed).length > 0;
    const outs = isObserved ? await withMarks(session, kind, reconciled.outs) : reconciled.outs;
    if (failure === undefined) return { outs };
    return {
      outs,
      initializationError: `The ${kind.words.noun} ${id} was updated in part: ${messageOf(failure)}`,
    };
  });
  return updating.catch((error: unknown) => {
    throw isMissing(error) ? missingUpdate(kind, id, error) : error;
  });
}

/** The object of an update. */
type Target = ResourceRef & Address;

/** Sends an update. If its response is lost or unusable, a read shows whether it was carried out. */
async function sendUpdate(context: Context, target: Target, args: Arguments, body: object): Promise<object> {
  const { kind, id } = target;
  let failure: unknown;
  try {
    const response = await kind.calls.update?.(context, target, body);
    if (response === undefined) throw missingUpdate(kind, id);
    if (!kind.isTerse?.(response) && kind.identify(response) === id) return response;
    failure = new Error(
      `The response to the update of the ${kind.words.noun} ${id} describes another object. Check that baseUrl is the ` +
        "address of the API, then run pulumi up --refresh.",
    );
  } catch (error) {
    if (!mayHaveBeenCarriedOut(error)) throw error;
    failure = error;
  }
  const live = await getOwn(kind, context, target).catch(() => undefined);
  if (live === undefined || !hasWhatWasSent(kind, args, decode(kind, live))) throw failure;
  return live;
}

/** Returns a body with every property: what changes as the program says, the rest as the service has it. */
async function everything(
  context: Context,
  target: Target,
  args: Arguments,
  names: ReadonlySet<string>,
): Promise<object> {
  const { kind } = target;
  const live = await getOwn(kind, context, target);
  const observed = live === undefined ? {} : decode(kind, live);
  const kept = Object.keys(kind.arguments).filter((name) => !names.has(name) && observed[name] !== undefined);
  return encode(kind, { ...args, ...Object.fromEntries(kept.map((name) => [name, observed[name]])) });
}
