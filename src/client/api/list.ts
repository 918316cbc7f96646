/**
 * A list of objects, which the client fetches page by page while you iterate over it. The first iteration sends the
 * first request, and each further iteration reads the list again. Iterating throws the errors that the method
 * documents.
 *
 * @example
 * ```ts
 * for await (const cluster of client.clusters.list()) console.log(cluster.name);
 * const queues = await client.queues.list(clusterId).all();
 * ```
 */
export interface List<T> extends AsyncIterable<T> {
  /** Returns all items of all pages. */
  all(): Promise<T[]>;
  /** Returns the items page by page, up to 100 each. */
  pages(): AsyncIterable<T[]>;
}

/** A list that was read completely. */
export interface WholeList<T> {
  readonly items: readonly T[];
  /** How many responses it came in. Between two of them, objects can shift to another page. */
  readonly pages: number;
}

/** What a list is of, for messages, and what tells its items apart. */
interface Items<T> {
  /** "pipeline". */
  readonly noun: string;
  readonly idOf: (item: T) => string;
}

/**
 * Reads a list so that it lacks nothing, for whoever creates, keeps or deletes something by it.
 * @throws where the list changes so often that no two reads agree
 */
export async function readComplete<T>(list: Pick<List<T>, "pages">, { noun, idOf }: Items<T>): Promise<T[]> {
  const next = () => begunList(list, idOf).read();
  const { read, isSteady } = await readUntilSteady(
    await next(),
    next,
    ({ pages }) => pages === 1,
    ({ items }) => items.map(idOf),
  );
  if (!isSteady) throw neverSteady(noun);
  return [...read.items];
}

/** The error for a list that {@link readUntilSteady} could not settle. */
export function neverSteady(noun: string): Error {
  return new Error(`The list of ${noun}s changed during each of ${MOST_READS} reads. Run the command again.`);
}

/** A list of which the first page is on its way, and the others are read if they are needed. */
export interface BegunList<T> {
  /** The items of the first page, and how many pages there are. Where no response says that, as few as there can be. */
  readonly first: Promise<{ readonly items: readonly T[]; readonly pages: number }>;
  read(): Promise<WholeList<T>>;
}

/** @param idOf tells items apart: pages that shift have one item twice, and it counts once */
export function begunList<T>(
  list: Pick<List<T>, "pages">,
  idOf: (item: T) => unknown = (item) => item,
): BegunList<T> {
  const pages = list.pages()[Symbol.asyncIterator]();
  const first = pages.next();
  let whole: Promise<WholeList<T>> | undefined;
  const rest = async () => {
    const read: T[][] = [];
    for (let page = await first; !page.done; page = await pages.next()) read.push(page.value);
    const items = new Map(read.flat().map((item) => [idOf(item), item]));
    return { items: [...items.values()], pages: read.length };
  };
  const counted = first.then(({ value = [] }) => ({ items: value, pages: pageCounts.get(value) ?? 1 }));
  // Whoever reads the list meets the failure.
  counted.catch(() => {});
  return {
    first: counted,
    read: () => {
      whole ??= rest();
      return whole;
    },
  };
}

/** How many pages the list of a page has, as the response with it said. */
const pageCounts = new WeakMap<object, number>();

/** @param link the header of the page's response, which names the last page */
export function withCount<T>(page: T[], link: string | undefined): T[] {
  const last = URL.parse(addressIn(link, "last") ?? "", "https://any.invalid")?.searchParams.get("page");
  const count = nextAddress(link) === undefined ? 1 : Number(last);
  if (Number.isSafeInteger(count) && count > 0) pageCounts.set(page, count);
  return page;
}

export function pagedList<T>(pages: () => AsyncGenerator<T[]>): List<T> {
  return {
    pages,
    all: async () => [...(await begunList({ pages }).read()).items],
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page;
    },
  };
}

const LINK = /<([^<>]*)>((?:[^<"]|"[^"]*")*)/g;
const PARAMETER = /;\s*([\w*-]+)\s*(?:=\s*(?:"([^"]*)"|([^\s;,"]*)))?/g;

export function nextAddress(link: string | undefined): string | undefined {
  return addressIn(link, "next");
}

/**
 * Returns whether a `Link` header says where its page is among others. Where a gateway drops the header, only a request for the
 * next page shows whether a full page is the last.
 */
export function placesPage(link: string | undefined): boolean {
  return ["first", "prev", "next", "last"].some((relation) => addressIn(link, relation) !== undefined);
}

function addressIn(link: string | undefined, relation: string): string | undefined {
  for (const [, address, parameters = ""] of (link ?? "").matchAll(LINK)) {
    for (const [, name = "", quoted, bare = ""] of parameters.matchAll(PARAMETER)) {
      const relations = (quoted ?? bare).toLowerCase().split(/\s+/);
      if (name.toLowerCase() === "rel" && relations.includes(relation)) return address;
    }
  }
  return undefined;
}

export const MOST_READS = 5;

/**
 * Reads a list until two reads in a row agree. An object that leaves the list while its pages are read moves another
 * object to a page that was read already, and that object is missed. Such a read has an object that the next one lacks.
 * So two reads agree if the later one has all objects of the earlier one.
 *
 * @param isEnough checks whether one read is enough: it came in one page, or it has what the caller looks for
 * @returns the last read, and whether it is enough or agrees with the one before
 */
export async function readUntilSteady<Read>(
  first: Read,
  readAgain: (earlier: Read) => Promise<Read>,
  isEnough: (read: Read) => boolean,
  ids: (read: Read) => readonly (string | undefined)[],
): Promise<{ readonly read: Read; readonly isSteady: boolean }> {
  let read = first;
  for (let reads = 1; reads < MOST_READS; reads++) {
    if (isEnough(read)) return { read, isSteady: true };
    const earlier = ids(read);
    read = await readAgain(read);
    const later = new Set(ids(read));
    if (earlier.every((id) => later.has(id))) return { read, isSteady: true };
  }
  return { read, isSteady: isEnough(read) };
}
