import {
  type Build,
  type BuildPipelineClient,
  type List,
  NotFoundError,
  operations,
  PermissionError,
} from "../client/index.js";
import { type LiveAgent, liveAgent } from "./agent.js";
import { MOST_BUILDS } from "./bounds.js";
import { type LiveJob, liveJobs } from "./job.js";

/** Builds with jobs that may still need an agent. */
const OPEN_BUILDS = ["running", "scheduled", "failing", "blocked"] as const;

/** Why something could not be read. */
export interface Unread {
  /** The scope that the access token lacks, as far as the response shows it. */
  readonly scope: string | undefined;
  /** A sentence without a period at its end. */
  readonly reason: string;
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

/** Returns the jobs that have not ended: one request for each hundred open builds. */
export async function readJobs(
  client: BuildPipelineClient,
  { now, signal, mostBuilds = MOST_BUILDS, onPage }: ReadOptions,
): Promise<Reading<LiveJob>> {
  const builds = await readPages(
    client.builds.list({ state: [...OPEN_BUILDS] }, { signal }),
    { operation: "builds.list", most: mostBuilds, now, signal },
    (read) => onPage?.("builds", read),
  );
  return { ...builds, items: uniqueJobs(builds.items) };
}

/** Returns the connected agents: one request for each hundred. */
export async function readAgents(
  client: BuildPipelineClient,
  { now, signal, onPage }: ReadOptions,
): Promise<Reading<LiveAgent>> {
  const agents = await readPages(
    client.agents.list({}, { signal }),
    { operation: "agents.list", most: Number.POSITIVE_INFINITY, now, signal },
    (read) => onPage?.("agents", read),
  );
  return { ...agents, items: agents.items.map(liveAgent) };
}

/** A build that moves to another page while the pages are read appears twice. */
function uniqueJobs(builds: readonly Build[]): LiveJob[] {
  const jobs = builds.flatMap(liveJobs);
  return [...new Map(jobs.map((job) => [job.id, job])).values()];
}

interface Bounds {
  /** As the client calls it: `builds.list`. */
  readonly operation: string;
  readonly most: number;
  readonly now: () => Date;
  readonly signal: AbortSignal | undefined;
}

/** Reads a list as far as it can be read. */
export async function readPages<Item>(
  list: List<Item>,
  { operation, most, now, signal }: Bounds,
  onPage: (read: number) => void = () => {},
): Promise<Reading<Item>> {
  const items: Item[] = [];
  const ended = (extent: Reading<Item>["extent"], unread?: Unread): Reading<Item> => ({
    items,
    extent,
    at: now().toISOString(),
    ...(unread && { unread }),
  });
  try {
    for await (const page of list.pages()) {
      items.push(...page);
      onPage(items.length);
      // Only another request would show if there is more.
      if (items.length >= most) return ended("partial");
    }
    return ended("complete");
  } catch (error) {
    const reason = signal?.aborted
      ? { scope: undefined, reason: "time was up" }
      : unreadBecause(error, operation);
    return ended(items.length > 0 ? "partial" : "missing", reason);
  }
}

/** Why a list could not be read, for a reader who can give the token another scope. */
export function unreadBecause(error: unknown, operation: string): Unread {
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
  const message = error instanceof Error ? error.message : String(error);
  return { scope: undefined, reason: message.replace(/[.\s]+$/, "") };
}
