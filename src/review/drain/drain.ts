import { setTimeout } from "node:timers/promises";
import type { ListReading } from "../../cli/inventory/reading.js";
import { figuresOf, jobsOf } from "../../cli/workload/figures.js";
import { type LiveJob, liveJobs } from "../../cli/workload/job.js";
import { readJobs } from "../../cli/workload/read.js";
import { type BuildPipelineClient, NotFoundError } from "../../client/index.js";
import { messageOf } from "../../shared/messages/of-error.js";
import {
  type DrainEnd,
  type DrainedQueue,
  type DrainResult,
  howToResume,
  loadInWords,
  stillPausedInWords,
} from "./ends.js";
import { isStill, newNote, type PauseRecord, pauseOf, resumeQueues, sendPause } from "./pause.js";
import { type FoundQueue, isStillThere, namedQueue, placeOf } from "./queues.js";

export interface DrainOptions {
  readonly reason?: string | undefined;
  readonly timeoutMs: number;
  readonly intervalMs: number;
  readonly mostBuilds: number;
  /** The service's time. */
  readonly now: () => Date;
  readonly interrupted: AbortSignal;
  /** Has each pause before it is sent. If it can't be written, the drain fails. */
  readonly record?: Pick<PauseRecord, "file" | "add"> | undefined;
  readonly onLook: (load: string) => void;
  /** Called with what does not end the drain: a look that failed, or a deleted queue, whose jobs are still waited for. */
  readonly onRemark: (sentence: string) => void;
}

/** The jobs that a look showed. They are complete only if all open builds were read. */
interface Look extends ListReading<LiveJob> {
  /** Requests for all open builds. */
  readonly pages: number;
}

const MOST_FAILURES_IN_A_ROW = 5;

export class Drain {
  /** What it finds out about the queues is here also when it fails. */
  #queues: DrainedQueue[] = [];
  readonly #deadline: number;

  constructor(
    private readonly client: BuildPipelineClient,
    private readonly options: DrainOptions,
  ) {
    this.#deadline = performance.now() + options.timeoutMs;
  }

  /** Leaves queues as they are that are paused already. @throws before anything is sent, if jobs cannot be counted */
  async run(found: readonly FoundQueue[]): Promise<DrainResult> {
    await this.#lookAtAll();
    try {
      for (const one of found) if (!this.options.interrupted.aborted) await this.#pause(one);
      return await this.#watch();
    } catch (error) {
      const words = stillPausedInWords(await this.#resume(), this.options.record?.file);
      if (words === undefined) throw error;
      throw new Error(`${withoutPeriod(messageOf(error))}. ${words}`, { cause: error });
    }
  }

  /** Returns the command that resumes what it has paused, if this process ends now. */
  lastWords(): string[] {
    const held = this.#held();
    return held.length === 0 ? [] : [howToResume(held, this.options.record?.file)];
  }

  async #pause(one: FoundQueue): Promise<void> {
    const { record, reason, now } = this.options;
    const watched = { ...one, pause: undefined, deleted: false, figures: figuresOf([], now()) };
    this.#queues.push(watched);
    if (one.queue.dispatch_paused) return;
    const note = newNote(reason);
    record?.add(one, note);
    // A pause that fails may be carried out all the same.
    this.#queues.splice(-1, 1, { ...watched, pause: { note } });
    const sent = await this.#unlessDeleted(one, () => sendPause(this.client, one, note));
    this.#queues.splice(-1, 1, { ...watched, ...sent, deleted: sent === undefined });
  }

  #held() {
    return this.#queues.filter(({ pause, deleted }) => pause !== undefined && !deleted);
  }

  #resume() {
    return resumeQueues(this.client, this.#held(), (now, { pause = {} }) => isStill(pause, now));
  }

  async #watch(): Promise<DrainResult> {
    const { interrupted, onRemark, intervalMs } = this.options;
    let failures = 0;
    let look: Look | undefined;
    /** Jobs with builds that are read by themselves. Undefined: all open builds are read. */
    let followed: readonly LiveJob[] | undefined;
    for (;;) {
      let failure: unknown;
      try {
        look = await this.#look(look, followed);
        failures = 0;
      } catch (error) {
        look = undefined;
        failure = error;
        failures += 1;
      }
      const doubt = look === undefined ? withoutPeriod(messageOf(failure)) : look.unread?.reason;
      const ended = async (end: DrainEnd): Promise<DrainResult> => {
        const resumed = end === "interrupted" ? await this.#resume() : [];
        return { end, queues: this.#queues, resumed, doubt };
      };
      if (interrupted.aborted) return ended("interrupted");
      if (failures >= MOST_FAILURES_IN_A_ROW) throw failure;
      if (this.#queues.some(({ overtaken }) => overtaken)) return ended("overtaken");
      const jobs = this.#queues.flatMap((one) => jobsOf(namedQueue(one), look?.items ?? []));
      const running = jobs.filter(({ phase }) => phase === "running");
      const isIdle = look !== undefined && running.length === 0;
      // Only a look at all open builds shows that a queue is idle.
      if (isIdle && look?.extent === "complete") return ended("drained");
      followed = look !== undefined && areFew(running, look) ? running : undefined;
      // The jobs that were followed have ended, and others may have started before the pause.
      if (isIdle && look?.unread === undefined) continue;
      if (performance.now() >= this.#deadline) return ended("timeout");
      if (doubt !== undefined) onRemark(`A look failed, and the next one follows: ${doubt}.`);
      const wait = Math.min(intervalMs, Math.max(0, this.#deadline - performance.now()));
      await setTimeout(wait, undefined, { signal: interrupted }).catch(() => undefined);
    }
  }

  /** Reads jobs, and then the queues: one that was resumed during the look may have started a job behind its back. */
  async #look(last: Look | undefined, follow: readonly LiveJob[] | undefined): Promise<Look> {
    const { interrupted, onLook, now } = this.options;
    const look = last && follow ? await this.#lookAgain(last, follow) : await this.#lookAtAll();
    // An interrupted look shows nothing.
    interrupted.throwIfAborted();
    this.#queues = this.#queues.map((one) => ({
      ...one,
      figures: figuresOf(jobsOf(namedQueue(one), look.items), now()),
    }));
    onLook(loadInWords(this.#queues));
    this.#queues = await Promise.all(this.#queues.map((one) => this.#after(one)));
    return look;
  }

  /** Reads a queue after a look: whether it still exists, and whether it stayed paused all the time. */
  async #after(one: DrainedQueue): Promise<DrainedQueue> {
    if (one.deleted) return one;
    const { cluster, queue } = one;
    const now = await this.#unlessDeleted(one, () => this.client.queues.get(cluster.id, queue.id));
    if (now === undefined) return { ...one, deleted: true };
    return isStill(pauseOf(queue), now) ? one : { ...one, queue: now, overtaken: true };
  }

  async #unlessDeleted<Result>(one: FoundQueue, send: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof NotFoundError) || (await isStillThere(this.client, one))) throw error;
      this.options.onRemark(`${placeOf(one)} was deleted meanwhile.`);
      return undefined;
    }
  }

  /** Reads all open builds. @throws if jobs can't be counted, and the next read would miss the same */
  async #lookAtAll(): Promise<Look> {
    const { interrupted, mostBuilds } = this.options;
    let pages = 1;
    const onPage = (_: string, items: number) => {
      pages = Math.ceil(items / 100);
    };
    const reading = await readJobs(this.client, { ...this.options, signal: interrupted, onPage });
    const { extent, unread } = reading;
    if (extent === "complete" || unread?.isPassing || interrupted.aborted) return { ...reading, pages };
    throw new Error(
      unread === undefined
        ? `More than ${mostBuilds} builds are open, so nothing can say that a queue is idle. Raise --max-builds.`
        : // Error jobs-uncounted: The list of builds can't be read.
          // Fix: Check the access token's scope `read_builds`.
          `Jobs can't be counted: ${unread.reason}.`,
    );
  }

  async #lookAgain(last: Look, followed: readonly LiveJob[]): Promise<Look> {
    const reads = buildsOf(followed).map(({ pipeline, build }) => this.client.builds.get(pipeline, build));
    const now = new Map((await Promise.all(reads)).flatMap(liveJobs).map((job) => [job.id, job]));
    const ids = new Set(followed.map(({ id }) => id));
    const items = last.items.flatMap((job) => (ids.has(job.id) ? (now.get(job.id) ?? []) : [job]));
    return { items, extent: "partial", pages: last.pages };
  }
}

/** Checks whether reading the builds of jobs takes no more requests than reading all open builds. */
function areFew(jobs: readonly LiveJob[], { pages }: Look): boolean {
  const builds = buildsOf(jobs);
  return builds.length > 0 && builds.length <= pages && builds.every(({ pipeline }) => pipeline !== "");
}

function buildsOf(jobs: readonly LiveJob[]): Pick<LiveJob, "pipeline" | "build">[] {
  return [...new Map(jobs.map((job) => [`${job.pipeline} ${job.build}`, job])).values()];
}

const withoutPeriod = (sentence: string) => sentence.replace(/[.\s]*$/, "");
