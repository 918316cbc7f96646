import { ACTION_ORDER, ACTIONS } from "../messages/actions.js";
import { capitalized } from "../messages/nouns.js";
import { kinds } from "../provider/values/kinds.js";
import { type Change, placeText } from "../review/change.js";
import { listed, plainText, type Text } from "../review/text.js";
import { contentKindsOf } from "../topology/kinds.js";
import type { Block, Row } from "./block.js";
import { changeLines, nounOf, sumsOf } from "./words.js";

/** Changes that belong together: in one cluster, or outside of clusters. */
export interface ChangeGroup {
  readonly title: Text;
  /** The resource type of what the title names: `Cluster`. */
  readonly kind: string | undefined;
  /** The name on Buildkite of what the title names. */
  readonly name: string | undefined;
  readonly changes: readonly Change[];
}

/** Returns the changes of each cluster, and those outside of clusters; the worst first. */
export function groupsOf(changes: readonly Change[]): ChangeGroup[] {
  const parentKinds = new Set([...kinds.values()].map(({ parent }) => parent?.kind));
  const isParent = ({ kind }: Change) => parentKinds.has(kind);
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
      (one, other) => worst(one) - worst(other) || (plainText(one.title) < plainText(other.title) ? -1 : 1),
    );
  if (others.length === 0) return sorted;
  return [
    ...sorted,
    { title: [titleOfOthers(parentKinds)], kind: undefined, name: undefined, changes: others },
  ];
}

function worst({ changes: [first] }: ChangeGroup): number {
  return ACTION_ORDER.indexOf(first?.action ?? "release");
}

/** `Templates, teams and suites` */
function titleOfOthers(parentKinds: ReadonlySet<string | undefined>): string {
  const plurals = contentKindsOf(undefined)
    .filter(({ name }) => !parentKinds.has(name))
    .map(({ words }) => `${words.short ?? words.noun}s`);
  return capitalized(`${plurals.slice(0, -1).join(", ")} and ${plurals.at(-1)}`);
}

/** Returns a table for each cluster. Clusters in which the same changes are one table. */
export function tablesOf(groups: readonly ChangeGroup[], drift: boolean): Block[] {
  const equal = Map.groupBy(groups, ({ changes, kind, title }) =>
    JSON.stringify([kind, rowsOf(changes, drift), kind === undefined && title]),
  );
  return [...equal.values()].flatMap((own): Block[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { kind, changes } = first;
    const names = own.map(({ title }) => title);
    const many = own.length > 1 ? `${own.length} ${nounOf(kind ?? "")}s: ` : `${nounOf(kind ?? "")} `;
    const title = kind === undefined ? first.title : [capitalized(many), ...listed(names, 100)];
    const sum = sumsOf(changes, drift)
      .map(({ text }) => text)
      .join(", ");
    const each = own.length > 1 ? `${sum} in each` : sum;
    const columns = ["", "kind", "name", "change"];
    return [{ type: "table", title, sum: each, columns, rows: rowsOf(changes, drift) }];
  });
}

function rowsOf(changes: readonly Change[], drift: boolean): Row[] {
  return changes.map((change) => {
    const { sign, word, drift: found = word } = ACTIONS[change.action];
    const text = `${sign} ${drift && !change.pending ? found : word}`;
    return {
      tag: { action: change.action, text },
      cells: [[[nounOf(change.kind)]], [change.title], changeLines(change)],
    };
  });
}
