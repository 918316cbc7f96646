import type { Properties } from "../../../shared/protocol/encoded-values.js";
import { canonicalName } from "../../kind/canonical.js";
import { id, text } from "./arguments.js";
import { LookupFailure } from "./lookup-error.js";

/** How messages speak of a list, and how its items are compared. */
interface SearchedList<Item> {
  readonly nouns: string;
  /** The function that lists them all, as it is called: `getClusters()`. */
  readonly all: string;
  readonly idOf: (item: Item) => string;
  /** Default: the field with the argument's name is the same name. */
  readonly matches?: (item: Item, argument: string, value: string) => boolean;
  readonly hint?: string;
}

/** Returns the object that the arguments ask for: read by its id, or found in the list by one of the other names. */
export async function findOne<Item extends object>(
  args: object,
  names: readonly string[],
  search: SearchedList<Item> & {
    get(id: string): Promise<Item>;
    list(value: string): Promise<readonly Item[]>;
  },
): Promise<Item> {
  const { argument, value } = exactlyOne(args, names);
  return argument === "id" ? search.get(value) : onlyMatch(await search.list(value), argument, value, search);
}

/** Picks the one argument that is given out of those that exclude each other. */
export function exactlyOne(args: object, names: readonly string[]): { argument: string; value: string } {
  const values: Properties = { ...args };
  const given = names.length === 1 ? names : names.filter((name) => values[name] !== undefined);
  const [argument] = given;
  if (argument === undefined || given.length > 1) {
    const count = given.length === 0 ? "none was" : `${given.join(" and ")} were`;
    throw new LookupFailure(`give exactly one of ${names.join(", ")}; ${count} given.`);
  }
  const checked = argument === "id" ? id : text;
  return { argument, value: checked(argument, values[argument]) };
}

export function onlyMatch<Item extends object>(
  items: readonly Item[],
  argument: string,
  value: string,
  { nouns, all, idOf, matches = isEqual, hint }: SearchedList<Item>,
): Item {
  const found = items.filter((item) => matches(item, argument, value));
  const [only] = found;
  if (only === undefined) {
    throw new LookupFailure(
      `none of the ${items.length} ${nouns} that the access token can see has this ${argument}. Check the ` +
        `${argument}, the organization and the access token; ${all} lists what there is.${hint ? ` ${hint}` : ""}`,
      { missing: true },
    );
  }
  if (found.length > 1) {
    const ids = found.map(idOf).join(", ");
    throw new LookupFailure(
      `${found.length} ${nouns} have this ${argument}: their ids are ${ids}. Ask for one of them by its id.`,
    );
  }
  return only;
}

function isEqual(item: object, argument: string, value: string): boolean {
  const fields: Properties = { ...item };
  const found = fields[argument];
  return typeof found === "string" && canonicalName(found) === canonicalName(value);
}
