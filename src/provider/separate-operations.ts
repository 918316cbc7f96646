import type { AnyKind } from "../resources/kind.js";
import type { Arguments, Observed, Outputs } from "../resources/value-roles.js";
import { resultOf } from "../resources/write.js";
import { decode } from "./codec.js";
import { sameArgument } from "./equality.js";
import { messageOf } from "./errors.js";
import type { ResourceRef } from "./resource-ref.js";
import type { Session } from "./session.js";

/** The values that separate operations need. */
interface OperationValues {
  readonly args: Arguments;
  /** The service's values so far. */
  readonly observed: Observed;
  /** The known values of the object. Default: the service's. */
  readonly known?: Observed | Outputs;
  /** The arguments to carry out. Default: all. */
  readonly names?: ReadonlySet<string>;
}

/** The operation that carries out one argument. */
type Apply = NonNullable<AnyKind["arguments"][string]["apply"]>;

/** Values of an object that exists, and why it isn't as it should be. */
export interface Completed {
  readonly observed: Observed;
  readonly initializationError?: string;
}

/**
 * Completes an object that was just written. It exists, so a failure isn't thrown: the state must record it.
 *
 * @param failing words about the object after a failure
 */
export async function complete(
  session: Session,
  ref: ResourceRef,
  values: OperationValues,
  failing: string,
): Promise<Completed> {
  try {
    return { observed: { ...values.observed, ...(await runSeparateOperations(session, ref, values)) } };
  } catch (error) {
    const initializationError = `The ${ref.kind.words.noun} ${ref.id} ${failing}: ${messageOf(error)}`;
    return { observed: values.observed, initializationError };
  }
}

/**
 * Sends the arguments that have a separate operation, such as pausing, where the service does not have the value yet.
 *
 * @returns what the service returned
 */
export async function runSeparateOperations(
  session: Session,
  ref: ResourceRef,
  values: OperationValues,
): Promise<Observed> {
  const { args, observed, names } = values;
  let after: Observed = {};
  for (const [name, field] of Object.entries(ref.kind.arguments)) {
    const { apply } = field;
    if (apply === undefined || names?.has(name) === false || args[name] === undefined) continue;
    if (name in observed && sameArgument(ref.kind, name, args[name], observed[name])) continue;
    after = { ...after, ...(await runOperation(session, ref, values, { name, apply })) };
  }
  return after;
}

/** Carries out the operation of one argument. */
function runOperation(
  session: Session,
  ref: ResourceRef,
  { args, observed, known = observed }: OperationValues,
  { name, apply }: { readonly name: string; readonly apply: Apply },
): Promise<Observed> {
  const { kind, id } = ref;
  const context = session.service.context(ref.organization);
  const address = { ...ref, known };
  const isDone = (found: Observed) => sameArgument(kind, name, args[name], found[name]);
  return resultOf({
    send: () => apply(context, address, args),
    accept(response) {
      if (kind.identify(response) !== id)
        throw new Error(
          `The response to ${name} of the ${kind.words.noun} ${id} describes another object. Check that baseUrl is the ` +
            "address of the API, then run pulumi up --refresh.",
        );
      const found = decode(kind, response);
      if (isDone(found)) return found;
      throw new Error(
        `The API responded with success to ${name} of the ${kind.words.noun} ${id}, but has another value. Run ` +
          "pulumi up --refresh.",
      );
    },
    async look(_, error) {
      const live = await kind.calls.get(context, address).catch(() => {
        throw error;
      });
      const found = live === undefined ? {} : decode(kind, live);
      return isDone(found) ? found : undefined;
    },
    repeats: "never",
  });
}
