import { ACTION_ORDER, ACTIONS } from "../messages/actions.js";
import { capitalized } from "../messages/nouns.js";
import { kinds } from "../provider/values/kinds.js";
import { type Change, placeText } from "../review/change.js";
import { listed, plainText, type Text } from "../review/text.js";
import { contentKindsOf, nounOf } from "../topology/kinds.js";
import type { Block, Row } from "./block.js";
import type { Danger } from "./dangers.js";
import { changeLines, sumsOf } from "./words.js";

/** Changes that belong together: in one cluster, or outside of clusters. */
export interface ChangeGroup {
  readonly title: Text;
  /** The resource type of what the title names: `Cluster`. */
  readonly kind: string | undefined;
  /** The name on Buildkite of what the title names. */
  readonly name: string | undefined;
  readonly changes: readonly Change[];
}

/** Returns the changes of each cluster, and the changes outside of clusters, the most dangerous first. */
export function groupsOf(changes: readonly Change[]): ChangeGroup[] {
  const groups = Map.groupBy(changes, (one) => (isParent(one) ? one.urn : one.place?.key));
  const others = groups.get(undefined) ?? [];
  const sorted = [...groups]
    .flatMap(([key, own]): ChangeGroup[] => {
      const place = own.find((one) => !isParent(one))?.place;
      const parent = own.find(isParent);
      if (key === undefined) return [];
      if (parent !== undefined)
        return [{ kind: parent.kind, title: parent.title, name: parent.label, changes: own }];
      return place === undefined
        ? []
        : [{ kind: place.kind, title: placeText(place), name: place.name, changes: own }];
    })
    .sort(
      (one, other) =>
        worst(one) - worst(other) ||
        plainText(one.title).localeCompare(plainText(other.title), "en", { numeric: true }),
    );
  if (others.length === 0) return sorted;
  return [...sorted, { title: [titleOfOthers()], kind: undefined, name: undefined, changes: others }];
}

/** Returns whether others can be in an object. */
function isParent({ kind }: Pick<Change, "kind">): boolean {
  return [...kinds.values()].some(({ parent }) => parent?.kind === kind);
}

function worst({ changes: [first] }: ChangeGroup): number {
  return ACTION_ORDER.indexOf(first?.action ?? "release");
}

/** `Templates, teams and suites` */
function titleOfOthers(): string {
  const plurals = contentKindsOf(undefined)
    .filter(({ name }) => !isParent({ kind: name }))
    .map(({ words }) => `${words.short ?? words.noun}s`);
  return capitalized(`${plurals.slice(0, -1).join(", ")} and ${plurals.at(-1)}`);
}

/** Tables of changes, and the row in which each change is. */
export interface Tables {
  readonly blocks: readonly Block[];
  readonly anchors: ReadonlyMap<Change, string>;
}

/** Returns a table for each cluster. Clusters with the same changes share one table. */
export function tablesOf(groups: readonly ChangeGroup[], drift: boolean, dangers: readonly Danger[]): Tables {
  const anchors = new Map<Change, string>();
  const equal = Map.groupBy(groups, ({ kind, changes }) =>
    // A cluster's own name doesn't make its changes others.
    JSON.stringify([kind, changes.map((one) => cellsOf(one, drift, isParent(one) ? [] : one.title))]),
  );
  const blocks = [...equal.values()].map((own): Block => {
    const all = own.flatMap((group) => group.changes);
    const [{ kind, title, changes } = { kind: undefined, title: [], changes: [] }] = own;
    const [isMany, noun] = [own.length > 1, nounOf(kind ?? "")];
    const names = listed(
      own.map((group) => group.title),
      100,
    );
    const sum = sumsOf(changes, drift).map(({ text }) => text);
    const about = dangers.filter(({ of }) => of.some((one) => all.includes(one)));
    const rows = changes.map((change, index): Row => {
      const same = own.flatMap((group) => group.changes[index] ?? []);
      const anchor = `change-${new Set(anchors.values()).size + 1}`;
      for (const one of same) anchors.set(one, anchor);
      const levels = about.flatMap(({ level, of }) => (of.some((one) => same.includes(one)) ? [level] : []));
      return {
        ...cellsOf(change, drift, isMany && isParent(change) ? ["each"] : change.title),
        anchor,
        level: levels.includes("danger") ? "danger" : levels[0],
      };
    });
    return {
      type: "table",
      title:
        kind === undefined
          ? title
          : [isMany ? `${own.length} ${noun}s: ` : `${capitalized(noun)} `, ...names],
      sum: `${sum.join(", ")}${isMany ? " in each" : ""}`,
      dangers: about.filter(({ level }) => level === "danger").length,
      rows,
    };
  });
  return { blocks, anchors };
}

function cellsOf(change: Change, drift: boolean, name: Text): Omit<Row, "anchor" | "level"> {
  const { sign, word, drift: found = word } = ACTIONS[change.action];
  const text = `${sign} ${drift && !change.pending ? found : word}`;
  return {
    tag: { action: change.action, text },
    kind: nounOf(change.kind),
    name,
    lines: changeLines(change),
  };
}
