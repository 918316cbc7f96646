import type { Properties } from "../protocol/encoded-values.js";
import { UNKNOWN_AT_IMPORT } from "../protocol/properties.js";
import type { AnyKind } from "../resources/kind.js";
import { type Reconciled, reconcile } from "./codec.js";
import { findImported, type ImportedObject } from "./import-option.js";
import { parentIn } from "./kinds.js";
import { withMarks } from "./marks.js";
import { read } from "./read.js";
import { type StateRequest, stateRequest } from "./requests.js";
import type { Session } from "./session.js";
import { notedAtImport, requiredAtImport, unspokenAtImport } from "./unknown-at-import.js";

/** An object that was read for a resource without state. */
export interface Named extends Reconciled {
  readonly id: string;
}

/**
 * Reads the object that a person or a program names: for an import by the engine, and for `X.get`. A name is whatever
 * the option `import` takes; the default queue of a cluster goes by the cluster's.
 *
 * @param given what the program says of it; nothing for an import
 */
export async function readNamed(
  session: Session,
  kind: AnyKind,
  name: string,
  given: Properties,
): Promise<Named> {
  const { organization } = session.settings;
  const find = (kind: AnyKind) => findImported(session, { organization, kind, name });
  const parent = parentIn(kind);
  if (kind.importing === undefined && parent !== undefined) {
    const { id } = await find(parent.parentKind);
    return known(session, kind, stateRequest(kind, id, { ...given, [parent.argument]: id }));
  }
  const isComplete =
    parent === undefined ? Object.keys(given).length > 0 : given[parent.argument] !== undefined;
  if (isComplete) return known(session, kind, stateRequest(kind, name, given));
  const imported = await find(kind);
  warnOfLoss(session, kind, imported);
  const { inputs, outs } = reconcile(kind, {
    identity: { organization, unknownAtImport: notedAtImport(kind, imported.observed) },
    args: {},
    observed: imported.observed,
  });
  const unspoken = unspokenAtImport(kind, imported.observed);
  return {
    id: imported.id,
    inputs: { ...inputs, ...(unspoken.length > 0 && { [UNKNOWN_AT_IMPORT]: unspoken }) },
    outs: await withMarks(session, kind, outs),
  };
}

async function known(session: Session, kind: AnyKind, request: StateRequest): Promise<Named> {
  const { id } = request;
  const reconciled = await read(session, kind, request);
  if (reconciled === undefined) throw new Error(`${kind.name}: there is no ${kind.words.noun} ${id}.`);
  const { inputs, outs } = reconciled;
  return { id, inputs, outs: await withMarks(session, kind, outs) };
}

/** Warns of values that an imported object lacks: its one-time secret, and arguments that the API doesn't return. */
function warnOfLoss(session: Session, kind: AnyKind, { id, observed }: ImportedObject): void {
  if (kind.importedWithoutSecret !== undefined) {
    session.reporter.warn(`read the ${kind.words.noun} ${id}: ${kind.importedWithoutSecret}`);
  }
  const required = requiredAtImport(kind, observed);
  if (required.length === 0) return;
  session.reporter.warn(
    `read the ${kind.words.noun} ${id}: the API doesn't return ${required.join(" and ")}, and every update sends them. ` +
      `If this stack manages it, add them with the values of the ${kind.words.noun} before any other change.`,
  );
}
