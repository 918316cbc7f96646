import type { LiveAgent, LiveJob } from "./job.js";

/** A queue, as far as jobs and agents name it. */
export interface NamedQueue {
  readonly id: string;
  readonly key: string;
  readonly clusterId: string;
  readonly isDefault: boolean;
}

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
 * Returns the jobs that the service reports in a queue. Of the jobs without a reported queue, it returns those in the
 * queue's cluster with rules that name it or, for a default queue, with rules that name none.
 */
export function jobsOf(queue: NamedQueue, jobs: readonly LiveJob[]): LiveJob[] {
  return jobs.filter((job) => names(queue, job, job.clusterId === queue.clusterId));
}

/**
 * Returns the agents that may work for a queue: those with tags that name it. For a default queue, agents without such
 * tags count as well. Agents with a job of another queue or cluster are left out. Others may belong to a queue with the
 * same key in another cluster: the API does not show an agent's cluster.
 */
export function agentsOf(queue: NamedQueue, agents: readonly LiveAgent[]): LiveAgent[] {
  return agents.filter((agent) =>
    names(queue, agent, (agent.clusterId ?? queue.clusterId) === queue.clusterId),
  );
}

function names(
  queue: NamedQueue,
  { queueId, queueKey }: Pick<LiveJob, "queueId" | "queueKey">,
  isInCluster: boolean,
): boolean {
  if (queueId !== undefined) return queueId === queue.id;
  return isInCluster && (queueKey === undefined ? queue.isDefault : queueKey === queue.key);
}

/** Counts jobs. @param now the service's time */
export function figuresOf(jobs: readonly LiveJob[], now: Date): Figures {
  const count = (phase: LiveJob["phase"], among: readonly LiveJob[] = jobs) =>
    among.filter((job) => job.phase === phase).length;
  const waits = jobs.flatMap(({ phase, since }) => {
    const start = phase === "waiting" && since !== undefined ? Date.parse(since) : Number.NaN;
    return Number.isNaN(start) ? [] : [Math.max(0, Math.round((now.getTime() - start) / 1000))];
  });
  return {
    running: count("running"),
    waiting: count("waiting"),
    later: count("later"),
    oldestWaitSeconds: waits.length === 0 ? undefined : waits.reduce((most, one) => Math.max(most, one)),
    pipelines: [...Map.groupBy(jobs, ({ pipeline }) => pipeline)]
      .map(([slug, own]) => ({ slug, running: count("running", own), waiting: count("waiting", own) }))
      .filter(({ running, waiting }) => running + waiting > 0)
      .sort(
        (one, other) =>
          other.running + other.waiting - one.running - one.waiting || (one.slug < other.slug ? -1 : 1),
      ),
  };
}

/** `3 running, 12 waiting`, with "at least" where not all was read. */
export function figuresInWords(
  { running, waiting }: Pick<Figures, "running" | "waiting">,
  isComplete = true,
): string {
  const figures = `${running.toLocaleString("en-US")} running, ${waiting.toLocaleString("en-US")} waiting`;
  return isComplete ? figures : `at least ${figures}`;
}

/** `45 s`, `12 min`, `3 h 20 min`, `2 days`. */
export function durationInWords(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
