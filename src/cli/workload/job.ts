import type { Agent, Build, Job } from "../../client/index.js";

/** More open builds than this are not read: fifty pages, a minute of a user's rate limit. */
export const MOST_BUILDS = 5_000;

/** A job that has not ended. */
export interface LiveJob extends InQueue {
  readonly id: string;
  /** `running`: an agent has it. `waiting`: it needs nothing but an agent. `later`: a wait or a block step comes first. */
  readonly phase: "running" | "waiting" | "later";
  /** Slug of its pipeline; "" if the service does not show it. */
  readonly pipeline: string;
  readonly build: number;
  /** Since when it waits or runs; ISO 8601, UTC. */
  readonly since: string | undefined;
}

/** A connected agent. The API shows neither its cluster nor its queue, only those of the job that it runs. */
export interface LiveAgent extends InQueue {
  readonly id: string;
  readonly name: string;
  readonly address: string | undefined;
}

/** The cluster and the queue that the service shows of a job, or of the job that an agent runs. */
interface InQueue {
  readonly clusterId: string | undefined;
  readonly queueId: string | undefined;
  /** The queue that its rules or tags name. */
  readonly queueKey: string | undefined;
}

/** States of Buildkite's documentation, which calls its list incomplete. */
const ENDED = new Set([
  "passed",
  "failed",
  "finished",
  "canceled",
  "skipped",
  "broken",
  "expired",
  "timed_out",
]);
const WAITING = new Set([
  "pending",
  "scheduled",
  "limiting",
  "limited",
  "platform_limiting",
  "platform_limited",
]);
const LATER = /^(?:waiting|blocked|unblocked)/;

export function liveJobs({ jobs, pipeline, number }: Build): LiveJob[] {
  return (jobs ?? []).flatMap((job) => {
    const phase = phaseOf(job);
    if (phase === undefined) return [];
    const start =
      phase === "running" ? job.started_at : (job.runnable_at ?? job.scheduled_at ?? job.created_at);
    return {
      id: job.id,
      phase,
      pipeline: pipeline?.slug ?? "",
      build: number,
      clusterId: job.cluster_id ?? undefined,
      // The API promises it for jobs that ran.
      queueId: job.cluster_queue_id ?? undefined,
      queueKey: queueKeyOf(job.agent_query_rules ?? []),
      since: start ?? undefined,
    };
  });
}

/** Returns undefined for a job that has ended, or needs no agent. */
function phaseOf({ type, state, finished_at, agent, retried }: Job): LiveJob["phase"] | undefined {
  // Wait steps, block steps and triggers need no agent.
  if (type !== undefined && type !== null && type !== "script") return undefined;
  if (finished_at || retried || (state && ENDED.has(state))) return undefined;
  if (agent) return "running";
  if (state && LATER.test(state)) return "later";
  // A job in an undocumented state may run.
  return state && WAITING.has(state) ? "waiting" : "running";
}

/**
 * Checks whether a job may run in any queue, because the API leaves out what shows the queue. A job with null for its
 * cluster is in none.
 */
export function hasUnknownQueue(job: Job): boolean {
  if (phaseOf(job) !== "running" || job.cluster_queue_id) return false;
  return job.cluster_id === undefined || (job.cluster_id !== null && job.agent_query_rules == null);
}

export function liveAgent({ id, name, ip_address, meta_data, job }: Agent): LiveAgent {
  return {
    id,
    name,
    address: ip_address ?? undefined,
    queueKey: queueKeyOf(meta_data ?? []),
    clusterId: job?.cluster_id ?? undefined,
    queueId: job?.cluster_queue_id ?? undefined,
  };
}

/** Returns the queue that rules or an agent's tags name: `small` of `queue=small`. */
function queueKeyOf(tags: readonly string[]): string | undefined {
  const tag = tags.find((one) => /^\s*queue\s*=/.test(one));
  return tag?.slice(tag.indexOf("=") + 1).trim();
}
