import { IMPORT, ORGANIZATION } from "../protocol/properties.js";
import { isUnknown, type Properties } from "../protocol/values.js";
import type { AnyKind } from "../resources/kind.js";
import { type Adopted, findAdopted } from "./adoption.js";
import { alreadyManaged } from "./check.js";
import { changedNames } from "./equality.js";
import { guardOrganization } from "./organization.js";
import type { Session } from "./session.js";
import { argumentsOf, managedArguments } from "./state.js";

const RENAME_WITH_IMPORT =
  "existing objects are imported. Where a resource was only renamed in the program, use " +
  '{ aliases: [{ name: "<old name>" }] } instead of import: a deletion of the old entry by --target, or by another ' +
  "provider instance, deletes the object.";

/** What a change of inputs means for the object. */
export interface Difference {
  readonly changed: boolean;
  /** Names of the arguments that change. */
  readonly names: ReadonlySet<string>;
  /** Names of what forces a replacement. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/**
 * Tells what a change means, and refuses what cannot or must not be done. Only known values are judged: a
 * replaced parent and `destroy --target` ask with unknown ones.
 *
 * @param outs outputs in state
 * @param news checked inputs of the program
 */
export async function diff(
  session: Session,
  kind: AnyKind,
  id: string,
  outs: Properties,
  news: Properties,
): Promise<Difference> {
  const organization = String(outs[ORGANIZATION] ?? session.settings.organization);
  const key = { organization, kind, id };
  const { ownership, run, urn } = session;
  const ofProgram = ownership.isOfProgram(kind, urn, news);
  if (ofProgram && !ownership.plan(key, kind, outs, urn)) throw new Error(alreadyManaged(kind, id, id));
  if (ofProgram && ownership.isEngineImport(urn)) session.warnOnce(RENAME_WITH_IMPORT);
  const old = managedArguments(kind, outs);
  const next = argumentsOf(kind, news);
  const names = changedNames(kind, old, next);
  // What refers to an object that is deleted before it is replaced must go before it: a default queue cannot be
  // deleted while it is one.
  const replaces = [...names].filter(
    (name) =>
      kind.arguments[name]?.replaces ||
      (isUnknown(next[name]) && run.some(old[name], ({ deletedFirst }) => deletedFirst === true)),
  );
  const certain = replaces.filter((name) => !isUnknown(next[name]));

  if (guardOrganization(session, kind, outs, news[ORGANIZATION])) {
    replaces.push(ORGANIZATION);
    certain.push(ORGANIZATION);
  }
  await guardImport(session, kind, id, outs, news, certain);
  if (replaces.length === 0) {
    for (const name of names) guardCreationOnly(session, kind, id, name, old, next);
    if (ofProgram) {
      run.note(key, { kept: true });
      ownership.noteImported(key, outs);
      if (kind.unique !== undefined && names.has(kind.unique)) run.note(key, { renamed: true });
    }
  }
  const deleteBeforeReplace = replaces.length > 0 && (kind.deleteBeforeReplace?.(old, next) ?? false);
  if (deleteBeforeReplace) run.note(key, { deletedFirst: true });
  return {
    changed: names.size > 0 || replaces.length > 0 || outs[IMPORT] !== news[IMPORT],
    names,
    replaces,
    deleteBeforeReplace,
  };
}

/**
 * Refuses a change that only a creation could carry out. Where it follows from something that is made anew in the same
 * deployment, refusing it would stop halfway: then it is a warning, and the state takes the new value.
 */
function guardCreationOnly(
  session: Session,
  kind: AnyKind,
  id: string,
  name: string,
  old: Properties,
  next: Properties,
): void {
  const advice = kind.arguments[name]?.creationOnly;
  if (typeof advice !== "string" || next[name] === undefined) return;
  const said = `${kind.name}.${name}: ${advice}`;
  if (isUnknown(next[name])) {
    session.warn(`${said} Its value is not known yet. The ${kind.words.noun} ${id} keeps its current value.`);
  } else if (madeAnew(session, next[name])) {
    session.warn(
      `${said} The ${kind.words.noun} ${id} keeps its current value, and state records the new one.`,
    );
  } else if (old[name] !== undefined || next[name] !== undefined) {
    throw new Error(said);
  }
}

/** Whether a value holds the id of something that this process created. */
function madeAnew(session: Session, value: unknown): boolean {
  if (Array.isArray(value)) return value.some((entry) => madeAnew(session, entry));
  return session.run.some(value, ({ created }) => created === true);
}

/**
 * An imported object must not be replaced while the option is set: the replacement would import it again, and
 * the deletion of the old entry would meet the same object.
 */
async function guardImport(
  session: Session,
  kind: AnyKind,
  id: string,
  outs: Properties,
  news: Properties,
  replaces: readonly string[],
): Promise<void> {
  const before = outs[IMPORT];
  const after = news[IMPORT];
  if ((before === undefined && after === undefined) || isUnknown(after)) return;
  const named =
    typeof after === "string" && after !== before && !session.settings.offline
      ? await findNamed(session, kind, outs, after)
      : undefined;
  // Another object than the one that is replaced: it was made by a creation whose answer was lost.
  if (replaces.length > 0 && named !== undefined && named.id !== id && before === undefined) return;
  if (replaces.length > 0) {
    const how =
      after === undefined
        ? "Deploy the removal of the import option by itself first, then make this change"
        : "Remove the import option first and deploy, then make this change";
    throw new Error(
      `${kind.name}: a change of ${replaces.join(", ")} would replace the imported ${kind.words.noun} ${id}. ${how}.`,
    );
  }
  if (named !== undefined && named.id !== id) {
    throw new Error(
      `${kind.name}.import: ${JSON.stringify(after)} is the ${kind.words.noun} ${named.id}, but this resource is ` +
        `already ${id}. Declare a separate resource for the other one, or remove the import option.`,
    );
  }
}

function findNamed(session: Session, kind: AnyKind, outs: Properties, name: string): Promise<Adopted> {
  return findAdopted(session, String(outs[ORGANIZATION]), kind, name);
}
