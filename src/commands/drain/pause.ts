import { randomBytes } from "node:crypto";
import { type BuildPipelineClient, NotFoundError, type Queue, ValidationError } from "../../client/index.js";
import { sendWrite, type Write } from "../../client/write.js";
import { messageOf } from "../../shared/messages/of-error.js";
import type { Figures } from "../shared/workload/figures.js";
import { isStillThere } from "./find-queues.js";
import type { FoundQueue } from "./queue-name.js";

/** A pause of a queue. */
export interface Pause {
  /** The note of a drain has a random number, so no other pause has the same note. */
  readonly note?: string | null | undefined;
  /** Undefined until a response shows it. */
  readonly at?: string | null | undefined;
}

/** Returns a pause that a drain is about to send. */
export function newPause(reason: string | undefined): Pause & { readonly note: string } {
  const start = `${new Date().toISOString()}#${randomBytes(4).toString("hex")}`;
  return {
    note: `Draining (buildpipeline drain) since ${start}${reason === undefined ? "" : `: ${reason.trim()}`}`,
  };
}

/** Returns the pause that a queue has, as a response shows it. */
export function pauseOf({ dispatch_paused_note: note, dispatch_paused_at: at }: Queue): Pause {
  return { note, at };
}

/** Checks whether a queue still has a pause: someone may have resumed it and paused it again. */
export function isStill({ note, at }: Pause, queue: Queue): boolean {
  if (!queue.dispatch_paused || (note && queue.dispatch_paused_note !== note)) return false;
  return isSameInstant(at ?? "", queue.dispatch_paused_at ?? "");
}

/** Compares times at the precision of the coarser one. An unknown time contradicts nothing. */
function isSameInstant(one: string, other: string): boolean {
  const digits = [one, other].map((time) => /\.(\d+)/.exec(time)?.[1]?.length ?? 0);
  const difference = Math.abs(Date.parse(one) - Date.parse(other));
  return Number.isNaN(difference) || difference < 10 ** (3 - Math.min(3, ...digits));
}

/**
 * Pauses a queue.
 *
 * @returns the queue, and its pause if this call made it: a colleague may have been faster
 */
export async function sendPause(
  client: BuildPipelineClient,
  one: FoundQueue,
  { note }: { readonly note: string },
): Promise<{ readonly queue: Queue; readonly pause: (Pause & { readonly note: string }) | undefined }> {
  const isMade = (queue: Queue) => queue.id === one.queue.id && isStill({ note }, queue);
  const made = (queue: Queue) => ({ queue, pause: { note, at: queue.dispatch_paused_at } });
  return settled(client, one, {
    send: () => client.queues.pauseDispatch(one.cluster.id, one.queue.id, { note }),
    accept(queue) {
      if (!isMade(queue))
        throw new Error(`The API responded with success, but ${one.queue.key} doesn't have this pause.`);
      return made(queue);
    },
    found(queue) {
      if (isMade(queue)) return made(queue);
      return queue.dispatch_paused ? { queue, pause: undefined } : undefined;
    },
  });
}

/** Resumes a queue, unless its pause is no longer the one that was read: then nothing is left to do. */
async function sendResume(client: BuildPipelineClient, one: FoundQueue): Promise<void> {
  const read = pauseOf(one.queue);
  await settled(client, one, {
    send: () => client.queues.resumeDispatch(one.cluster.id, one.queue.id),
    accept(queue) {
      if (queue.id !== one.queue.id || queue.dispatch_paused)
        throw new Error(`The API responded with success, but ${one.queue.key} is still paused.`);
      return queue;
    },
    found: (queue) => (isStill(read, queue) ? undefined : queue),
  });
}

/** Sends a write that the service refuses if the queue is as wanted already: a colleague may have been faster. */
async function settled<Result>(
  client: BuildPipelineClient,
  { queue, cluster }: FoundQueue,
  {
    found,
    ...write
  }: Pick<Write<Queue, Result>, "send" | "accept"> & {
    /** Returns the result if the queue is as wanted. */
    readonly found: (queue: Queue) => Result | undefined;
  },
): Promise<Result> {
  const look = async (_: unknown, error: unknown) => {
    const now = await client.queues.get(cluster.id, queue.id).catch(() => {
      throw error;
    });
    return found(now);
  };
  const outcome = await sendWrite({ ...write, look, repeats: "refused" });
  if (outcome.is === "made") return outcome.result;
  const result = outcome.error instanceof ValidationError ? await look([], outcome.error) : undefined;
  if (result === undefined) throw outcome.error;
  return result;
}

/** A queue that a drain holds paused. */
export interface DrainedQueue extends FoundQueue {
  /** The pause that this drain sent. Undefined if the queue was paused before, and nothing here resumes it. */
  readonly pause: Pause | undefined;
  /** Someone deleted it meanwhile. */
  readonly deleted: boolean;
  /** Someone resumed it meanwhile. */
  readonly overtaken?: true;
  /** Its jobs at the last look. */
  readonly figures: Figures;
}

/** What became of a queue that was to be resumed. `left`: it has another pause than the one that is meant. */
export interface ResumedQueue extends FoundQueue {
  readonly became: "resumed" | "not paused" | "deleted" | "left" | "failed";
  /** Why the request failed. */
  readonly reason?: string;
}

/**
 * Resumes queues whose pause is meant, which is read right before. A failure doesn't keep it from the next queue.
 *
 * @param isMeant decides by the queue as it is now
 */
export async function resumeQueues(
  client: BuildPipelineClient,
  found: readonly FoundQueue[],
  isMeant: (now: Queue) => boolean,
): Promise<readonly ResumedQueue[]> {
  const resumed: ResumedQueue[] = [];
  for (const one of found) {
    try {
      const queue = await client.queues.get(one.cluster.id, one.queue.id);
      if (!queue.dispatch_paused) resumed.push({ ...one, became: "not paused" });
      else if (queue.id !== one.queue.id || !isMeant(queue)) resumed.push({ ...one, queue, became: "left" });
      else {
        await sendResume(client, { ...one, queue });
        resumed.push({ ...one, became: "resumed" });
      }
    } catch (error) {
      const isGone = error instanceof NotFoundError && !(await isStillThere(client, one));
      resumed.push({ ...one, became: isGone ? "deleted" : "failed", reason: messageOf(error) });
    }
  }
  return resumed;
}

/** Resumes the queues that a drain paused, if they still have its pause. */
export function resumeHeld(
  client: BuildPipelineClient,
  queues: readonly DrainedQueue[],
): Promise<readonly ResumedQueue[]> {
  const held = queues.filter(({ pause, deleted }) => pause !== undefined && !deleted);
  const pauses = new Map(held.map(({ queue, pause }) => [queue.id, pause]));
  return resumeQueues(client, held, (now) => isStill(pauses.get(now.id) ?? {}, now));
}

/** Returns who paused a queue, since when and why. */
export function pauseInWords({
  dispatch_paused_by,
  dispatch_paused_at,
  dispatch_paused_note,
}: Queue): string {
  const who = dispatch_paused_by?.name ? ` by ${dispatch_paused_by.name}` : "";
  const since = dispatch_paused_at ? ` since ${dispatch_paused_at}` : "";
  const why = dispatch_paused_note ? ` (${dispatch_paused_note})` : "";
  return `paused${who}${since}${why}`;
}
