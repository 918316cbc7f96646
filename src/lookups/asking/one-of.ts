import { Obstacle } from "./obstacle.js";

/** What was looked for in a list. */
export interface Search<Item> {
  /** Plural of what is in the list: `clusters`. */
  readonly nouns: string;
  /** The argument it was asked by: `name`. */
  readonly way: string;
  readonly matches: (item: Item) => boolean;
  readonly idOf: (item: Item) => string;
  /** What else to know when nothing is found. */
  readonly hint?: string;
  /** The lookup that lists them all, as it is called: `getClusters()`. */
  readonly all: string;
}

/** The one item that was looked for. None and several are errors: a lookup never guesses. */
export function oneOf<Item>(
  items: readonly Item[],
  { nouns, way, matches, idOf, hint, all }: Search<Item>,
): Item {
  const found = items.filter(matches);
  const [only] = found;
  if (only === undefined) {
    throw new Obstacle(
      `none of the ${items.length} ${nouns} that the access token can see has this ${way}. Check the ${way}, ` +
        `the organization and the access token; ${all} lists what there is.${hint === undefined ? "" : ` ${hint}`}`,
      { missing: true },
    );
  }
  if (found.length > 1) {
    const ids = found.map(idOf).join(", ");
    throw new Obstacle(
      `${found.length} ${nouns} have this ${way}: their ids are ${ids}. Ask for one of them by its id.`,
    );
  }
  return only;
}
