import { setTimeout } from "node:timers/promises";
import { type BuildPipelineClient, NotFoundError } from "../../client/index.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { figuresOf, jobsOf } from "../shared/workload/figures.js";
import { type LiveJob, liveJobs } from "../shared/workload/job.js";
import { type Reading, readJobs } from "../shared/workload/read.js";
import {
  type DrainedQueue,
  isStill,
  isStillThere,
  newPause,
  type Pause,
  pauseOf,
  resumeHeld,
  sendPause,
} from "./pause.js";
import { type FoundQueue, namedQueue, type ResumedQueue, stillPausedInWords } from "./queue-name.js";

/** How a drain ended. `overtaken`: someone resumed a queue meanwhile. */
export type DrainEnd = "drained" | "timeout" | "interrupted" | "overtaken";

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
  /** Called before a pause is sent, and again when its time is known. If it throws, the drain fails. */
  readonly onPause: (queue: FoundQueue, pause: Pause) => void;
  /** The file that has the pauses, for messages. */
  readonly record?: string | undefined;
  readonly onLook: (queues: readonly DrainedQueue[]) => void;
  /** Called for what does not end the drain: a look that failed. */
  readonly onTrouble: (message: string) => void;
  /** Called when a queue turns out to be deleted. Its jobs are still waited for. */
  readonly onDeleted: (queue: FoundQueue) => void;
}

export interface DrainResult {
  readonly end: DrainEnd;
  readonly queues: readonly DrainedQueue[];
  /** What became of the queues that an interrupted drain had paused. */
  readonly resumed: readonly ResumedQueue[];
  /** Why the last look doesn't show all jobs. */
  readonly doubt?: string | undefined;
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
  await lookAtAll(client, options);
  const queues: DrainedQueue[] = [];
  try {
    for (const one of found) {
      if (interrupted.aborted) break;
      const watched = { ...one, pause: undefined, deleted: false, figures: figuresOf([], options.now()) };
      if (one.queue.dispatch_paused) {
        queues.push(watched);
        continue;
      }
      const pause = newPause(options.reason);
      options.onPause(one, pause);
      // A pause that fails may be carried out all the same.
      queues.push({ ...watched, pause });
      const sent = await unlessDeleted(client, one, options, () => sendPause(client, one, pause));
      if (sent?.pause) options.onPause(one, sent.pause);
      queues.splice(-1, 1, { ...watched, ...sent, deleted: sent === undefined });
    }
    return await watch(client, queues, deadline, options);
  } catch (error) {
    throw withStillPaused(error, await resumeHeld(client, queues), options);
  }
}

/** Looks until no job runs. What it finds out about the queues is in the list, also when it fails. */
async function watch(
  client: BuildPipelineClient,
  queues: DrainedQueue[],
  deadline: number,
  options: DrainOptions,
): Promise<DrainResult> {
  const { interrupted, onLook, onTrouble, intervalMs, now } = options;
  /** The last look and the jobs that ran in the queues, if the next look can follow these. */
  let last: { readonly look: Look; readonly running: readonly LiveJob[] } | undefined;
  let doubt: string | undefined = "no look was complete";
  const ended = (end: DrainEnd, resumed: readonly ResumedQueue[] = []): DrainResult => ({
    end,
    queues,
    resumed,
    doubt,
  });
  for (let failures = 0; ; ) {
    try {
      const look =
        last === undefined
          ? await lookAtAll(client, options)
          : await lookAgain(client, last.look, last.running);
      // An interrupted look shows nothing.
      interrupted.throwIfAborted();
      doubt = look.unread?.reason;
      const jobs = (one: DrainedQueue) => jobsOf(namedQueue(one), look.items);
      for (const [index, one] of queues.entries())
        queues[index] = { ...one, figures: figuresOf(jobs(one), now()) };
      onLook(queues);
      // A queue that was resumed during the look may have started a job behind its back.
      const after = await stateAfter(client, queues, options);
      interrupted.throwIfAborted();
      queues.splice(0, queues.length, ...after.queues);
      if (after.resumed) return ended("overtaken");
      failures = 0;
      const isIdle = queues.every(({ figures: { running } }) => running === 0);
      if (isIdle && look.extent === "complete") return ended("drained");
      if (doubt !== undefined) onTrouble(`${doubt}.`);
      const running = queues.flatMap(jobs).filter(({ phase }) => phase === "running");
      last = areFew(running, look) ? { look, running } : undefined;
      if (isIdle && doubt === undefined) continue;
    } catch (error) {
      if (!interrupted.aborted) {
        failures += 1;
        if (failures >= MOST_FAILURES) throw error;
        doubt = messageOf(error);
        onTrouble(doubt);
        last = undefined;
      }
    }
    if (interrupted.aborted) return ended("interrupted", await resumeHeld(client, queues));
    const left = deadline - performance.now();
    if (left <= 0) return ended("timeout");
    await setTimeout(Math.min(intervalMs, left), undefined, { signal: interrupted }).catch(() => undefined);
  }
}

/** Reads the queues after a look: whether they still exist, and whether they stayed paused all the time. */
async function stateAfter(
  client: BuildPipelineClient,
  queues: readonly DrainedQueue[],
  options: DrainOptions,
): Promise<{ readonly queues: readonly DrainedQueue[]; readonly resumed: boolean }> {
  const states = await Promise.all(
    queues.map(async (one) => {
      if (one.deleted) return { one, resumed: false };
      const { cluster, queue } = one;
      const now = await unlessDeleted(client, one, options, () => client.queues.get(cluster.id, queue.id));
      if (now === undefined) return { one: { ...one, deleted: true }, resumed: false };
      const resumed = !isStill(pauseOf(queue), now);
      return { one: resumed ? { ...one, queue: now } : one, resumed };
    }),
  );
  return { queues: states.map(({ one }) => one), resumed: states.some(({ resumed }) => resumed) };
}

/** Sends a request about a queue. Undefined if someone deleted the queue. */
async function unlessDeleted<Result>(
  client: BuildPipelineClient,
  one: FoundQueue,
  { onDeleted }: DrainOptions,
  send: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof NotFoundError) || (await isStillThere(client, one))) throw error;
    onDeleted(one);
    return undefined;
  }
}

/** The jobs that a look showed. They are complete only if all open builds were read. */
interface Look extends Pick<Reading<LiveJob>, "items" | "extent" | "unread"> {
  /** Requests for all open builds. */
  readonly pages: number;
}

/** Reads all open builds. @throws if jobs can't be counted */
async function lookAtAll(client: BuildPipelineClient, options: DrainOptions): Promise<Look> {
  let pages = 1;
  const onPage = (_: string, items: number) => {
    pages = Math.ceil(items / 100);
  };
  const reading = await readJobs(client, { ...options, signal: options.interrupted, onPage });
  requireCountable(reading, options);
  return { ...reading, pages };
}

/** Reads the builds of these jobs again, and nothing else. */
async function lookAgain(
  client: BuildPipelineClient,
  last: Look,
  followed: readonly LiveJob[],
): Promise<Look> {
  const builds = await Promise.all(
    buildsOf(followed).map(async ({ pipeline, build }) => liveJobs(await client.builds.get(pipeline, build))),
  );
  const now = new Map(builds.flat().map((job) => [job.id, job]));
  const ids = new Set(followed.map(({ id }) => id));
  const items = last.items.flatMap((job) => (ids.has(job.id) ? (now.get(job.id) ?? []) : [job]));
  return { items, extent: "partial", pages: last.pages };
}

/** Checks whether reading the builds of jobs takes no more requests than reading all open builds. */
function areFew(jobs: readonly LiveJob[], { pages }: Look): boolean {
  const builds = buildsOf(jobs);
  return builds.length > 0 && builds.length <= pages && builds.every(({ pipeline }) => pipeline !== "");
}

function buildsOf(jobs: readonly LiveJob[]): { pipeline: string; build: number }[] {
  return [
    ...new Map(jobs.map(({ pipeline, build }) => [`${pipeline} ${build}`, { pipeline, build }])).values(),
  ];
}

/** @throws if jobs can't be counted, and the next read would miss the same */
function requireCountable(
  { extent, unread }: Reading<LiveJob>,
  { mostBuilds, interrupted }: DrainOptions,
): void {
  if (extent === "complete" || unread?.isPassing || interrupted.aborted) return;
  if (unread !== undefined) throw new Error(`Jobs can't be counted: ${unread.reason}.`);
  throw new Error(
    `More than ${mostBuilds} builds are open, so nothing can say that a queue is idle. Raise --max-builds.`,
  );
}

/** Returns an error that also names the queues that stay paused after it. */
function withStillPaused(
  error: unknown,
  resumed: readonly ResumedQueue[],
  { record }: DrainOptions,
): unknown {
  const words = stillPausedInWords(resumed, record);
  if (words === undefined) return error;
  return new Error(`${messageOf(error).replace(/[.\s]*$/, ".")} ${words}`, { cause: error });
}
