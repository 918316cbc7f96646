import type { BuildPipelineClient } from "../client/index.js";
import type { Listing } from "../inventory/listing.js";
import { Queue } from "../resources/queue.js";
import { loadByQueue, type QueueLoad } from "./by-queue.js";
import { type ReadOptions, readAgents, readJobs } from "./read.js";

/** The load of an organization's queues, as it was read. */
export interface ReadLoad {
  /** By the ids of the queues; empty if jobs could not be read. */
  readonly queues: ReadonlyMap<string, QueueLoad>;
  /** When, and whether everything could be read. */
  readonly read: { readonly at: string; readonly isComplete: boolean };
  /** Gaps in the figures, and the time of reading: a sentence each. */
  readonly remarks: readonly string[];
}

/** Reads the jobs and agents of the queues in a listing. */
export async function readLoad(
  client: BuildPipelineClient,
  { objects }: Listing,
  options: ReadOptions,
): Promise<ReadLoad> {
  const [jobs, agents] = await Promise.all([readJobs(client, options), readAgents(client, options)]);
  const remarks: string[] = [];
  for (const [what, { extent, unread }] of [
    ["Jobs", jobs],
    ["Agents", agents],
  ] as const) {
    if (unread !== undefined)
      remarks.push(`${what} are ${extent === "partial" ? "read in part" : "missing"}: ${unread.reason}.`);
    else if (extent === "partial")
      remarks.push("There are more open builds than were read, so figures are the least there is.");
  }
  const read = { at: jobs.at, isComplete: jobs.extent === "complete" && agents.extent === "complete" };
  if (jobs.extent === "missing") return { queues: new Map(), read, remarks };
  const queues = objects
    .filter(({ kind }) => kind.name === Queue.kind.name)
    .map(({ id, label, parent }) => ({
      id,
      key: label,
      clusterId: parent?.id ?? "",
      isDefault: parent?.observed.defaultQueueId === id,
    }));
  const known = agents.extent === "missing" ? undefined : agents.items;
  const load = loadByQueue(queues, jobs.items, known, options.now());
  if (load.unplacedJobs > 0) remarks.push(`${load.unplacedJobs} open jobs belong to no queue that is drawn.`);
  if (load.unplacedAgents > 0)
    remarks.push(
      `${load.unplacedAgents} connected agents are not drawn: the API does not show an agent's cluster, and their tags fit no queue or several.`,
    );
  remarks.push(`Jobs read at ${jobs.at}, agents at ${agents.at}.`);
  return { queues: load.queues, read, remarks };
}
