import { listed, type Text } from "./text.js";

/** A sentence about one cluster, and how it reads where several clusters share it. */
export interface PlacedText {
  readonly message: Text;
  /** Name of the cluster. */
  readonly where?: string;
  /** `lead`: `` Queue `small` is deleted``, without the cluster. `rest`: the sentences that follow. */
  readonly inMany?: { readonly lead: Text; readonly rest: Text };
}

/** Puts sentences together that differ only in the cluster. */
export function grouped<Placed extends PlacedText>(all: readonly Placed[]): (Placed & { message: Text })[] {
  const groups = new Map<string, Placed[]>();
  for (const [index, one] of all.entries()) {
    const key = one.inMany === undefined ? String(index) : JSON.stringify(one.inMany);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const clusters = [...new Set(own.flatMap(({ where }) => where ?? []))].sort();
    if (first.inMany === undefined || clusters.length < 2) return own;
    const { lead, rest } = first.inMany;
    const message = [...lead, ` in ${clusters.length} clusters: `, ...listed(clusters), ". ", ...rest];
    return [{ ...first, message }];
  });
}
