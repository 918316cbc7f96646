import type { AnyKind } from "../resources/kind.js";
import type { Outputs } from "../resources/value-roles.js";
import { reconcile } from "./codec.js";
import { createOnce } from "./create-once.js";
import { messageOf } from "./errors.js";
import { findImported, importedWords } from "./import-option.js";
import { withMarks } from "./marks.js";
import { mismatches } from "./mismatches.js";
import { ProgramEntries } from "./program-entries.js";
import { runSeparateOperations } from "./separate-operations.js";
import type { Session } from "./session.js";
import { type Inputs, organizationOf, parentOf } from "./state.js";

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
      observed = {
        ...observed,
        ...(await runSeparateOperations(session, { ...where, id }, { args, observed })),
      };
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
