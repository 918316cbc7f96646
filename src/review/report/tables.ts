import { ACTION_ORDER, ACTIONS, type Action } from "../../cli/drawing/actions.js";
import { canContain, contentKindsOf, nounOf, parentArgument } from "../../provider/lifecycle/values/kinds.js";
import { capitalized } from "../../shared/messages/nouns.js";
import type { ArgumentChange, Change } from "../plan/change.js";
import { newPlaceText, placeText } from "../plan/names.js";
import { byText, listed, type Text, text } from "../plan/text.js";
import type { Danger } from "./dangers.js";

/** The changes of a cluster, or those outside of clusters. */
export interface ChangeGroup {
  readonly title: Text;
  /** The resource type and the name on Buildkite of what the title names. */
  readonly kind: string | undefined;
  readonly name: string | undefined;
  readonly changes: readonly Change[];
}

/** Returns the changes of each cluster, and the changes outside of clusters, the most dangerous first. */
export function groupsOf(changes: readonly Change[]): ChangeGroup[] {
  const groups = Map.groupBy(changes, (one) => (isParent(one) ? one.urn : one.place?.key));
  const others = groups.get(undefined) ?? [];
  groups.delete(undefined);
  const sorted = [...groups.values()]
    .map((own) => {
      const parent = own.find(isParent);
      const place = own[0]?.place;
      return {
        kind: parent?.kind ?? place?.kind,
        name: parent?.label ?? place?.name,
        title: parent?.title ?? (place ? placeText(place) : []),
        changes: own,
      };
    })
    .sort((one, other) => worst(one) - worst(other) || byText(one.title, other.title));
  if (others.length === 0) return sorted;
  return [...sorted, { title: [titleOfOthers()], kind: undefined, name: undefined, changes: others }];
}

function isParent({ kind }: Change): boolean {
  return canContain(kind);
}

function worst({ changes: [first] }: { readonly changes: readonly Change[] }): number {
  return ACTION_ORDER.indexOf(first?.action ?? "release");
}

/** `Templates, teams and suites` */
function titleOfOthers(): string {
  const plurals = contentKindsOf(undefined)
    .filter(({ name }) => !canContain(name))
    .map(({ words }) => `${words.short ?? words.noun}s`);
  return capitalized(`${plurals.slice(0, -1).join(", ")} and ${plurals.at(-1)}`);
}

/** Returns a table for each cluster, or one for clusters with the same changes, and the anchor of each change's row. */
export function tablesOf(groups: readonly ChangeGroup[], drift: boolean, dangers: readonly Danger[]) {
  const anchors = new Map<Change, string>();
  const equal = Map.groupBy(groups, ({ kind, changes }) =>
    // A cluster's own name doesn't make its changes others.
    JSON.stringify([kind, changes.map((one) => cellsOf(one, drift, isParent(one) ? [] : one.title))]),
  );
  const tables = [...equal.values()].map((own) => {
    const all = own.flatMap((group) => group.changes);
    const [{ kind, title, changes } = { kind: undefined, title: [], changes: [] }] = own;
    const [isMany, noun] = [own.length > 1, nounOf(kind ?? "")];
    const sum = sumsOf(changes, drift).map(({ text }) => text);
    const about = dangers.filter(({ of }) => of.some((one) => all.includes(one)));
    const rows = changes.map((change, index) => {
      const same = own.flatMap((group) => group.changes[index] ?? []);
      const anchor = `change-${new Set(anchors.values()).size + 1}`;
      for (const one of same) anchors.set(one, anchor);
      const levels = about.flatMap(({ level, of }) => (of.some((one) => same.includes(one)) ? [level] : []));
      return {
        ...cellsOf(change, drift, isMany && isParent(change) ? ["each"] : change.title),
        anchor,
        level: levels.includes("danger") ? "danger" : levels[0],
      } as const;
    });
    const names = listed(
      own.map((group) => group.title),
      100,
    );
    const lead = isMany ? `${own.length} ${noun}s: ` : `${capitalized(noun)} `;
    return {
      title: kind === undefined ? title : [lead, ...names],
      sum: `${sum.join(", ")}${isMany ? " in each" : ""}`,
      dangers: about.filter(({ level }) => level === "danger").length,
      rows,
    };
  });
  return { tables, anchors };
}

function cellsOf(change: Change, drift: boolean, name: Text) {
  const { action, kind, pending } = change;
  const { sign, word, drift: found = word } = ACTIONS[action];
  return {
    /** What happens, with its sign: `± replace`. */
    tag: { action, text: `${sign} ${drift && !pending ? found : word}` },
    kind: nounOf(kind),
    name,
    lines: changeLines(change),
  };
}

/** `1 to replace`, `3 to create`, the worst first; of drift, `1 gone`, `2 changed`. */
export function sumsOf(changes: readonly Change[], drift: boolean): { action: Action; text: string }[] {
  return ACTION_ORDER.flatMap((action) => {
    const { word, drift: found } = ACTIONS[action];
    const own = Map.groupBy(
      changes.filter((one) => one.action === action),
      ({ pending }) => (drift && !pending && found) || `to ${word}`,
    );
    return [...own].map(([sum, { length }]) => ({ action, text: `${length} ${sum}` }));
  });
}

const MOST_PROPERTIES = 6;

function changeLines(change: Change): Text[] {
  const { kind, action, label, changed, adopts, pending, movesTo, place } = change;
  if (pending && action === "delete")
    return [["replaced by an earlier deployment, which couldn't delete it"]];
  if (action === "delete") return [];
  if (action === "release") return [["is removed from state; nothing is deleted on the service"]];
  const made = action === "create" || action === "adopt";
  // The group says which cluster, the column before says the name.
  const argument = parentArgument(kind);
  const shown = changed.filter(
    ({ name, after }) => !made || (name !== argument && (typeof after !== "object" || after.code !== label)),
  );
  const moves = place !== undefined && movesTo !== undefined;
  const lines: (Text | false)[] = [
    adopts !== undefined && ["adopts ", { code: adopts }],
    moves && text`moves from ${placeText(place)} to ${newPlaceText(movesTo)} (a new object)`,
    ...shown.slice(0, MOST_PROPERTIES).map((one) => {
      if (one.name === argument && movesTo !== undefined) return false;
      return made ? madeLine(one) : changedLine(one, change);
    }),
    shown.length > MOST_PROPERTIES && [`and ${shown.length - MOST_PROPERTIES} more`],
    action === "update" && changed.length === 0 && ["no change on the service"],
  ];
  return lines.filter((line) => line !== false);
}

function madeLine({ name, after }: ArgumentChange): Text {
  const lines = typeof after === "object" ? after.code.split("\n").length : 1;
  return text`${argumentText(name)}: ${[lines > 1 ? `${lines} lines` : after]}`;
}

function changedLine(
  { name, before, after, texts, isLayout, replaces }: ArgumentChange,
  { after: next, undoes }: Change,
): Text {
  if (name === "import")
    return [`the option import is ${next.import == null ? "removed" : "set"}; nothing is sent`];
  const why = `${replaces ? " (replaces)" : ""}${undoes.includes(name) ? " (undoes an out-of-band change)" : ""}`;
  const lines = [isLayout ? "only its layout, comments or order of keys" : "some lines, see below"];
  const values = texts === undefined ? [before, " → ", after] : lines;
  return text`${argumentText(name)}: ${values}${[why]}`;
}

/** Returns the name of an argument. Because a program may use any name, only plain names are written as plain text. */
export function argumentText(name: string): Text {
  return /^\w+$/.test(name) ? [name] : [{ code: name }];
}
