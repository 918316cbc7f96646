import { LookupFailure } from "./lookup-failure.js";

/** How messages speak of a list, and how its items are compared. */
export interface Listing<Item> {
  /** Plural of what is in the list: `clusters`. */
  readonly nouns: string;
  /** The lookup that lists them all, as it is called: `getClusters()`. */
  readonly all: string;
  readonly matches: (item: Item) => boolean;
  readonly identify: (item: Item) => string;
  /** What else to know when nothing is found. */
  readonly hint?: string;
}

/** The one item of a list that matches what the argument asks for. None and several are failures: a lookup never guesses. */
export function onlyMatch<Item>(
  items: readonly Item[],
  argument: string,
  { nouns, all, matches, identify, hint }: Listing<Item>,
): Item {
  const found = items.filter(matches);
  const [only] = found;
  if (only === undefined) {
    throw new LookupFailure(
      `none of the ${items.length} ${nouns} that the access token can see has this ${argument}. Check the ` +
        `${argument}, the organization and the access token; ${all} lists what there is.${hint ? ` ${hint}` : ""}`,
      { missing: true },
    );
  }
  if (found.length > 1) {
    const ids = found.map(identify).join(", ");
    throw new LookupFailure(
      `${found.length} ${nouns} have this ${argument}: their ids are ${ids}. Ask for one of them by its id.`,
    );
  }
  return only;
}
