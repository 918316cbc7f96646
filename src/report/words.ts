import { kinds } from "../provider/kinds.js";
import type { Action } from "../review/change.js";
import type { Text } from "../review/text.js";
import { parentArgument } from "../topology/kinds.js";
import type { PropertyChange, ResourceChange } from "./changes.js";

/** Words of the report for an action. */
export const ACTIONS: Readonly<
  Record<Action, { readonly sign: string; readonly word: string; readonly summary: string }>
> = {
  delete: { sign: "−", word: "delete", summary: "to delete" },
  replace: { sign: "±", word: "replace", summary: "to replace" },
  update: { sign: "~", word: "update", summary: "to update" },
  create: { sign: "+", word: "create", summary: "to create" },
  adopt: { sign: "=", word: "import", summary: "to import" },
  release: { sign: "○", word: "release", summary: "to release" },
};

/** Explanation of any drift. */
export const DRIFT =
  "These are out-of-band changes. Each line shows the value in state, then the value on the service.";

/** Returns what a reviewer calls a resource type: `agent token`. */
export function nounOf(kind: string): string {
  const words = kinds.get(kind)?.words;
  return words?.full ?? words?.noun ?? kind;
}

const MOST_PROPERTIES = 6;

/** Words for out-of-band changes that a refresh found. */
const DRIFTS: Readonly<Partial<Record<Action, { readonly word: string }>>> = {
  update: { word: "changed" },
  delete: { word: "gone" },
};

/** Returns the word for an action, in a table. */
export function wordOf(action: Action, drift: boolean): string {
  return (drift ? DRIFTS[action] : undefined)?.word ?? ACTIONS[action].word;
}

/** `1 to replace`, `3 to create`, the worst first; of drift, `1 gone`, `2 changed`. */
export function summaries({
  counts,
  drift,
}: {
  readonly counts: Readonly<Partial<Record<Action, number>>>;
  readonly drift: boolean;
}): { readonly action: Action; readonly text: string }[] {
  return (Object.keys(ACTIONS) as Action[]) // Its keys are all actions, by its type.
    .filter((action) => counts[action])
    .map((action) => {
      const what = (drift ? DRIFTS[action]?.word : undefined) ?? ACTIONS[action].summary;
      return { action, text: `${counts[action]} ${what}` };
    });
}

/** The same of some changes. */
export function summaryOf(changes: readonly ResourceChange[], drift: boolean): string {
  const counts: Partial<Record<Action, number>> = {};
  for (const { action } of changes) counts[action] = (counts[action] ?? 0) + 1;
  return summaries({ counts, drift })
    .map(({ text }) => text)
    .join(", ");
}

/** Returns the changes of a resource, a line each. */
export function changeLines({ kind, action, label, properties, adopts }: ResourceChange): Text[] {
  if (action === "delete") return [];
  if (action === "release") return [["is removed from state; nothing is deleted on the service"]];
  const lines: Text[] = adopts === undefined ? [] : [["adopts ", { code: adopts }]];
  const made = action === "create" || action === "adopt";
  // The group says which cluster, the column before says the name.
  const place = parentArgument(kind);
  const isInternalProperty = ({ name, after }: PropertyChange) =>
    made && (name === place || (typeof after === "object" && after.code === label));
  const shown = properties.filter((property) => !isInternalProperty(property));
  for (const property of shown.slice(0, MOST_PROPERTIES)) {
    lines.push(made ? madeLine(property) : changedLine(property));
  }
  if (shown.length > MOST_PROPERTIES) lines.push([`and ${shown.length - MOST_PROPERTIES} more`]);
  if (!made && properties.length === 0) lines.push(["no change on the service"]);
  return lines;
}

function madeLine({ name, after }: PropertyChange): Text {
  const lines = typeof after === "object" ? after.code.split("\n").length : 1;
  return [`${name}: `, lines > 1 ? `${lines} lines` : after];
}

function changedLine({ name, before, after, texts, replaces }: PropertyChange): Text {
  if (name === "import") return ["the option import is removed; nothing is sent"];
  const why = replaces ? " (replaces)" : "";
  if (texts !== undefined) return [`${name}: some lines, see below${why}`];
  return [`${name}: `, before, " → ", after, why];
}
