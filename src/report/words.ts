import { ACTION_ORDER, ACTIONS, type Action } from "../messages/actions.js";
import { capitalized } from "../messages/nouns.js";
import { type ArgumentChange, type Change, newPlaceText, placeText } from "../review/change.js";
import { type Text, text } from "../review/text.js";
import { nounOf, parentArgument } from "../topology/kinds.js";

/** `` Agent token `build` `` */
export function subjectOf({ kind, label }: Change): Text {
  return [`${capitalized(nounOf(kind))} `, { code: label }];
}

/** Returns how many changes there are of each action. */
export function countsOf(changes: readonly Change[]): Partial<Record<Action, number>> {
  const counts: Partial<Record<Action, number>> = {};
  for (const { action } of changes) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

/** `1 to replace`, `3 to create`, the worst first; of drift, `1 gone`, `2 changed`. */
export function sumsOf(changes: readonly Change[], drift: boolean): { action: Action; text: string }[] {
  return ACTION_ORDER.flatMap((action) => {
    const { sum, drift: found = sum } = ACTIONS[action];
    const own = Map.groupBy(
      changes.filter((one) => one.action === action),
      ({ pending }) => (drift && !pending ? found : sum),
    );
    return [...own].map(([word, { length }]) => ({ action, text: `${length} ${word}` }));
  });
}

const MOST_PROPERTIES = 6;

/** Returns the changes of a resource, a line each. */
export function changeLines(change: Change): Text[] {
  const { kind, action, label, changed, adopts, pending, movesTo, place, undoes } = change;
  if (pending && action === "delete")
    return [["replaced by an earlier deployment, which couldn't delete it"]];
  if (action === "delete") return [];
  if (action === "release") return [["is removed from state; nothing is deleted on the service"]];
  const lines: Text[] = adopts === undefined ? [] : [["adopts ", { code: adopts }]];
  const made = action === "create" || action === "adopt";
  // The group says which cluster, the column before says the name.
  const argument = parentArgument(kind);
  const shown = changed.filter(
    ({ name, after }) => !made || (name !== argument && (typeof after !== "object" || after.code !== label)),
  );
  if (place !== undefined && movesTo !== undefined) {
    lines.push(text`moves from ${placeText(place)} to ${newPlaceText(movesTo)} (a new object)`);
  }
  for (const one of shown.slice(0, MOST_PROPERTIES)) {
    if (one.name === argument && movesTo !== undefined) continue;
    lines.push(made ? madeLine(one) : changedLine(one, undoes.includes(one.name)));
  }
  if (shown.length > MOST_PROPERTIES) lines.push([`and ${shown.length - MOST_PROPERTIES} more`]);
  if (!made && changed.length === 0) lines.push(["no change on the service"]);
  return lines;
}

function madeLine({ name, after }: ArgumentChange): Text {
  const lines = typeof after === "object" ? after.code.split("\n").length : 1;
  return text`${argumentText(name)}: ${[lines > 1 ? `${lines} lines` : after]}`;
}

function changedLine({ name, before, after, texts, replaces }: ArgumentChange, undoes: boolean): Text {
  if (name === "import") return ["the option import is removed; nothing is sent"];
  const why = `${replaces ? " (replaces)" : ""}${undoes ? " (undoes an out-of-band change)" : ""}`;
  const values = texts === undefined ? [before, " → ", after] : ["some lines, see below"];
  return text`${argumentText(name)}: ${values}${[why]}`;
}

/** Returns the name of an argument. Because a program may use any name, only plain names are written as plain text. */
export function argumentText(name: string): Text {
  return /^\w+$/.test(name) ? [name] : [{ code: name }];
}
