import { mayHaveBeenCarriedOut } from "../client/index.js";
import type { AnyKind } from "../resources/kind.js";
import type { Arguments, Observed, Outputs } from "../resources/value-roles.js";
import { decode } from "./codec.js";
import { sameArgument } from "./equality.js";
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

/** Carries out the operation of one argument. If its response is lost, a read shows whether it was carried out. */
async function runOperation(
  session: Session,
  ref: ResourceRef,
  { args, observed, known = observed }: OperationValues,
  { name, apply }: { readonly name: string; readonly apply: Apply },
): Promise<Observed> {
  const { kind, id } = ref;
  const context = session.service.context(ref.organization);
  const address = { ...ref, known };
  try {
    const response = await apply(context, address, args);
    if (kind.identify(response) === id) return decode(kind, response);
    throw new Error(
      `The response to ${name} of the ${kind.words.noun} ${id} describes another object. Check that baseUrl is the ` +
        "address of the API, then run pulumi up --refresh.",
    );
  } catch (error) {
    if (!mayHaveBeenCarriedOut(error)) throw error;
    const live = await kind.calls.get(context, address).catch(() => undefined);
    const found = live === undefined ? {} : decode(kind, live);
    if (!sameArgument(kind, name, args[name], found[name])) throw error;
    return found;
  }
}
