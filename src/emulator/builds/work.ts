import { isUnderway } from "../pipelines/record.js";
import type { OrganizationData } from "../store/collection.js";
import { type JobRecord, wantedQueue } from "./jobs.js";
import { moveJob } from "./progress.js";

/** Which running jobs end, and how. */
export interface FinishedJobs {
  /** Only jobs of this queue. Default: jobs of all queues. */
  queueId?: string;
  /** `passed` or `failed`. Default `passed`. */
  state?: string;
  /** As many at most, those that started first. Default: all. */
  atMost?: number;
}

export function dispatchJobs(data: OrganizationData, now: string): number {
  const idle = data.agents
    .list("connection_state", "connected")
    .filter(({ job_id, cluster_queue_id: queue }) => {
      return job_id === null && (queue === null || data.queues.get(queue)?.dispatch_paused === false);
    });
  let started = 0;
  for (const job of jobsIn(data, "scheduled")) {
    if (idle.length === 0) break;
    const queue = job.home_cluster_id === null ? null : wantedQueue(data, job)?.id;
    const index = idle.findIndex(
      (agent) =>
        agent.cluster_queue_id === queue && job.rules.every((rule) => agent.meta_data.includes(rule)),
    );
    if (index === -1) continue;
    const [agent] = idle.splice(index, 1);
    moveJob(data, job.id, "running", now, agent?.id);
    started += 1;
  }
  return started;
}

export function finishJobs(
  data: OrganizationData,
  { queueId, state = "passed", atMost = Number.POSITIVE_INFINITY }: FinishedJobs,
  now: string,
): number {
  const running = runningJobs(data).filter(
    (job) => queueId === undefined || (job.ran_in_queue_id ?? wantedQueue(data, job)?.id) === queueId,
  );
  const ending = running.slice(0, atMost);
  for (const { id } of ending) moveJob(data, id, state, now);
  return ending.length;
}

/** Each job runs for some seconds, and an agent that becomes idle takes the next one at that moment. */
export function catchUp(data: OrganizationData, now: Date, jobSeconds: number): void {
  for (;;) {
    const [next] = runningJobs(data);
    const endsAt = next && Date.parse(next.started_at ?? "") + jobSeconds * 1000;
    // The clock of a test may stand anywhere, also before a job's start.
    if (next === undefined || endsAt === undefined || !(endsAt <= now.getTime())) break;
    const at = new Date(endsAt).toISOString();
    moveJob(data, next.id, "passed", at);
    dispatchJobs(data, at);
  }
  dispatchJobs(data, now.toISOString());
}

/** Returns the jobs in a state, those of the oldest build at the front. */
function jobsIn(data: OrganizationData, wanted: string): JobRecord[] {
  const builds = data.builds.list().filter(isUnderway);
  return builds.flatMap(({ jobs }) => jobs).filter(({ state, retried }) => state === wanted && !retried);
}

/** Returns the jobs that run, the one that started first at the front. */
function runningJobs(data: OrganizationData): JobRecord[] {
  const startOf = ({ started_at }: JobRecord) => Date.parse(started_at ?? "") || 0;
  return jobsIn(data, "running").sort((one, other) => startOf(one) - startOf(other));
}
