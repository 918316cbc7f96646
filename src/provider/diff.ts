import { isUnknown } from "../protocol/encoded-values.js";
import type { AnyKind } from "../resources/kind.js";
import { alreadyManaged, findImported } from "./import-option.js";
import { guardOrganization } from "./organization.js";
import { type Plan, plan } from "./plan.js";
import type { ChangeRequest } from "./requests.js";
import type { Session } from "./session.js";
import { organizationOf } from "./state.js";

const RENAME_WITH_IMPORT =
  "existing objects are imported. Where a resource was only renamed in the program, use " +
  '{ aliases: [{ name: "<old name>" }] } instead of import: a deletion of the old entry by --target, or by another ' +
  "provider instance, deletes the object.";

/**
 * Plans a change, and records what the plan says of the object for the other resources of the run.
 *
 * @throws where the change can't or must not be made
 */
export async function diff(session: Session, kind: AnyKind, request: ChangeRequest): Promise<Plan> {
  const { id, state, inputs } = request;
  const { entries, run, urn } = session;
  const key = { organization: organizationOf(session.settings, state), kind, id };
  const ofProgram = entries.isOfProgram(kind, urn, inputs);
  if (ofProgram && !entries.plan(key, kind, state, urn)) throw new Error(alreadyManaged(kind, id, id));
  if (ofProgram && entries.isEngineImport(urn)) session.reporter.warnOnce(RENAME_WITH_IMPORT);
  const movesOrganization = guardOrganization(session, kind, state.organization, inputs.organization);
  const planned = plan(kind, request, {
    movesOrganization,
    namedId: await idOfNewImport(session, kind, key.organization, request),
    isCreated: (value) => run.some(value, ({ created }) => created === true),
    isDeletedFirst: (value) => run.some(value, ({ deletedFirst }) => deletedFirst === true),
  });
  for (const warning of planned.warnings) session.reporter.warn(warning);
  if (planned.refusal !== undefined) throw new Error(planned.refusal);
  if (ofProgram && planned.replaces.length === 0) {
    run.note(key, { kept: true, ...(planned.renames && { renamed: true }) });
    entries.noteImported(key, state);
  }
  if (planned.deleteBeforeReplace) run.note(key, { deletedFirst: true });
  return planned;
}

/** Finds the object that the option `import` names, where its value is new. */
async function idOfNewImport(
  session: Session,
  kind: AnyKind,
  organization: string,
  { state, inputs }: ChangeRequest,
): Promise<string | undefined> {
  const name = inputs.import;
  if (typeof name !== "string" || isUnknown(name) || name === state.import || session.settings.offline)
    return undefined;
  return (await findImported(session, { organization, kind, name })).id;
}
