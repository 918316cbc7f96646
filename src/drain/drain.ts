import type { BuildPipelineClient, Queue } from "../client/index.js";
import { type Figures, figuresOf, jobsOf } from "../load/figures.js";
import type { LiveJob } from "../load/job.js";
import { liveJobs } from "../load/job.js";
import { readJobs } from "../load/read.js";
import { isOurs, pause, resume } from "./pause.js";
import type { FoundQueue } from "./queue-name.js";

/** How a drain ended. `overtaken`: someone resumed a queue meanwhile. */
export type DrainEnd = "drained" | "timeout" | "interrupted" | "overtaken";

/** A queue that is drained. */
export interface DrainedQueue extends FoundQueue {
  /** This drain paused it. If not, it was paused before, and nothing here resumes it. */
  readonly pausedHere: boolean;
  readonly figures: Figures;
}

export interface DrainOptions {
  /** Reason in the note of the pause, after its mark. */
  readonly reason?: string | undefined;
  readonly timeoutMs: number;
  /** Time between two looks. */
  readonly intervalMs: number;
  readonly mostBuilds?: number | undefined;
  /** The service's time. */
  readonly now: () => Date;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  readonly onLook: (queues: readonly DrainedQueue[]) => void;
  /** Called for what does not end the drain: a look that failed. */
  readonly onTrouble: (message: string) => void;
}

export interface DrainResult {
  readonly end: DrainEnd;
  readonly queues: readonly DrainedQueue[];
}

/** Looks that may fail one after another. */
const MOST_FAILURES = 5;

/**
 * Pauses queues and waits until no job runs in them. Queues that are paused already are left as they are. An interrupted
 * drain resumes what it paused.
 *
 * @throws before anything is sent, if jobs cannot be counted
 */
export async function drain(
  client: BuildPipelineClient,
  found: readonly FoundQueue[],
  options: DrainOptions,
): Promise<DrainResult> {
  const deadline = performance.now() + options.timeoutMs;
  const { interrupted } = options;
  requireWhole(await readJobs(client, { ...options, signal: interrupted }), options);
  const held: (FoundQueue & { pausedHere: boolean })[] = [];
  try {
    for (const one of found) {
      if (interrupted.aborted) break;
      if (one.queue.dispatch_paused) held.push({ ...one, pausedHere: false });
      else {
        const { queue, paused } = await pause(client, one, options.reason);
        held.push({ ...one, queue, pausedHere: paused });
      }
    }
    return await watch(client, held, deadline, options);
  } catch (error) {
    // After a failure, no queue stays paused that this drain paused.
    await resumeAll(client, held);
    throw error;
  }
}

async function watch(
  client: BuildPipelineClient,
  held: readonly (FoundQueue & { pausedHere: boolean })[],
  deadline: number,
  options: DrainOptions,
): Promise<DrainResult> {
  const { interrupted, onLook, onTrouble, intervalMs, now } = options;
  const looks = new Looks(client, options);
  let queues: DrainedQueue[] = held.map((one) => ({ ...one, figures: figuresOf([], now()) }));
  for (let failures = 0; ; ) {
    try {
      const { jobs, whole } = await looks.next();
      // An interrupted look shows nothing.
      interrupted.throwIfAborted();
      failures = 0;
      queues = held.map((one) => ({ ...one, figures: figuresOf(jobsOf(named(one), jobs), now()) }));
      onLook(queues);
      const isIdle = queues.every(({ figures }) => figures.running === 0);
      if (isIdle && whole) return { end: "drained", queues };
      if (!interrupted.aborted && (await wereResumed(client, held))) return { end: "overtaken", queues };
      looks.follow(queues.flatMap((one) => jobsOf(named(one), jobs)));
      if (isIdle) continue;
    } catch (error) {
      if (!interrupted.aborted) {
        failures += 1;
        if (failures >= MOST_FAILURES) throw error;
        onTrouble(error instanceof Error ? error.message : String(error));
      }
    }
    if (interrupted.aborted) {
      await resumeAll(client, held);
      return { end: "interrupted", queues };
    }
    const left = deadline - performance.now();
    if (left <= 0) return { end: "timeout", queues };
    await wait(Math.min(intervalMs, left), interrupted);
  }
}

/** Reads jobs: all open builds at first and at last, and between only builds that run something, if they are few. */
class Looks {
  readonly #client: BuildPipelineClient;
  readonly #options: DrainOptions;
  #all: readonly LiveJob[] = [];
  #followed: readonly LiveJob[] | undefined;
  #pages = 1;

  constructor(client: BuildPipelineClient, options: DrainOptions) {
    this.#client = client;
    this.#options = options;
  }

  async next(): Promise<{ readonly jobs: readonly LiveJob[]; readonly whole: boolean }> {
    const followed = this.#followed;
    if (followed === undefined) {
      const { interrupted: signal } = this.#options;
      const onPage = (_: string, items: number) => {
        this.#pages = Math.ceil(items / 100);
      };
      const reading = await readJobs(this.#client, { ...this.#options, signal, onPage });
      requireWhole(reading, this.#options);
      this.#all = reading.items;
      return { jobs: this.#all, whole: true };
    }
    const running = await Promise.all(
      buildsOf(followed).map(async ({ pipeline, build }) =>
        liveJobs(await this.#client.builds.get(pipeline, build)),
      ),
    );
    const now = new Map(running.flat().map((job) => [job.id, job]));
    const followedIds = new Set(followed.map(({ id }) => id));
    this.#all = this.#all.flatMap((job) => (followedIds.has(job.id) ? (now.get(job.id) ?? []) : [job]));
    return { jobs: this.#all, whole: false };
  }

  /** Chooses what the next look reads. */
  follow(jobs: readonly LiveJob[]): void {
    const running = jobs.filter(({ phase }) => phase === "running");
    const builds = buildsOf(running);
    const canFollow = builds.length > 0 && builds.every(({ pipeline }) => pipeline !== "");
    this.#followed = canFollow && builds.length <= this.#pages ? running : undefined;
  }
}

function buildsOf(jobs: readonly LiveJob[]): { pipeline: string; build: number }[] {
  return [
    ...new Map(jobs.map(({ pipeline, build }) => [`${pipeline} ${build}`, { pipeline, build }])).values(),
  ];
}

function named({ queue, cluster }: FoundQueue) {
  const isDefault = cluster.default_queue_id === queue.id;
  return { id: queue.id, key: queue.key, clusterId: cluster.id, isDefault };
}

function requireWhole(
  { extent, unread }: Awaited<ReturnType<typeof readJobs>>,
  { mostBuilds, interrupted }: DrainOptions,
): void {
  if (extent === "complete" || interrupted.aborted) return;
  if (unread !== undefined) throw new Error(`Jobs can't be counted: ${unread.reason}.`);
  throw new Error(
    `More than ${mostBuilds} builds are open, so nothing can say that a queue is idle. Raise --max-builds.`,
  );
}

/** Checks whether someone resumed a queue that this drain paused. */
async function wereResumed(
  client: BuildPipelineClient,
  held: readonly (FoundQueue & { pausedHere: boolean })[],
): Promise<boolean> {
  const now = await Promise.all(held.map(({ cluster, queue }) => client.queues.get(cluster.id, queue.id)));
  return now.some(({ dispatch_paused }) => !dispatch_paused);
}

/** Resumes the queues that a drain paused, unless a colleague paused them again since. */
async function resumeAll(
  client: BuildPipelineClient,
  held: readonly (FoundQueue & { pausedHere: boolean })[],
): Promise<void> {
  for (const one of held) {
    if (!one.pausedHere) continue;
    const now: Queue = await client.queues.get(one.cluster.id, one.queue.id);
    if (now.dispatch_paused && (isOurs(now) || now.dispatch_paused_at === one.queue.dispatch_paused_at))
      await resume(client, one);
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
  });
}
