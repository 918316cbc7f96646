import type { OrganizationData, RecordIn } from "../store/organization-data.js";
import { type JobRecord, wantedQueue } from "./jobs.js";
import { moveJob } from "./progress.js";

type BuildRecord = RecordIn<"builds">;
type AgentRecord = RecordIn<"agents">;

const dispatching = new Set(["scheduled", "running", "failing"]);

/** Which running jobs end, and how. */
export interface FinishedJobs {
  /** Only jobs of this queue. Default: jobs of all queues. */
  queueId?: string;
  /** `passed` or `failed`. Default `passed`. */
  state?: string;
  /** As many at most, those that started first. Default: all. */
  atMost?: number;
}

/**
 * Has idle agents take the jobs that wait for their queue, the oldest first. Agents of a paused queue take none.
 *
 * @returns how many jobs started
 */
export function dispatchJobs(data: OrganizationData, now: string): number {
  const idle = new IdleAgents(data);
  let started = 0;
  for (const { id } of openBuilds(data)) {
    for (const job of data.builds.get(id)?.jobs ?? []) {
      if (idle.none) return started;
      if (job.state !== "scheduled" || job.retried) continue;
      const agent = idle.take(job);
      const build = data.builds.get(id);
      if (agent === undefined || build === undefined) continue;
      moveJob(data, build, job.id, "running", now, agent.id);
      started += 1;
    }
  }
  return started;
}

/**
 * Ends running jobs.
 *
 * @returns how many ended
 */
export function finishJobs(
  data: OrganizationData,
  { queueId, state = "passed", atMost = Number.POSITIVE_INFINITY }: FinishedJobs,
  now: string,
): number {
  const running = runningJobs(data).filter(
    ({ job }) => queueId === undefined || (job.ran_in_queue_id ?? wantedQueue(data, job)?.id) === queueId,
  );
  const ending = running.slice(0, atMost);
  for (const { buildId, job } of ending) end(data, buildId, job.id, state, now);
  return ending.length;
}

/**
 * Brings queues and agents to the present. Each job runs for some seconds, and an agent that becomes idle takes the
 * next one at that moment.
 */
export function catchUp(data: OrganizationData, now: Date, jobSeconds: number): void {
  for (;;) {
    const [next] = runningJobs(data);
    const endsAt = next && Date.parse(next.job.started_at ?? "") + jobSeconds * 1000;
    // The clock of a test may stand anywhere, also before a job's start.
    if (next === undefined || endsAt === undefined || !(endsAt <= now.getTime())) break;
    const at = new Date(endsAt).toISOString();
    end(data, next.buildId, next.job.id, "passed", at);
    dispatchJobs(data, at);
  }
  dispatchJobs(data, now.toISOString());
}

function end(data: OrganizationData, buildId: string, jobId: string, state: string, now: string): void {
  const build = data.builds.get(buildId);
  if (build !== undefined) moveJob(data, build, jobId, state, now);
}

function openBuilds(data: OrganizationData): BuildRecord[] {
  return data.builds.list().filter(({ state, blocked }) => dispatching.has(state) && !blocked);
}

/** Returns the jobs that run, the one that started first at the front. */
function runningJobs(data: OrganizationData): { buildId: string; job: JobRecord }[] {
  const running = openBuilds(data).flatMap(({ id: buildId, jobs }) =>
    jobs.filter(({ state, retried }) => state === "running" && !retried).map((job) => ({ buildId, job })),
  );
  const startOf = ({ started_at }: JobRecord) => Date.parse(started_at ?? "") || 0;
  return running.sort((one, other) => startOf(one.job) - startOf(other.job));
}

/** Connected agents without a job, by the queue they work for. */
class IdleAgents {
  readonly #data: OrganizationData;
  readonly #byQueue = new Map<string | null, AgentRecord[]>();

  constructor(data: OrganizationData) {
    this.#data = data;
    for (const agent of data.agents.list()) {
      if (agent.connection_state !== "connected" || agent.job_id !== null) continue;
      const queue = agent.cluster_queue_id;
      if (queue !== null && data.queues.get(queue)?.dispatch_paused !== false) continue;
      this.#byQueue.set(queue, [...(this.#byQueue.get(queue) ?? []), agent]);
    }
  }

  get none(): boolean {
    return this.#byQueue.size === 0;
  }

  take(job: JobRecord): AgentRecord | undefined {
    const queue = job.home_cluster_id == null ? null : wantedQueue(this.#data, job)?.id;
    if (queue === undefined) return undefined;
    const idle = this.#byQueue.get(queue) ?? [];
    const agent = idle.find(({ meta_data }) => (job.rules ?? []).every((rule) => meta_data.includes(rule)));
    if (agent === undefined) return undefined;
    const left = idle.filter((one) => one !== agent);
    if (left.length === 0) this.#byQueue.delete(queue);
    else this.#byQueue.set(queue, left);
    return agent;
  }
}
