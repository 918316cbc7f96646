import type { BuildPipelineClient } from "../../../client/index.js";
import { Queue } from "../../../provider/resources/queue.js";
import { counted } from "../../../shared/messages/nouns.js";
import type { Listing } from "../inventory/listing.js";
import { agentsOf, figuresOf, jobsOf } from "./figures.js";
import { type ReadOptions, readAgents, readJobs } from "./read.js";

export interface QueueLoad {
  readonly running: number;
  readonly waiting: number;
  /** Connected agents that can only be this queue's; undefined if agents could not be read. */
  readonly agents: number | undefined;
}

/** The load of an organization's queues, as it was read. */
export type ReadLoad = Awaited<ReturnType<typeof readLoad>>;

/** Reads the jobs and agents of an organization, and distributes them to the queues in a listing. */
export async function readLoad(client: BuildPipelineClient, { objects }: Listing, options: ReadOptions) {
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
  const load = {
    /** By the ids of the queues; empty if jobs could not be read. */
    queues,
    /** When, and whether everything could be read. */
    read,
    /** Gaps in the figures, and the time of reading: a sentence each. */
    remarks,
  };
  if (jobs.extent === "missing") return load;

  const named = objects
    .filter(({ kind }) => kind.name === Queue.kind.name)
    .map(({ id, label, parent }) => ({
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
