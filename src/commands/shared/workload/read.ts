import { MOST_READS, readUntilSteady } from "../../../client/api/steady.js";
import {
  type Build,
  type BuildPipelineClient,
  type List,
  NotFoundError,
  operations,
  PermissionError,
} from "../../../client/index.js";
import { messageOf } from "../../../shared/messages/of-error.js";
import { hasUnknownQueue, type LiveAgent, type LiveJob, liveAgent, liveJobs, MOST_BUILDS } from "./job.js";

/** Builds with jobs that run or may still need an agent. */
const OPEN_BUILDS = ["running", "scheduled", "failing", "blocked", "canceling"] as const;

/** Why something could not be read. */
export interface Unread {
  /** The scope that the access token lacks, as far as the response shows it. */
  readonly scope?: string | undefined;
  /** A sentence without a period at its end. */
  readonly reason: string;
  /** True if only this read lacks something, so that the next one may be complete. */
  readonly isPassing?: true;
}

/** A list as it was read. */
export interface Reading<Item> {
  readonly items: readonly Item[];
  /** `partial`: there is more than `items`. `missing`: nothing could be read. */
  readonly extent: "complete" | "partial" | "missing";
  /** The service's time when reading ended; ISO 8601, UTC. */
  readonly at: string;
  /** Why it is not complete, unless it is only too long. */
  readonly unread?: Unread;
}

export interface ReadOptions {
  /** The service's time. */
  readonly now: () => Date;
  /** Ends reading. Everything read until then counts. */
  readonly signal?: AbortSignal | undefined;
  /** Builds that are read at most. Default 5,000. */
  readonly mostBuilds?: number | undefined;
  /** Called after each page. */
  readonly onPage?: ((what: "builds" | "agents", items: number) => void) | undefined;
}

/**
 * Returns the jobs that have not ended: one request for each hundred open builds, and two where there are more than
 * hundred. The reading is complete only if each build has its jobs, and each running job shows its queue.
 */
export async function readJobs(
  client: BuildPipelineClient,
  { now, signal, mostBuilds = MOST_BUILDS, onPage }: ReadOptions,
): Promise<Reading<LiveJob>> {
  const builds = await readPages(
    client.builds.list({ state: [...OPEN_BUILDS] }, { signal }),
    { operation: "builds.list", most: mostBuilds, now, signal },
    (read) => onPage?.("builds", read),
  );
  const unread = builds.unread ?? missingIn(builds.items);
  return {
    ...builds,
    items: builds.items.flatMap(liveJobs),
    ...(unread && { unread, extent: builds.items.length > 0 ? "partial" : builds.extent }),
  };
}

/** Returns the connected agents: one request for each hundred. */
export async function readAgents(
  client: BuildPipelineClient,
  { now, signal, onPage }: ReadOptions,
): Promise<Reading<LiveAgent>> {
  const agents = await readPages(
    client.agents.list({}, { signal }),
    { operation: "agents.list", now, signal },
    (read) => onPage?.("agents", read),
  );
  return { ...agents, items: agents.items.map(liveAgent) };
}

/** Returns what the API leaves out of builds, although it decides whether a queue is idle. */
function missingIn(builds: readonly Build[]): Unread | undefined {
  for (const { jobs, pipeline, number } of builds) {
    const what =
      jobs == null ? "the jobs" : jobs.some(hasUnknownQueue) ? "the queue of a running job" : undefined;
    if (what === undefined) continue;
    const build = `build ${number}${pipeline?.slug == null ? "" : ` of ${pipeline.slug}`}`;
    return { reason: `the API doesn't show ${what} of ${build}`, isPassing: true };
  }
  return undefined;
}

interface Bounds {
  /** As the client calls it: `builds.list`. */
  readonly operation: string;
  /** Default: all of it. */
  readonly most?: number;
  readonly now: () => Date;
  readonly signal?: AbortSignal | undefined;
}

/** An object of a list. Templates have a `uuid` in place of an id. */
type Listed = { readonly id?: string | null | undefined } | { readonly uuid: string };

const idOf = (item: Listed): string | undefined => ("uuid" in item ? item.uuid : (item.id ?? undefined));

/** Reads a list as far as it can be read. A list of several pages is read until two reads agree. */
export async function readPages<Item extends Listed>(
  list: List<Item>,
  bounds: Bounds,
  onPage: (read: number) => void = () => {},
): Promise<Reading<Item>> {
  const once = () => readOnce(list, bounds, onPage);
  const { read, isSteady } = await readUntilSteady(
    await once(),
    async (earlier) => {
      const later = await once();
      return later.extent === "complete"
        ? later
        : { ...later, items: earlier.items, extent: "partial" as const };
    },
    {
      isEnough: ({ extent, pages }) => extent !== "complete" || pages === 1,
      ids: ({ items }) => items.map(idOf),
    },
  );
  const { pages: _, ...reading } = read;
  if (isSteady) return reading;
  const reason = `the list changed during each of ${MOST_READS} reads`;
  return { ...reading, extent: "partial", unread: { reason, isPassing: true } };
}

async function readOnce<Item extends Listed>(
  list: List<Item>,
  { operation, most = Number.POSITIVE_INFINITY, now, signal }: Bounds,
  onPage: (read: number) => void,
): Promise<Reading<Item> & { readonly pages: number }> {
  // An object that moves to another page while the pages are read appears twice.
  const items = new Map<unknown, Item>();
  let pages = 0;
  const ended = (extent: Reading<Item>["extent"], unread?: Unread) => ({
    items: [...items.values()],
    pages,
    extent,
    at: now().toISOString(),
    ...(unread && { unread }),
  });
  try {
    for await (const page of list.pages()) {
      pages += 1;
      for (const item of page) items.set(idOf(item) ?? item, item);
      onPage(items.size);
      // Only another request would show if there is more.
      if (items.size >= most) return ended("partial");
    }
    return ended("complete");
  } catch (error) {
    const reason = signal?.aborted ? { reason: "time was up" } : unreadBecause(error, operation);
    return ended(items.size > 0 ? "partial" : "missing", reason);
  }
}

/** Why a list could not be read, for a reader who can give the token another scope. */
function unreadBecause(error: unknown, operation: string): Unread {
  const documented = operations.find(({ id }) => id === operation)?.scope ?? undefined;
  if (error instanceof PermissionError) {
    const scope = error.missingScope ?? documented;
    return { scope, reason: `the access token lacks the scope ${scope}` };
  }
  if (error instanceof NotFoundError) {
    return {
      scope: documented,
      reason: `the service responded with 404, as it does where the scope ${documented} is missing`,
    };
  }
  return { reason: messageOf(error).replace(/[.\s]+$/, "") };
}
