import type { AnyKind } from "../resources/kind.js";
import { findAdopted } from "./adoption.js";
import { isUnknown, type Properties } from "./engine-values.js";
import { changedNames } from "./equality.js";
import type { Session } from "./session.js";
import { argumentsOf, IMPORT, managedArguments, ORGANIZATION } from "./state.js";

/** What a change of inputs means for the object. */
export interface Difference {
  readonly changed: boolean;
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
  const old = managedArguments(kind, outs);
  const next = argumentsOf(kind, news);
  const names = changedNames(kind, old, next);
  // What refers to an object that is deleted before it is replaced must go before it: a default queue cannot be
  // deleted while it is one.
  const replaces = [...names].filter(
    (name) =>
      kind.arguments[name]?.replaces || (isUnknown(next[name]) && session.deletedFirst.has(old[name])),
  );
  const certain = replaces.filter((name) => !isUnknown(next[name]));

  if (organizationChanged(session, kind, outs, news)) {
    replaces.push(ORGANIZATION);
    certain.push(ORGANIZATION);
  }
  await guardImport(session, kind, id, outs, news, certain);
  if (replaces.length === 0) {
    const known = Object.entries(next).filter(([, value]) => !isUnknown(value));
    const refusal = kind.refuseUpdate?.(old, Object.fromEntries(known));
    if (refusal !== undefined) throw new Error(refusal);
  }
  const deleteBeforeReplace = replaces.length > 0 && (kind.deleteBeforeReplace?.(old, next) ?? false);
  if (deleteBeforeReplace) session.deletedFirst.add(id);
  return {
    changed: names.size > 0 || replaces.length > 0 || outs[IMPORT] !== news[IMPORT],
    replaces,
    deleteBeforeReplace,
  };
}

/** Whether the resource moves to another organization, which must be allowed explicitly. */
function organizationChanged(session: Session, kind: AnyKind, outs: Properties, news: Properties): boolean {
  const from = outs[ORGANIZATION];
  const to = news[ORGANIZATION];
  if (from === undefined || to === undefined || isUnknown(to) || from === to) return false;
  if (session.settings.allowOrganizationChange) return true;
  throw new Error(
    `${kind.name}: this ${kind.noun} is in the organization "${from}", but the settings now say "${to}". ` +
      `If that is a mistake, set buildpipeline:organization (or BUILDPIPELINE_ORGANIZATION) back to "${from}". ` +
      "If everything shall be replaced in the other organization, set buildpipeline:allowOrganizationChange to true.",
  );
}

/**
 * An adopted object must not be replaced while the option is there: the replacement would adopt it again, and
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
  if (before === undefined && after === undefined) return;
  if (replaces.length > 0) {
    const how =
      after === undefined
        ? "Deploy the removal of the import option by itself first, then make this change"
        : "Remove the import option first and deploy, then make this change";
    throw new Error(
      `${kind.name}: a change of ${replaces.join(", ")} would replace the adopted ${kind.noun} ${id}. ${how}.`,
    );
  }
  if (typeof after !== "string" || after === before) return;
  const adopted = await findAdopted(session, String(outs[ORGANIZATION]), kind, after);
  if (adopted.id !== id) {
    throw new Error(
      `${kind.name}.import: ${JSON.stringify(after)} is the ${kind.noun} ${adopted.id}, but this resource is ` +
        `already ${id}. Give the other one a resource of its own, or remove the import option.`,
    );
  }
}
