import { mayHaveBeenCarriedOut } from "../client/index.js";
import type { AnyKind } from "../resources/kind.js";
import { decode, reconcile } from "./codec.js";
import { createOnce } from "./create-once.js";
import { sameArgument } from "./equality.js";
import { messageOf } from "./errors.js";
import { findImported, importedWords } from "./import-option.js";
import { withMarks } from "./marks.js";
import { mismatches } from "./mismatches.js";
import { ProgramEntries } from "./program-entries.js";
import type { ResourceRef } from "./resource-ref.js";
import type { Session } from "./session.js";
import { type Inputs, organizationOf, parentOf } from "./state.js";
import type { Arguments, Observed, Outputs } from "./values.js";

/** An object that exists now. */
export interface Created {
  readonly id: string;
  readonly outs: Outputs;
  /** It exists, but something that belongs to it failed: why. */
  readonly initializationError?: string;
}

/** Creates an object, or imports the one that the option `import` names. */
export async function create(session: Session, kind: AnyKind, inputs: Inputs): Promise<Created> {
  const { args, secretNames } = inputs;
  const organization = organizationOf(session.settings, inputs);
  if (typeof inputs.import === "string")
    return importExisting(session, kind, { ...inputs, organization, name: inputs.import });

  const where = { organization, kind, parent: parentOf(kind, args) };
  return session.service.collections.writing(where, async () => {
    const { id, observed: returned } = await createOnce(session, where, inputs);
    let observed = returned;
    let failure: unknown;
    try {
      observed = { ...observed, ...(await apply(session, { ...where, id }, { args, observed })) };
    } catch (error) {
      failure = error;
    }
    const identity = { organization, secretNames };
    const reconciled = reconcile(kind, { identity, args, observed, oneTime: observed });
    const outs = await withMarks(session, kind, reconciled.outs);
    if (failure === undefined) return { id, outs };
    return {
      id,
      outs,
      initializationError: `The ${kind.words.noun} ${id} exists, but is not finished: ${messageOf(failure)}`,
    };
  });
}

/** The values that operations of arguments need. */
interface Application {
  readonly args: Arguments;
  /** The service's values so far. */
  readonly observed: Observed;
  /** The known values of the object. Default: the service's. */
  readonly known?: Observed | Outputs;
  /** The arguments to carry out. Default: all. */
  readonly names?: ReadonlySet<string>;
}

/**
 * Carries out the operations of arguments that have one of their own, where the service does not have the value yet.
 *
 * @returns what the service returned
 */
export async function apply(session: Session, ref: ResourceRef, application: Application): Promise<Observed> {
  const { args, observed, names } = application;
  let after: Observed = {};
  for (const [name, field] of Object.entries(ref.kind.arguments)) {
    if (field.apply === undefined || names?.has(name) === false || args[name] === undefined) continue;
    if (name in observed && sameArgument(ref.kind, name, args[name], observed[name])) continue;
    after = { ...after, ...(await applied(session, ref, application, name)) };
  }
  return after;
}

/** Carries out the operation of one argument. If its response is lost, a read shows whether it was carried out. */
async function applied(
  session: Session,
  ref: ResourceRef,
  { args, observed, known = observed }: Application,
  name: string,
): Promise<Observed> {
  const { kind, id } = ref;
  const context = session.service.context(ref.organization);
  const address = { ...ref, known };
  try {
    const response = await kind.arguments[name]?.apply?.(context, address, args);
    if (response !== undefined && kind.identify(response) === id) return decode(kind, response);
    throw new Error(`The response to ${name} of the ${kind.words.noun} ${id} describes another object.`);
  } catch (error) {
    if (!mayHaveBeenCarriedOut(error)) throw error;
    const live = await kind.calls.get(context, address).catch(() => undefined);
    const found = live === undefined ? {} : decode(kind, live);
    if (!sameArgument(kind, name, args[name], found[name])) throw error;
    return found;
  }
}

async function importExisting(
  session: Session,
  kind: AnyKind,
  {
    organization,
    name,
    args,
    secretNames,
  }: Inputs & { readonly organization: string; readonly name: string },
): Promise<Created> {
  const { id, observed } = await findImported(session, { organization, kind, name });
  // Values that the preview could not know, such as ids of other resources, are known now.
  const differences = await mismatches(kind, args, observed, { mayQuote: () => false });
  if (differences.length > 0) {
    throw new Error(
      `${kind.name}.import: the ${kind.words.noun} ${id} differs from the arguments: ${differences.join("; ")}.`,
    );
  }
  session.reporter.inform(`imported the ${importedWords(kind, name, id)}, nothing was created`);
  if (kind.importedWithoutSecret !== undefined) {
    session.reporter.warn(`the ${kind.words.noun} ${id} was imported: ${kind.importedWithoutSecret}`);
  }
  const identity = { organization, import: name, importMark: ProgramEntries.mark(), secretNames };
  const reconciled = reconcile(kind, { identity, args, observed });
  session.entries.noteImported({ organization, kind, id }, identity);
  return { id, outs: await withMarks(session, kind, reconciled.outs) };
}
