import type { Build, BuildPipelineClient } from "../../../client/index.js";
import { type Reading, readList, type Unread } from "../inventory/reading.js";
import { hasUnknownQueue, type LiveAgent, type LiveJob, liveAgent, liveJobs, MOST_BUILDS } from "./job.js";

/** Builds with jobs that run or may still need an agent. */
const OPEN_BUILDS = ["running", "scheduled", "failing", "blocked", "canceling"] as const;

/** Jobs or agents as they were read. */
export interface TimedReading<Item> extends Reading<Item> {
  /** The service's time when reading ended; ISO 8601, UTC. */
  readonly at: string;
}

export interface ReadOptions {
  /** The service's time. */
  readonly now: () => Date;
  /** Ends reading. Everything read until then counts. */
  readonly signal?: AbortSignal | undefined;
  /** Builds that are read at most. Default 5,000. */
  readonly mostBuilds?: number | undefined;
  readonly onPage?: ((what: "builds" | "agents", items: number) => void) | undefined;
}

/**
 * Returns the jobs that have not ended: one request for each hundred open builds, and two where there are more than
 * hundred. The reading is complete only if each build has its jobs, and each running job shows its queue.
 */
export async function readJobs(
  client: BuildPipelineClient,
  { now, signal, mostBuilds = MOST_BUILDS, onPage }: ReadOptions,
): Promise<TimedReading<LiveJob>> {
  const builds = await readList(client.builds.list({ state: [...OPEN_BUILDS] }, { signal }), {
    noun: "build",
    scope: "read_builds",
    idOf: ({ id }) => id,
    most: mostBuilds,
    signal,
    onPage: (read) => onPage?.("builds", read),
  });
  const unread = builds.unread ?? missingIn(builds.items);
  return {
    ...builds,
    at: now().toISOString(),
    items: builds.items.flatMap(liveJobs),
    ...(unread && { unread, extent: builds.items.length > 0 ? "partial" : builds.extent }),
  };
}

/** Returns the connected agents: one request for each hundred. */
export async function readAgents(
  client: BuildPipelineClient,
  { now, signal, onPage }: ReadOptions,
): Promise<TimedReading<LiveAgent>> {
  const agents = await readList(client.agents.list({}, { signal }), {
    noun: "agent",
    scope: "read_agents",
    idOf: ({ id }) => id,
    signal,
    onPage: (read) => onPage?.("agents", read),
  });
  return { ...agents, items: agents.items.map(liveAgent), at: now().toISOString() };
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
