import type { Address, AnyKind } from "../resources/kind.js";
import { findAdopted, mismatches } from "./adoption.js";
import { decode, encode, reconcile } from "./codec.js";
import type { Properties } from "./engine-values.js";
import { sameArgument } from "./equality.js";
import { messageOf } from "./errors.js";
import { findCreated } from "./lost-answer.js";
import { Ownership } from "./ownership.js";
import type { Session } from "./session.js";
import { argumentsOf, IMPORT, ORGANIZATION, parentOf } from "./state.js";

/** An object that exists now. */
export interface Created {
  readonly id: string;
  readonly outs: Properties;
  /** It exists, but something that belongs to it failed: why. */
  readonly initializationError?: string;
}

/** Creates an object, or adopts the one that the import option names. */
export async function create(session: Session, kind: AnyKind, inputs: Properties): Promise<Created> {
  const organization = String(inputs[ORGANIZATION] ?? session.settings.organization);
  const args = argumentsOf(kind, inputs);
  const name = inputs[IMPORT];
  if (typeof name === "string") return adopt(session, kind, organization, name, args);

  const context = session.context(organization);
  const where = { organization, kind, parent: parentOf(kind, args) };
  return session.collections.writing(where, async () => {
    const answer = await kind.calls.create(context, where, encode(kind, args));
    let told = decode(kind, answer);
    let failure: unknown;
    let id = kind.identify(answer);
    try {
      if (kind.isTerse?.(answer)) {
        const whole = await findCreated(session, where, args, id);
        id = kind.identify(whole);
        told = { ...told, ...decode(kind, whole) };
      }
      const applied = await apply(session, kind, { ...where, id, known: told }, args, told);
      told = { ...told, ...applied };
    } catch (error) {
      if (!id) throw error;
      failure = error;
    }
    const { outs } = reconcile(kind, { organization }, args, told, {}, told);
    if (failure === undefined) return { id, outs };
    return {
      id,
      outs,
      initializationError: `The ${kind.noun} ${id} exists, but is not finished: ${messageOf(failure)}`,
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
  told: Properties,
  names: ReadonlySet<string> = new Set(Object.keys(kind.arguments)),
): Promise<Properties> {
  let after: Properties = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    if (field.apply === undefined || !names.has(name) || args[name] === undefined) continue;
    if (name in told && sameArgument(kind, name, args[name], told[name])) continue;
    const answer = await field.apply(session.context(address.organization), address, args);
    after = { ...after, ...decode(kind, answer) };
  }
  return after;
}

async function adopt(
  session: Session,
  kind: AnyKind,
  organization: string,
  name: string,
  args: Properties,
): Promise<Created> {
  const adopted = await findAdopted(session, organization, kind, name);
  // What the preview could not know, as an id of another resource, is known by now.
  const differences = mismatches(kind, args, adopted, new Set());
  if (differences.length > 0) {
    throw new Error(
      `${kind.name}.import: the ${kind.noun} ${adopted.id} differs from the arguments: ${differences.join("; ")}.`,
    );
  }
  if (kind.adoptedWithoutSecret !== undefined) {
    session.warn(`adopted the ${kind.noun} ${adopted.id}: ${kind.adoptedWithoutSecret}`);
  }
  const identity = { organization, import: name, adoption: Ownership.mark() };
  const { outs } = reconcile(kind, identity, args, adopted.told, {});
  session.ownership.note(organization, kind, adopted.id, outs);
  return { id: adopted.id, outs };
}
