import { mayHaveBeenCarriedOut } from "../client/index.js";
import { IMPORT, ORGANIZATION, SECRETS } from "../protocol/properties.js";
import type { Properties } from "../protocol/values.js";
import type { Address, Context } from "../resources/calls.js";
import type { AnyKind } from "../resources/kind.js";
import { decode, encode, reconcile } from "./codec.js";
import { apply } from "./create.js";
import { changedNames } from "./equality.js";
import { messageOf } from "./errors.js";
import { withMarks } from "./marks.js";
import { missingUpdate } from "./missing-update.js";
import { isMissing, type Session } from "./session.js";
import { argumentsOf, identityIn, managedArguments, parentOf } from "./state.js";
import { hasWhatWasSent } from "./what-was-sent.js";

/** An object after an update. */
export interface Updated {
  readonly outs: Properties;
  /** It was updated in part: why not in whole. */
  readonly initializationError?: string;
}

/** Sends what changed. A change that concerns the state only, as a removed import option, sends nothing. */
export async function update(
  session: Session,
  kind: AnyKind,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<Updated> {
  const organization = String(olds[ORGANIZATION] ?? news[ORGANIZATION] ?? session.settings.organization);
  const where = { organization, kind, parent: parentOf(kind, olds) };
  const address = { ...where, id, known: olds };
  const context = session.context(organization);
  const args = argumentsOf(kind, news);
  const names = changedNames(kind, managedArguments(kind, olds), args);
  const body = encode(kind, args, names);
  const sends = Object.keys(body).length > 0;

  const updating = session.collections.writing(where, async () => {
    let observed: Properties = {};
    if (sends) {
      const sent = kind.updatesSendAll ? await everything(context, kind, address, args, names) : body;
      observed = decode(kind, await send(context, kind, address, args, sent));
      session.run.note(address, { updated: true });
    }
    let failure: unknown;
    try {
      observed = { ...observed, ...(await apply(session, kind, address, args, observed, names)) };
    } catch (error) {
      if (!sends) throw error;
      failure = error;
    }
    const identity = { ...identityIn(olds, organization), import: news[IMPORT], secrets: news[SECRETS] };
    const reconciled = reconcile(kind, identity, args, observed, olds);
    // Nothing told, nothing observed: the state keeps the marks that it has.
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

/** Sends an update. An answer that is no use, or lost after all, is replaced by a read that shows what came of it. */
async function send(
  context: Context,
  kind: AnyKind,
  address: Address,
  args: Properties,
  body: Properties,
): Promise<object> {
  let failure: unknown;
  try {
    const answer = await kind.calls.update?.(context, address, body);
    if (answer === undefined) throw missingUpdate(kind, address.id);
    if (!kind.isTerse?.(answer) && kind.identify(answer) === address.id) return answer;
    failure = new Error(
      `The answer to the update of the ${kind.words.noun} ${address.id} describes another object.`,
    );
  } catch (error) {
    if (!mayHaveBeenCarriedOut(error)) throw error;
    failure = error;
  }
  const live = await kind.calls.get(context, address).catch(() => undefined);
  if (live === undefined || !hasWhatWasSent(kind, args, decode(kind, live))) throw failure;
  return live;
}

/** A body with every property: what changed as the program says, the rest as the service has it where it tells. */
async function everything(
  context: Context,
  kind: AnyKind,
  address: Address,
  args: Properties,
  names: ReadonlySet<string>,
): Promise<Properties> {
  const live = await kind.calls.get(context, address);
  const observed = live === undefined ? {} : decode(kind, live);
  const kept = Object.keys(kind.arguments).filter((name) => !names.has(name) && observed[name] !== undefined);
  return encode(kind, { ...args, ...Object.fromEntries(kept.map((name) => [name, observed[name]])) });
}
