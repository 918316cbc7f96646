import { type Change, ofPlace } from "./change.js";
import type { Text } from "./text.js";

/** A sentence about one object, and how it reads where objects of several clusters share it. */
export interface Sentence {
  readonly message: Text;
  /** `lead`: `` Queue `small` is deleted``, without the cluster. `rest`: the sentences that follow. */
  readonly inMany?: { readonly lead: Text; readonly rest: Text };
  /** Sentences that follow the present load, where it is known. Default: the load doesn't take part in the sentence. */
  readonly known?: Text;
}

/** Says `` Queue `small` of `Linux` is deleted. `` and what follows. @param many the predicate where several clusters share it */
export function placed(
  subject: Text,
  { place }: Pick<Change, "place">,
  predicate: Text,
  rest: Text,
  { many = predicate, known }: { readonly many?: Text; readonly known?: Text } = {},
): Sentence {
  return {
    message: [...subject, ...ofPlace(place), " ", ...predicate, rest.length > 0 ? ". " : ".", ...rest],
    inMany: { lead: [...subject, " ", ...many], rest },
    ...(known && { known }),
  };
}
