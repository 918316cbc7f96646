import { mayHaveBeenCarriedOut } from "../client/index.js";
import { IMPORT, ORGANIZATION, SECRETS } from "../protocol/properties.js";
import type { Properties } from "../protocol/values.js";
import type { Address, Context } from "../resources/calls.js";
import type { AnyKind } from "../resources/kind.js";
import { findAdopted, importedWords } from "./adoption.js";
import { decode, reconcile } from "./codec.js";
import { createOnce } from "./create-once.js";
import { sameArgument } from "./equality.js";
import { messageOf } from "./errors.js";
import { withMarks } from "./marks.js";
import { mismatches } from "./mismatches.js";
import { Ownership } from "./ownership.js";
import type { Session } from "./session.js";
import { argumentsOf, parentOf } from "./state.js";

/** An object that exists now. */
export interface Created {
  readonly id: string;
  readonly outs: Properties;
  /** It exists, but something that belongs to it failed: why. */
  readonly initializationError?: string;
}

/** Creates an object, or imports the one that the option `import` names. */
export async function create(session: Session, kind: AnyKind, inputs: Properties): Promise<Created> {
  const organization = String(inputs[ORGANIZATION] ?? session.settings.organization);
  const args = argumentsOf(kind, inputs);
  const name = inputs[IMPORT];
  if (typeof name === "string") return adopt(session, kind, organization, name, args, inputs[SECRETS]);

  const where = { organization, kind, parent: parentOf(kind, args) };
  return session.collections.writing(where, async () => {
    const { id, observed: answered } = await createOnce(session, kind, organization, inputs, args);
    let observed = answered;
    let failure: unknown;
    try {
      observed = {
        ...observed,
        ...(await apply(session, kind, { ...where, id, known: observed }, args, observed)),
      };
    } catch (error) {
      failure = error;
    }
    const reconciled = reconcile(
      kind,
      { organization, secrets: inputs[SECRETS] },
      args,
      observed,
      {},
      observed,
    );
    const outs = await withMarks(session, kind, reconciled.outs);
    if (failure === undefined) return { id, outs };
    return {
      id,
      outs,
      initializationError: `The ${kind.words.noun} ${id} exists, but is not finished: ${messageOf(failure)}`,
    };
  });
}

/**
 * Carries out the operations of arguments that have one of their own, where the service does not have the value yet.
 * @returns what the service says after that
 */
export async function apply(
  session: Session,
  kind: AnyKind,
  address: Address & { readonly organization: string },
  args: Properties,
  observed: Properties,
  names: ReadonlySet<string> = new Set(Object.keys(kind.arguments)),
): Promise<Properties> {
  let after: Properties = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (field.apply === undefined || !names.has(name) || args[name] === undefined) continue;
    if (name in observed && sameArgument(kind, name, args[name], observed[name])) continue;
    after = {
      ...after,
      ...(await applied(session.context(address.organization), kind, address, args, name)),
    };
  }
  return after;
}

/** Carries out the operation of one argument. Where its answer is lost, a read shows whether it was done. */
async function applied(
  context: Context,
  kind: AnyKind,
  address: Address,
  args: Properties,
  name: string,
): Promise<Properties> {
  try {
    const answer = await kind.arguments[name]?.apply?.(context, address, args);
    if (answer !== undefined && kind.identify(answer) === address.id) return decode(kind, answer);
    throw new Error(
      `The answer to ${name} of the ${kind.words.noun} ${address.id} describes another object.`,
    );
  } catch (error) {
    if (!mayHaveBeenCarriedOut(error)) throw error;
    const live = await kind.calls.get(context, address).catch(() => undefined);
    const observed = live === undefined ? {} : decode(kind, live);
    if (!sameArgument(kind, name, args[name], observed[name])) throw error;
    return observed;
  }
}

async function adopt(
  session: Session,
  kind: AnyKind,
  organization: string,
  name: string,
  args: Properties,
  secrets: unknown,
): Promise<Created> {
  const adopted = await findAdopted(session, organization, kind, name);
  // What the preview could not know, as an id of another resource, is known by now.
  const differences = await mismatches(kind, args, adopted, new Set(), () => false);
  if (differences.length > 0) {
    throw new Error(
      `${kind.name}.import: the ${kind.words.noun} ${adopted.id} differs from the arguments: ${differences.join("; ")}.`,
    );
  }
  session.inform(`imported the ${importedWords(kind, name, adopted.id)}, nothing was created`);
  if (kind.importedWithoutSecret !== undefined) {
    session.warn(`the ${kind.words.noun} ${adopted.id} was imported: ${kind.importedWithoutSecret}`);
  }
  const identity = { organization, import: name, adoption: Ownership.mark(), secrets };
  const reconciled = reconcile(kind, identity, args, adopted.observed, {});
  const outs = await withMarks(session, kind, reconciled.outs);
  session.ownership.noteImported({ organization, kind, id: adopted.id }, outs);
  return { id: adopted.id, outs };
}
