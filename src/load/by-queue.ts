import type { LiveAgent } from "./agent.js";
import { agentsOf, figuresOf, jobsOf, type NamedQueue } from "./figures.js";
import type { LiveJob } from "./job.js";

/** Load of a queue now. */
export interface QueueLoad {
  readonly running: number;
  readonly waiting: number;
  /** Connected agents that can only be this queue's; undefined if agents could not be read. */
  readonly agents: number | undefined;
}

/** The load of all queues of an organization. */
export interface OrganizationLoad {
  readonly queues: ReadonlyMap<string, QueueLoad>;
  /** Agents that more than one queue may have, or none: the API does not show an agent's cluster. */
  readonly unplacedAgents: number;
  /** Open jobs that belong to no queue: they name no cluster, or a queue that is not there. */
  readonly unplacedJobs: number;
}

/** Distributes jobs and agents to queues. */
export function loadByQueue(
  queues: readonly NamedQueue[],
  jobs: readonly LiveJob[],
  agents: readonly LiveAgent[] | undefined,
  now: Date,
): OrganizationLoad {
  const owners = new Map<LiveAgent, string[]>();
  for (const queue of queues) {
    for (const agent of agentsOf(queue, agents ?? []))
      owners.set(agent, [...(owners.get(agent) ?? []), queue.id]);
  }
  const certain = [...owners.values()].flatMap((ids) => (ids.length === 1 ? ids : []));
  const placed = new Set<string>();
  const loads = queues.map((queue): [string, QueueLoad] => {
    const own = jobsOf(queue, jobs);
    for (const { id } of own) placed.add(id);
    const { running, waiting } = figuresOf(own, now);
    const count = certain.filter((id) => id === queue.id).length;
    return [queue.id, { running, waiting, agents: agents === undefined ? undefined : count }];
  });
  return {
    queues: new Map(loads),
    unplacedAgents: (agents?.length ?? 0) - certain.length,
    unplacedJobs: jobs.filter(({ id }) => !placed.has(id)).length,
  };
}
