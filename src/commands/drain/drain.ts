import { setTimeout } from "node:timers/promises";
import { type BuildPipelineClient, NotFoundError } from "../../client/index.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { figuresOf, jobsOf } from "../shared/workload/figures.js";
import { type LiveJob, liveJobs } from "../shared/workload/job.js";
import { readJobs } from "../shared/workload/read.js";
import { type DrainResult, stillPausedInWords } from "./ends.js";
import { isStillThere } from "./find-queues.js";
import { type DrainedQueue, isStill, newNote, pauseOf, resumeHeld, sendPause } from "./pause.js";
import { type FoundQueue, namedQueue, placeOf } from "./queue-name.js";
import type { PauseRecord } from "./record.js";
import { buildsOf, type Look, nextStep, type Step } from "./step.js";

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
  /** Has each pause before it is sent, and its time when that is known. If it can't be written, the drain fails. */
  readonly record?: Pick<PauseRecord, "file" | "add"> | undefined;
  /** Called after each look. */
  readonly onLook: (queues: readonly DrainedQueue[]) => void;
  /** Called with what does not end the drain: a look that failed, or a deleted queue, whose jobs are still waited for. */
  readonly onRemark: (sentence: string) => void;
}

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
  const { interrupted, record } = options;
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
      const note = newNote(options.reason);
      record?.add(one, { note });
      // A pause that fails may be carried out all the same.
      queues.push({ ...watched, pause: { note } });
      const sent = await unlessDeleted(client, one, options, () => sendPause(client, one, note));
      if (sent?.pause) record?.add(one, sent.pause);
      queues.splice(-1, 1, { ...watched, ...sent, deleted: sent === undefined });
    }
    return await watch(client, queues, deadline, options);
  } catch (error) {
    const words = stillPausedInWords(await resumeHeld(client, queues), record?.file);
    if (words === undefined) throw error;
    throw new Error(`${messageOf(error).replace(/[.\s]*$/, ".")} ${words}`, { cause: error });
  }
}

/** Looks until the drain ends. What it finds out about the queues is in the list, also when it fails. */
async function watch(
  client: BuildPipelineClient,
  queues: DrainedQueue[],
  deadline: number,
  options: DrainOptions,
): Promise<DrainResult> {
  const { interrupted, onRemark, intervalMs } = options;
  let step: Step = { waits: false };
  let look: Look | undefined;
  for (let failures = 0; ; ) {
    let failure: unknown;
    try {
      look = await lookOnce(client, queues, look, step.follow, options);
      failures = 0;
    } catch (error) {
      look = undefined;
      failure = error;
      failures += 1;
    }
    const doubt = look === undefined ? withoutPeriod(messageOf(failure)) : look.unread?.reason;
    step = nextStep({
      look,
      running: queues.flatMap((one) => jobsIn(one, look)).filter(({ phase }) => phase === "running"),
      failures,
      isOvertaken: queues.some(({ overtaken }) => overtaken),
      isInterrupted: interrupted.aborted,
      isTimeUp: performance.now() >= deadline,
    });
    if (step.end === "failed") throw failure;
    if (step.end !== undefined) {
      const resumed = step.end === "interrupted" ? await resumeHeld(client, queues) : [];
      return { end: step.end, queues, resumed, doubt };
    }
    if (doubt !== undefined) onRemark(`A look failed, and the next one follows: ${doubt}.`);
    const left = Math.max(0, deadline - performance.now());
    if (step.waits)
      await setTimeout(Math.min(intervalMs, left), undefined, { signal: interrupted }).catch(() => undefined);
  }
}

/**
 * Reads jobs, and then the queues: one that was resumed during the look may have started a job behind its back.
 *
 * @param follow jobs of the last look, if only their builds are read
 * @throws also if it is interrupted, because an interrupted look shows nothing
 */
async function lookOnce(
  client: BuildPipelineClient,
  queues: DrainedQueue[],
  last: Look | undefined,
  follow: readonly LiveJob[] | undefined,
  options: DrainOptions,
): Promise<Look> {
  const look =
    last === undefined || follow === undefined
      ? await lookAtAll(client, options)
      : await lookAgain(client, last, follow);
  options.interrupted.throwIfAborted();
  for (const [index, one] of queues.entries())
    queues[index] = { ...one, figures: figuresOf(jobsIn(one, look), options.now()) };
  options.onLook(queues);
  const after = await Promise.all(queues.map((one) => afterLook(client, one, options)));
  queues.splice(0, queues.length, ...after);
  return look;
}

const jobsIn = (queue: DrainedQueue, look: Look | undefined) => jobsOf(namedQueue(queue), look?.items ?? []);
const withoutPeriod = (sentence: string) => sentence.replace(/[.\s]*$/, "");

/** Reads a queue after a look: whether it still exists, and whether it stayed paused all the time. */
async function afterLook(
  client: BuildPipelineClient,
  one: DrainedQueue,
  options: DrainOptions,
): Promise<DrainedQueue> {
  if (one.deleted) return one;
  const { cluster, queue } = one;
  const now = await unlessDeleted(client, one, options, () => client.queues.get(cluster.id, queue.id));
  if (now === undefined) return { ...one, deleted: true };
  return isStill(pauseOf(queue), now) ? one : { ...one, queue: now, overtaken: true };
}

/** Sends a request about a queue. Undefined if someone deleted the queue. */
async function unlessDeleted<Result>(
  client: BuildPipelineClient,
  one: FoundQueue,
  { onRemark }: DrainOptions,
  send: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof NotFoundError) || (await isStillThere(client, one))) throw error;
    onRemark(`${placeOf(one)} was deleted meanwhile.`);
    return undefined;
  }
}

/** Reads all open builds. @throws if jobs can't be counted, and the next read would miss the same */
async function lookAtAll(client: BuildPipelineClient, options: DrainOptions): Promise<Look> {
  const { interrupted, mostBuilds } = options;
  let pages = 1;
  const onPage = (_: string, items: number) => {
    pages = Math.ceil(items / 100);
  };
  const reading = await readJobs(client, { ...options, signal: interrupted, onPage });
  const { extent, unread } = reading;
  if (extent === "complete" || unread?.isPassing || interrupted.aborted) return { ...reading, pages };
  throw new Error(
    unread === undefined
      ? `More than ${mostBuilds} builds are open, so nothing can say that a queue is idle. Raise --max-builds.`
      : `Jobs can't be counted: ${unread.reason}.`,
  );
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
