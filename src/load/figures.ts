import type { LiveAgent } from "./agent.js";
import type { LiveJob } from "./job.js";

/** A queue, as far as jobs and agents name it. */
export interface NamedQueue {
  readonly id: string;
  readonly key: string;
  readonly clusterId: string;
  /** True if it is the default queue of its cluster. */
  readonly isDefault: boolean;
}

/** How many jobs there are. */
export interface Figures {
  readonly running: number;
  readonly waiting: number;
  /** Jobs behind a wait or a block step. */
  readonly later: number;
  /** How long the job waits that waits longest. */
  readonly oldestWaitSeconds: number | undefined;
  /** The same by pipeline, the busiest first. */
  readonly pipelines: readonly {
    readonly slug: string;
    readonly running: number;
    readonly waiting: number;
  }[];
}

/**
 * Returns the jobs of a queue. These are the jobs that the service reports in it. Of the jobs without a reported queue,
 * these are the ones in the cluster with rules that name the queue. For a default queue, jobs with rules that name no
 * queue count as well.
 */
export function jobsOf(queue: NamedQueue, jobs: readonly LiveJob[]): LiveJob[] {
  return jobs.filter(({ clusterId, queueId, queueKey }) => {
    if (queueId !== undefined) return queueId === queue.id;
    if (clusterId !== queue.clusterId) return false;
    return queueKey === undefined ? queue.isDefault : queueKey === queue.key;
  });
}

/**
 * Returns the agents that may work for a queue: those with tags that name it. For a default queue, agents without such
 * tags count as well. Agents with a job of another queue or cluster are left out. Others may belong to a queue with the
 * same key in another cluster: the API does not show an agent's cluster.
 */
export function agentsOf(queue: NamedQueue, agents: readonly LiveAgent[]): LiveAgent[] {
  return agents.filter(({ clusterId, queueId, queueKey }) => {
    if (queueId !== undefined) return queueId === queue.id;
    if (clusterId !== undefined && clusterId !== queue.clusterId) return false;
    return queueKey === undefined ? queue.isDefault : queueKey === queue.key;
  });
}

/** Counts jobs. @param now the service's time */
export function figuresOf(jobs: readonly LiveJob[], now: Date): Figures {
  const count = (phase: LiveJob["phase"], among: readonly LiveJob[] = jobs) =>
    among.filter((job) => job.phase === phase).length;
  const waits = jobs.flatMap(({ phase, since }) => {
    const start = phase === "waiting" && since !== undefined ? Date.parse(since) : Number.NaN;
    return Number.isNaN(start) ? [] : [Math.max(0, Math.round((now.getTime() - start) / 1000))];
  });
  const byPipeline = new Map<string, LiveJob[]>();
  for (const job of jobs) {
    const own = byPipeline.get(job.pipeline);
    if (own === undefined) byPipeline.set(job.pipeline, [job]);
    else own.push(job);
  }
  const pipelines = [...byPipeline]
    .map(([slug, own]) => ({ slug, running: count("running", own), waiting: count("waiting", own) }))
    .filter(({ running, waiting }) => running + waiting > 0);
  pipelines.sort(
    (one, other) =>
      other.running + other.waiting - one.running - one.waiting || (one.slug < other.slug ? -1 : 1),
  );
  return {
    running: count("running"),
    waiting: count("waiting"),
    later: count("later"),
    oldestWaitSeconds: waits.length === 0 ? undefined : waits.reduce((most, one) => Math.max(most, one)),
    pipelines,
  };
}
