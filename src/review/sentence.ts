import { listed, type Text, text } from "./text.js";

/** A sentence about one object, and how it reads where objects of several clusters share it. */
export interface Sentence {
  readonly message: Text;
  /** Name of the cluster. */
  readonly where?: string;
  /** `lead`: `` Queue `small` is deleted``, without the cluster. `rest`: the sentences that follow. */
  readonly inMany?: { readonly lead: Text; readonly rest: Text };
}

/** Says `` Queue `small` of `Linux` is deleted. `` and what follows. @param many the predicate where several clusters share it */
export function placed(
  subject: Text,
  where: string,
  predicate: Text,
  rest: Text,
  many = predicate,
): Sentence {
  return {
    message: [...subject, ...text` of ${where} `, ...predicate, rest.length > 0 ? ". " : ".", ...rest],
    where,
    inMany: { lead: [...subject, " ", ...many], rest },
  };
}

/** Says a sentence that is about nothing in a cluster. */
export function alone(parts: TemplateStringsArray, ...names: readonly string[]): Sentence {
  return { message: text(parts, ...names) };
}

/** Puts sentences together that differ only in the cluster. @param places what to call several: `clusters` */
export function grouped<One extends Sentence & { readonly places: string }>(
  all: readonly One[],
): (One & { message: Text })[] {
  const groups = new Map<string, One[]>();
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
    const end = rest.length > 0 ? ". " : ".";
    const message = [...lead, ` in ${clusters.length} ${first.places}: `, ...listed(clusters), end, ...rest];
    return [{ ...first, message }];
  });
}
