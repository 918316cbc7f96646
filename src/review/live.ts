import type { AgentToken, Queue, Run } from "../client/index.js";
import { agentsOf, type Figures, figuresOf, jobsOf, type NamedQueue } from "../load/figures.js";
import type { LiveAgent, LiveJob } from "../load/job.js";
import type { Reading, Unread } from "../load/read.js";

/** A cluster as the service has it now. */
export interface LiveCluster {
  readonly id: string;
  readonly name: string;
  readonly defaultQueueId: string | undefined;
  /** Undefined if they were not asked for, or could not be read. */
  readonly queues: readonly Queue[] | undefined;
  readonly agentTokens: readonly AgentToken[] | undefined;
}

/** Something that could not be read, and what the report lacks for it. */
export interface Gap extends Unread {
  /** `jobs`, `agents`, `clusters`, `queues`, `agent tokens`, `runs`. */
  readonly what: string;
}

/** Objects, jobs and agents of the organization that a preview's changes may affect. */
export interface Live {
  /** The service's time when reading ended. */
  readonly now: Date;
  readonly jobs: Reading<LiveJob>;
  readonly agents: Reading<LiveAgent>;
  readonly clusters: ReadonlyMap<string, LiveCluster>;
  /** The latest runs of suites, by the suite's id. */
  readonly runs: ReadonlyMap<string, readonly Run[]>;
  readonly gaps: readonly Gap[];
  readonly requests: number;
}

/** Counts jobs, unless they could not be read. */
export function figuresOrNone(live: Live, jobs: readonly LiveJob[]): Figures | undefined {
  return live.jobs.extent === "missing" ? undefined : figuresOf(jobs, live.now);
}

/** A queue's jobs, its agents, and what the service shows of it. */
export function queueNow(live: Live, queue: Omit<NamedQueue, "isDefault">) {
  const cluster = live.clusters.get(queue.clusterId);
  const isDefault = cluster?.defaultQueueId === queue.id;
  const named = { ...queue, isDefault };
  return {
    isDefault,
    entity: cluster?.queues?.find(({ id }) => id === queue.id),
    jobs: jobsOf(named, live.jobs.items),
    agents: live.agents.extent === "missing" ? undefined : agentsOf(named, live.agents.items),
  };
}

/** Returns the names of the objects that were read: type, id and name of each. */
export function namesIn({ clusters }: Live): (readonly [kind: string, id: string, name: string])[] {
  return [...clusters.values()].flatMap(({ id, name, queues = [], agentTokens = [] }) => [
    ["Cluster", id, name] as const,
    ...queues.map((queue) => ["Queue", queue.id, queue.key] as const),
    ...agentTokens.flatMap((token) =>
      token.description ? [["AgentToken", token.id, token.description] as const] : [],
    ),
  ]);
}
