import { randomUUID } from "node:crypto";
import type { AnyKind } from "../../kind/kind.js";
import { findImported, type ImportQuery } from "../imports/find-imported.js";
import { mismatches } from "../imports/mismatches.js";
import { createOnce } from "../lost-writes/create-once.js";
import { withMarks } from "../missing/marks.js";
import { withoutSecrets } from "../run/errors.js";
import type { Session } from "../run/session.js";
import { reconcile } from "../values/codec.js";
import { type Inputs, organizationOf, parentOf } from "../values/state.js";
import { importedWords } from "./import-match.js";
import { complete, type Recorded } from "./separate-operations.js";

export function create(session: Session, kind: AnyKind, inputs: Inputs): Promise<Recorded> {
  return withoutSecrets(kind, [inputs], () => createOrImport(session, kind, inputs));
}

async function createOrImport(session: Session, kind: AnyKind, inputs: Inputs): Promise<Recorded> {
  const { args, secretNames } = inputs;
  const organization = organizationOf(session.settings, inputs);
  if (typeof inputs.import === "string")
    return importExisting(session, { organization, kind, name: inputs.import, declared: args }, inputs);

  const where = { organization, kind, parent: parentOf(kind, args) };
  return session.service.collections.writing(where, async () => {
    const { id, observed: returned } = await createOnce(session, where, inputs);
    const write = {
      context: session.service.context(organization),
      ref: { ...where, id, known: returned },
      args,
    };
    const { observed, ...failure } = await complete(write, returned, "exists, but is not finished");
    const { outs } = reconcile(kind, { organization, secretNames, args }, observed, observed);
    return { id, outs: await withMarks(session.service, kind, outs), ...failure };
  });
}

async function importExisting(
  session: Session,
  query: ImportQuery,
  { args, secretNames }: Inputs,
): Promise<Recorded> {
  const { organization, kind, name } = query;
  const { id, observed } = await findImported(session.service, query);
  // Values that the preview could not know, such as ids of other resources, are known now.
  const differences = await mismatches(kind, args, observed, { mayQuote: () => false });
  if (differences.length > 0) {
    throw new Error(
      `${kind.name}.import: the ${kind.words.noun} ${id} differs from the arguments: ${differences.map(({ text }) => text).join("; ")}.`,
    );
  }
  session.reporter.inform(`imported the ${importedWords(kind, name, id)}, nothing was created`);
  if (kind.importedWithoutSecret !== undefined) {
    session.reporter.warn(`the ${kind.words.noun} ${id} was imported: ${kind.importedWithoutSecret}`);
  }
  const entry = { organization, import: name, importMark: randomUUID().slice(0, 8), secretNames, args };
  const { outs } = reconcile(kind, entry, observed);
  session.entries.noteImported({ organization, kind, id }, entry);
  return { id, outs: await withMarks(session.service, kind, outs) };
}
