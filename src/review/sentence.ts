import { type Change, ofPlace, type Place, placeText } from "./change.js";
import { listed, plainText, type Text, text } from "./text.js";

/** A sentence about one object, and how it reads where objects of several clusters share it. */
export interface Sentence {
  readonly message: Text;
  /** The cluster. */
  readonly place?: Place | undefined;
  /** `lead`: `` Queue `small` is deleted``, without the cluster. `rest`: the sentences that follow. */
  readonly inMany?: { readonly lead: Text; readonly rest: Text };
}

/** Says `` Queue `small` of `Linux` is deleted. `` and what follows. @param many the predicate where several clusters share it */
export function placed(
  subject: Text,
  { place }: Pick<Change, "place">,
  predicate: Text,
  rest: Text,
  many = predicate,
): Sentence {
  return {
    message: [...subject, ...ofPlace(place), " ", ...predicate, rest.length > 0 ? ". " : ".", ...rest],
    place,
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
  const groups = Map.groupBy(all, ({ inMany }, index) =>
    inMany === undefined ? String(index) : JSON.stringify(inMany),
  );
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    const clusters = new Map(own.flatMap(({ place }) => (place ? [[place.key, placeText(place)]] : [])));
    if (first?.inMany === undefined || clusters.size < 2) return own;
    const { lead, rest } = first.inMany;
    const names = [...clusters.values()].sort((one, other) => (plainText(one) < plainText(other) ? -1 : 1));
    const message = [
      ...lead,
      ` in ${clusters.size} ${first.places}: `,
      ...listed(names),
      rest.length > 0 ? ". " : ".",
      ...rest,
    ];
    return [{ ...first, message }];
  });
}
