import { MOST_READS, neverSteady, readUntilSteady } from "../../client/api/list.js";
import { type List, NotFoundError, PermissionError, type Scope } from "../../client/index.js";
import { messageOf } from "../../shared/messages/of-error.js";

/** Why something could not be read. */
export interface Unread {
  /** The scope that the access token lacks, as far as the response shows it. */
  readonly scope?: string | undefined;
  /** A sentence without a period at its end. */
  readonly reason: string;
  /** True if only this read lacks something, so that the next one may be complete. */
  readonly isPassing?: true;
  /** For who can't do without it: a sentence that says what to do. */
  readonly error?: unknown;
}

export interface ListReading<Item> {
  readonly items: readonly Item[];
  /** `partial`: there is more than `items`. `missing`: nothing could be read. */
  readonly extent: "complete" | "partial" | "missing";
  /** Why it is not complete, unless it is only too long. */
  readonly unread?: Unread;
}

interface Bounds<Item> {
  /** What it is a list of: "queue". */
  readonly noun: string;
  readonly scope: Scope | undefined;
  readonly idOf: (item: Item) => string | undefined;
  /** Items that are read at most. Default: all. */
  readonly most?: number;
  /** Ends reading. Everything read until then counts. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each page with the number of items read. */
  readonly onPage?: (read: number) => void;
}

/** Reads a list as far as it can be read. A list of several pages is read until two reads agree. */
export async function readList<Item>(list: List<Item>, bounds: Bounds<Item>): Promise<ListReading<Item>> {
  const { noun, idOf } = bounds;
  const { read, isSteady } = await readUntilSteady(
    await readOnce(list, bounds),
    async (earlier) => {
      const later = await readOnce(list, bounds);
      return later.extent === "complete"
        ? later
        : { ...later, items: earlier.items, extent: "partial" as const };
    },
    ({ extent, pages }) => extent !== "complete" || pages === 1,
    ({ items }) => items.map(idOf),
  );
  const { pages: _, ...reading } = read;
  if (isSteady) return reading;
  const error = neverSteady(noun);
  const reason = `the list changed during each of ${MOST_READS} reads`;
  return { ...reading, extent: "partial", unread: { reason, isPassing: true, error } };
}

async function readOnce<Item>(
  list: List<Item>,
  { scope, idOf, most = Number.POSITIVE_INFINITY, signal, onPage = () => {} }: Bounds<Item>,
): Promise<ListReading<Item> & { readonly pages: number }> {
  // An object that moves to another page while the pages are read appears twice.
  const items = new Map<unknown, Item>();
  let pages = 0;
  const ended = (extent: ListReading<Item>["extent"], unread?: Unread) => ({
    items: [...items.values()],
    pages,
    extent,
    ...(unread && { unread }),
  });
  try {
    for await (const page of list.pages()) {
      signal?.throwIfAborted();
      pages += 1;
      for (const item of page) items.set(idOf(item) ?? item, item);
      onPage(items.size);
      // Only another request would show if there is more.
      if (items.size >= most) return ended("partial");
    }
    return ended("complete");
  } catch (error) {
    const unread = signal?.aborted ? { reason: "time was up", error } : unreadBecause(error, scope);
    return ended(items.size > 0 ? "partial" : "missing", unread);
  }
}

/** Says why a list could not be read, for a reader who can give the token another scope. */
export function unreadBecause(error: unknown, documented: Scope | undefined): Unread {
  if (error instanceof PermissionError && error.missingScope !== undefined) {
    const scope = error.missingScope;
    return { scope, reason: `the access token lacks the scope ${scope}`, error };
  }
  if (error instanceof NotFoundError) {
    const reason = `the service responded with 404, as it does where the scope ${documented} is missing`;
    return { scope: documented, reason, error };
  }
  return { reason: messageOf(error).replace(/[.\s]+$/, ""), error };
}
