import type { Build, BuildPipelineClient } from "../../client/index.js";
import { Queue } from "../../provider/for-commands/kinds.js";
import { counted } from "../../shared/messages/nouns.js";
import type { Listing } from "../inventory/listing.js";
import { type LiveObject, ofKind } from "../inventory/live-object.js";
import { type ListReading, readList, type Unread } from "../inventory/reading.js";
import { agentsOf, figuresOf, jobsOf } from "./figures.js";
import { hasUnknownQueue, type LiveAgent, type LiveJob, liveAgent, liveJobs, MOST_BUILDS } from "./job.js";

/** Builds with jobs that run or may still need an agent. */
const OPEN_BUILDS = ["running", "scheduled", "failing", "blocked", "canceling"] as const;

export interface TimedReading<Item> extends ListReading<Item> {
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

export interface QueueLoad {
  readonly running: number;
  readonly waiting: number;
  /** Connected agents that can only be this queue's; undefined if agents could not be read. */
  readonly agents?: number | undefined;
}

export interface ReadLoad {
  /** By the ids of the queues; empty if jobs could not be read. */
  readonly queues: ReadonlyMap<string, QueueLoad>;
  readonly read: { readonly at: string; readonly isComplete: boolean };
  /** Gaps in the figures, and the time of reading: a sentence each. */
  readonly remarks: readonly string[];
}

/** Returns the objects that jobs and agents name, with what the client returns of them. */
export function queuesAmong(objects: readonly LiveObject[]) {
  return ofKind(objects, Queue.kind);
}

/** Reads the jobs and agents of an organization, and distributes them to the queues in a listing. */
export async function readLoad(
  client: BuildPipelineClient,
  { objects }: Listing,
  options: ReadOptions,
): Promise<ReadLoad> {
  const [jobs, agents] = await Promise.all([readJobs(client, options), readAgents(client, options)]);
  const remarks: string[] = [];
  for (const [what, { extent, unread }] of Object.entries({ Jobs: jobs, Agents: agents })) {
    if (unread !== undefined)
      remarks.push(`${what} are ${extent === "partial" ? "read in part" : "missing"}: ${unread.reason}.`);
    else if (extent === "partial")
      remarks.push("There are more open builds than were read, so figures are the least there is.");
  }
  const queues = new Map<string, QueueLoad>();
  const read = { at: jobs.at, isComplete: jobs.extent === "complete" && agents.extent === "complete" };
  const load = { queues, read, remarks };
  if (jobs.extent === "missing") return load;

  const named = queuesAmong(objects).map(({ id, label, parent }) => ({
    id,
    key: label,
    clusterId: parent?.id ?? "",
    isDefault: parent?.observed.defaultQueueId === id,
  }));
  // An agent whose tags fit several queues is none's for certain.
  const owners = agents.items.flatMap((agent) => {
    const [owner, ...others] = named.filter((queue) => agentsOf(queue, [agent]).length > 0);
    return owner !== undefined && others.length === 0 ? [owner.id] : [];
  });
  const placed = new Set<string>();
  for (const queue of named) {
    const own = jobsOf(queue, jobs.items);
    for (const { id } of own) placed.add(id);
    const { running, waiting } = figuresOf(own, options.now());
    const count = owners.filter((id) => id === queue.id).length;
    queues.set(queue.id, { running, waiting, agents: agents.extent === "missing" ? undefined : count });
  }

  // A job may name no cluster, or a queue that is not there. Agents fit no queue, or several.
  const unplacedJobs = jobs.items.filter(({ id }) => !placed.has(id)).length;
  const unplacedAgents = agents.items.length - owners.length;
  if (unplacedJobs > 0)
    remarks.push(`${counted(unplacedJobs, "open job")} ${isAre(unplacedJobs)} in no queue that is drawn.`);
  if (unplacedAgents > 0)
    remarks.push(
      `${counted(unplacedAgents, "connected agent")} ${isAre(unplacedAgents)} not drawn: the API does not show an agent's ` +
        "cluster, and the tags fit no queue or several.",
    );
  remarks.push(`Jobs read at ${jobs.at}, agents at ${agents.at}.`);
  return load;
}

function isAre(count: number): string {
  return count === 1 ? "is" : "are";
}
