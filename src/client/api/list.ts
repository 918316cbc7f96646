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

const pageCounts = new WeakMap<readonly unknown[], number>();

/** Returns whether items that {@link List.all} returned came in a single response, so that no page could shift. */
export function cameInOnePage(items: readonly unknown[]): boolean {
  return pageCounts.get(items) === 1;
}

export function pagedList<T>(pages: () => AsyncGenerator<T[]>): List<T> {
  return {
    pages,
    async all() {
      const read: T[][] = [];
      for await (const page of pages()) read.push(page);
      const items = read.flat();
      pageCounts.set(items, read.length);
      return items;
    },
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page;
    },
  };
}

/** An address and all of its parameters. */
const LINK = /<([^<>]*)>((?:[^<"]|"[^"]*")*)/g;
const PARAMETER = /;\s*([\w*-]+)\s*(?:=\s*(?:"([^"]*)"|([^\s;,"]*)))?/g;

/** Returns the address of the next page in a `Link` header; undefined on the last one. */
export function nextAddress(link: string | undefined): string | undefined {
  for (const [, address, parameters = ""] of (link ?? "").matchAll(LINK)) {
    for (const [, name = "", quoted, bare = ""] of parameters.matchAll(PARAMETER)) {
      const relations = (quoted ?? bare).toLowerCase().split(/\s+/);
      if (name.toLowerCase() === "rel" && relations.includes("next")) return address;
    }
  }
  return undefined;
}
