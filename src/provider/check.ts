import type { AnyKind } from "../resources/kind.js";
import { findAdopted, mismatches } from "./adoption.js";
import { isUnknown, type Properties, reveal, withoutUndefined } from "./engine-values.js";
import { changedNames, toolkit } from "./equality.js";
import { messageOf } from "./errors.js";
import { missingScopes } from "./scopes.js";
import type { Session } from "./session.js";
import { argumentsOf, IMPORT, ORGANIZATION } from "./state.js";
import { IMPORT_IGNORES, problems } from "./validation.js";

/** Inputs as they go into state, and what is wrong with them. */
export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly string[];
}

/**
 * Judges inputs before anything is written: their values, the access token's scopes and, for a resource that is
 * to be adopted, whether they match what is there. Completes them with defaults and the organization.
 *
 * @param olds inputs in state; empty on a creation and on every replacement
 */
export async function check(
  session: Session,
  kind: AnyKind,
  olds: Properties,
  news: Properties,
): Promise<Checked> {
  const wrong = problems(kind, news);
  const inputs: Properties = { ...normalized(kind, news), [ORGANIZATION]: session.settings.organization };
  if (news[IMPORT] !== undefined) inputs[IMPORT] = news[IMPORT];
  if (wrong.length > 0) return { inputs: withoutUndefined(inputs), failures: wrong };

  const fresh = olds[ORGANIZATION] === undefined;
  const changed = fresh || changedNames(kind, argumentsOf(kind, olds), argumentsOf(kind, inputs)).size > 0;
  const name = news[IMPORT];
  const adopting = fresh && typeof name === "string";
  const lacking = await missingScopes(session, kind, changed && !adopting);
  const failures = lacking === undefined ? [] : [lacking];
  if (adopting && failures.length === 0) {
    failures.push(...(await matchAdopted(session, kind, name, inputs, ignoredNames(news[IMPORT_IGNORES]))));
  }
  return { inputs: withoutUndefined(inputs), failures };
}

/** Arguments with defaults, and in the form in which the state keeps them. */
function normalized(kind: AnyKind, news: Properties): Properties {
  const inputs: Properties = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    const value = reveal(news[name]) ?? field.default;
    const final = value === undefined || isUnknown(value);
    inputs[name] = field.normalize === undefined || final ? value : field.normalize(value, toolkit);
  }
  return inputs;
}

/** Compares with what is to be adopted. What `ignoreChanges` names takes the value that is there. */
async function matchAdopted(
  session: Session,
  kind: AnyKind,
  name: string,
  inputs: Properties,
  ignored: ReadonlySet<string>,
): Promise<string[]> {
  try {
    const adopted = await findAdopted(session, session.settings.organization, kind, name);
    const all = ignored.has("*") ? new Set(Object.keys(kind.arguments)) : ignored;
    const differences = mismatches(kind, inputs, adopted, all);
    if (differences.length === 0) {
      for (const [key, field] of Object.entries(kind.arguments)) {
        const unmanaged = field.leftOut === "unmanaged" && inputs[key] === undefined;
        if (all.has(key) && key in adopted.told && !unmanaged) inputs[key] = adopted.told[key];
      }
      return [];
    }
    const list = differences.map((line) => `\n    ${line}`).join("");
    return [
      `${kind.name}.import: the ${kind.noun} ${adopted.id} exists, but the arguments differ from it:${list}\n` +
        "  Make them match, or name what may differ in ignoreChanges.",
    ];
  } catch (error) {
    const message = messageOf(error);
    return [message.startsWith(`${kind.name}.`) ? message : `${kind.name}.${message}`];
  }
}

/** The first part of each path in `ignoreChanges`. */
function ignoredNames(paths: unknown): Set<string> {
  const names = Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  return new Set(names.map((path) => path.replace(/^\["([^"]+)"\].*$/, "$1").replace(/[.[].*$/, "")));
}
