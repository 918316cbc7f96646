import { isUnknown, type Properties } from "../../../shared/protocol/encoded-values.js";
import { SECRETS, UNKNOWN_AT_IMPORT } from "../../../shared/protocol/properties.js";
import type { AnyKind } from "../../kind/kind.js";
import type { Arguments, Draft, Observed } from "../../kind/value-roles.js";
import { findImported } from "../imports/find-imported.js";
import { wantedValue } from "../imports/holders.js";
import { withMarks } from "../missing/marks.js";
import type { Reporter } from "../run/reporter.js";
import type { Session } from "../run/session.js";
import { isLeftAlone, normalized, type Reconciled, reconcile, sameArgument } from "../values/codec.js";
import { lossesOf } from "../values/losses.js";
import { stateIn } from "../values/state.js";
import { read, warnOfColors } from "./read.js";
import { lastChangeIn, neverReturned, unconfirmed, unknownAtImport, unspokenIn } from "./unreturned.js";
import { leftByImport } from "./write-contents.js";

/**
 * Reads the object that a person or a program names: for an import by the engine, and for `X.get`, which gives arguments
 * as well. A name is whatever the option `import` takes; the default queue of a cluster goes by the cluster's.
 */
export async function readNamed(session: Session, kind: AnyKind, name: string, given: Properties) {
  const { organization } = session.settings;
  const from = session.entries.isCommand ? "command" : "engine";
  const reference = kind.parent?.argument;
  const stated = reference === undefined ? Object.values(given) : [given[reference]];
  const isComplete = stated.some((value) => value != null);
  if (isComplete && kind.importing !== undefined) {
    const found = await read(session, stateIn(kind, name, given));
    if (found === undefined) throw new Error(`${kind.name}: there is no ${kind.words.noun} ${name}.`);
    return { id: name, ...found, outs: await withMarks(session.service, kind, found.outs) };
  }
  const imported = await findImported(session.service, { organization, kind, name, declared: given, from });
  const { id, observed } = imported;
  if (from === "engine") warnOfLoss(session.reporter, kind, imported);
  const entry = {
    kind,
    organization,
    unknownAtImport: unknownAtImport(kind, observed),
    // The first deployment sends what nobody knows.
    unsent: from === "engine" ? leftByImport(kind) : undefined,
    written: lastChangeIn(kind, observed),
    args: {},
  };
  const { inputs, outs } = reconcile(entry, observed);
  warnOfColors(session, { kind, secretNames: undefined }, { inputs, outs });
  const unspoken = unspokenIn(kind, observed);
  return {
    id,
    inputs: { ...inputs, ...(unspoken.length > 0 && { [UNKNOWN_AT_IMPORT]: unspoken }) },
    outs: await withMarks(session.service, kind, outs),
  };
}

function warnOfLoss(
  reporter: Reporter,
  kind: AnyKind,
  { id, observed, warnings }: Awaited<ReturnType<typeof findImported>>,
): void {
  for (const loss of warnings) reporter.warn(`read the ${kind.words.noun} ${id}: ${loss}`);
  for (const { text } of lossesOf(kind, id, observed, {})) reporter.warn(text);
  const names = unconfirmed(kind, observed);
  if (names.length === 0) return;
  reporter.warn(
    `read the ${kind.words.noun} ${id}: the API doesn't return ${names.join(" and ")}, and every update sends them. ` +
      `If this stack manages it, add them with the values of the ${kind.words.noun} before any other change.`,
  );
}

/**
 * Returns the arguments with which a program declares an object as it is: all that the API returns. It leaves out what an
 * operator changes, secrets, a value that follows from others, and parts of a map that are not set.
 */
export function argumentsFor(kind: AnyKind, observed: Observed): Arguments {
  const args: Draft<Arguments> = {};
  for (const [name, field] of Object.entries(kind.arguments)) {
    const value = field.isMerged ? setParts(observed[name]) : observed[name];
    if (value == null || field.whenOmitted === "ignored" || field.byOperator || field.secret) continue;
    if (isLeftAlone(field, name, observed) || sameArgument(kind, name, value, field.default)) continue;
    const isDerived = name === kind.unique?.argument && field.whenOmitted === "unmanaged";
    if (isDerived && wantedValue(kind, args) === value) continue;
    args[name] = value;
  }
  return args;
}

function setParts(value: unknown): unknown {
  const parts = Object.entries(Object(value)).filter(([, part]) => part !== null);
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/**
 * Returns the state after an import, as a read would leave it except for the marks: with the program's spelling where
 * that means what the service has. An argument that is not known yet takes the service's value. One that stays
 * unconfirmed has none, so that the next deployment sends what the program says.
 *
 * @param withheld arguments whose values the state doesn't get before the next deployment
 */
export function importedState(
  kind: AnyKind,
  organization: string,
  declared: Properties,
  observed: Observed,
  withheld: readonly string[] = [],
): Reconciled {
  const lacking = [...unconfirmed(kind, observed), ...withheld];
  const given = Object.entries(declared).filter(
    ([name, value]) => !isUnknown(value) && !lacking.includes(name),
  );
  // Of what is withheld, the default is no value either.
  const args = Object.fromEntries(
    Object.entries(normalized(kind, Object.fromEntries(given), {})).filter(
      ([name]) => !withheld.includes(name),
    ),
  );
  // A state has no unknown values. The next update marks the secrets.
  const secretNames = isUnknown(declared[SECRETS]) ? undefined : declared[SECRETS];
  const unsent = neverReturned(kind).filter((name) => args[name] !== undefined);
  const entry = {
    kind,
    organization,
    secretNames,
    unknownAtImport: [...unknownAtImport(kind, observed), ...withheld],
    unsent,
    written: lastChangeIn(kind, observed),
    args,
  };
  return reconcile(entry, observed);
}
