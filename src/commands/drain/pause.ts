import { randomBytes } from "node:crypto";
import { type BuildPipelineClient, NotFoundError, type Queue, ValidationError } from "../../client/index.js";
import { sendWrite } from "../../client/write.js";
import { messageOf } from "../../shared/messages/of-error.js";
import type { Figures } from "../shared/workload/figures.js";
import { type FoundQueue, isStillThere } from "./find-queues.js";

/** A pause of a queue. */
export interface Pause {
  /** The note of a drain has a random number, so no other pause has the same note. */
  readonly note?: string | null | undefined;
  /** Undefined until a response shows it. */
  readonly at?: string | null | undefined;
}

/** Returns the note of a pause that a drain is about to send. */
export function newNote(reason: string | undefined): string {
  const start = `${new Date().toISOString()}#${randomBytes(4).toString("hex")}`;
  return `Draining (buildpipeline drain) since ${start}${reason === undefined ? "" : `: ${reason.trim()}`}`;
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
export function sendPause(
  client: BuildPipelineClient,
  one: FoundQueue,
  note: string,
): Promise<{ readonly queue: Queue; readonly pause: Pause | undefined }> {
  const send = () => client.queues.pauseDispatch(one.cluster.id, one.queue.id, { note });
  return settled(client, one, send, (queue) => {
    if (isStill({ note }, queue)) return { queue, pause: { note, at: queue.dispatch_paused_at } };
    return queue.dispatch_paused ? { queue, pause: undefined } : undefined;
  });
}

/** Resumes a queue, unless its pause is no longer the one that was read: then nothing is left to do. */
async function sendResume(client: BuildPipelineClient, one: FoundQueue): Promise<void> {
  const send = () => client.queues.resumeDispatch(one.cluster.id, one.queue.id);
  await settled(client, one, send, (queue) => (isStill(pauseOf(one.queue), queue) ? undefined : queue));
}

/**
 * Sends a write that the service refuses if the queue is as wanted already: a colleague may have been faster.
 *
 * @param found returns the result if the queue is as wanted
 */
async function settled<Result>(
  client: BuildPipelineClient,
  { queue: { id, key }, cluster }: FoundQueue,
  send: () => Promise<Queue>,
  found: (queue: Queue) => Result | undefined,
): Promise<Result> {
  const accept = (queue: Queue) => {
    const result = queue.id === id ? found(queue) : undefined;
    if (result === undefined) throw new Error(`The API responded with success, but ${key} doesn't show it.`);
    return result;
  };
  const look = async (_: unknown, error: unknown) => {
    const now = await client.queues.get(cluster.id, id).catch(() => {
      throw error;
    });
    return found(now);
  };
  const outcome = await sendWrite({ send, accept, look, repeats: "refused" });
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
export async function resumeQueues<Found extends FoundQueue>(
  client: BuildPipelineClient,
  found: readonly Found[],
  isMeant: (now: Queue, one: Found) => boolean,
): Promise<readonly ResumedQueue[]> {
  const resumed: ResumedQueue[] = [];
  for (const one of found) {
    try {
      const queue = await client.queues.get(one.cluster.id, one.queue.id);
      if (!queue.dispatch_paused) resumed.push({ ...one, became: "not paused" });
      else if (queue.id !== one.queue.id || !isMeant(queue, one))
        resumed.push({ ...one, queue, became: "left" });
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
  return resumeQueues(client, held, (now, { pause = {} }) => isStill(pause, now));
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
