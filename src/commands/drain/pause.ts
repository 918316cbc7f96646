import { type BuildPipelineClient, NotFoundError, type Queue, ValidationError } from "../../client/index.js";
import { sendWrite, type Write } from "../../client/write.js";
import { messageOf } from "../../shared/messages/of-error.js";
import type { Figures } from "../shared/workload/figures.js";
import { readPages } from "../shared/workload/read.js";
import type { FoundQueue, StillPaused } from "./queue-name.js";

/** How the note of each pause by `drain` begins. */
const MARK = "Draining (buildpipeline drain)";

/** Checks whether a pause was made by `drain`, as far as its note shows. */
export function isOurs({ dispatch_paused, dispatch_paused_note }: Queue): boolean {
  return dispatch_paused && dispatch_paused_note?.startsWith(MARK) === true;
}

/**
 * Pauses a queue.
 *
 * @returns the queue, and whether this call paused it: a colleague may have been faster
 */
export async function pause(
  client: BuildPipelineClient,
  one: FoundQueue,
  reason: string | undefined,
): Promise<{ readonly queue: Queue; readonly paused: boolean }> {
  // The time distinguishes this pause from those of other drains.
  const note = `${MARK} since ${new Date().toISOString()}${reason === undefined ? "" : `: ${reason}`}`;
  return settled(client, one, {
    send: () => client.queues.pauseDispatch(one.cluster.id, one.queue.id, { note }),
    accept(queue) {
      if (!queue.dispatch_paused)
        throw new Error(`The API responded with success, but ${one.queue.key} isn't paused.`);
      return { queue, paused: true };
    },
    found: (queue) =>
      queue.dispatch_paused ? { queue, paused: queue.dispatch_paused_note === note } : undefined,
  });
}

/** Resumes a queue; one that is not paused is as wanted. */
export async function resume(client: BuildPipelineClient, one: FoundQueue): Promise<void> {
  await settled(client, one, {
    send: () => client.queues.resumeDispatch(one.cluster.id, one.queue.id),
    accept(queue) {
      if (queue.dispatch_paused)
        throw new Error(`The API responded with success, but ${one.queue.key} is still paused.`);
      return queue;
    },
    found: (queue) => (queue.dispatch_paused ? undefined : queue),
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
  /** This drain paused it. If not, it was paused before, and nothing here resumes it. */
  readonly pausedHere: boolean;
  /** Someone deleted it meanwhile. */
  readonly deleted: boolean;
  /** Its jobs at the last look. */
  readonly figures: Figures;
}

/**
 * Resumes the queues that a drain paused, unless a colleague paused them again since. A failure doesn't keep it from the
 * next queue.
 *
 * @returns the queues that may be paused still
 */
export async function resumeHeld(
  client: BuildPipelineClient,
  queues: readonly DrainedQueue[],
): Promise<readonly StillPaused[]> {
  const stillPaused: StillPaused[] = [];
  for (const one of queues) {
    if (!one.pausedHere || one.deleted) continue;
    try {
      const now = await client.queues.get(one.cluster.id, one.queue.id);
      if (now.dispatch_paused && (isOurs(now) || now.dispatch_paused_at === one.queue.dispatch_paused_at))
        await resume(client, one);
    } catch (error) {
      const isGone = error instanceof NotFoundError && !(await isStillThere(client, one));
      if (!isGone) stillPaused.push({ ...one, reason: messageOf(error) });
    }
  }
  return stillPaused;
}

/** Checks in the lists whether a queue exists, because a 404 may mean a missing permission. */
export async function isStillThere(
  client: BuildPipelineClient,
  { cluster, queue }: FoundQueue,
): Promise<boolean> {
  const bounds = (operation: string) => ({ operation, now: () => new Date() });
  const clusters = await readPages(client.clusters.list(), bounds("clusters.list"));
  const isIn = (items: readonly { readonly id: string }[], id: string) => items.some((one) => one.id === id);
  if (!isIn(clusters.items, cluster.id)) return clusters.extent !== "complete";
  const queues = await readPages(client.queues.list(cluster.id), bounds("queues.list"));
  return isIn(queues.items, queue.id) || queues.extent !== "complete";
}

/** A queue after `--resume`. */
export interface ResumedQueue extends FoundQueue {
  /** True if it was paused before, and is no longer. */
  readonly resumed: boolean;
  /** Why it stays paused: a colleague paused it, or the request failed. */
  readonly stays?: { readonly because: "colleague" | "failure"; readonly reason: string };
}

/** Resumes the queues that earlier drains paused. One that stays paused doesn't keep it from the next. */
export async function resumeDrained(
  client: BuildPipelineClient,
  found: readonly FoundQueue[],
): Promise<ResumedQueue[]> {
  const resumed: ResumedQueue[] = [];
  for (const one of found) {
    const { queue } = one;
    if (!queue.dispatch_paused) resumed.push({ ...one, resumed: false });
    else if (!isOurs(queue)) {
      const reason =
        `${queue.key} is ${pauseInWords(queue)}, and not by \`drain\`. Nothing was sent to it. ` +
        "Resume it in the web interface if that is wanted.";
      resumed.push({ ...one, resumed: false, stays: { because: "colleague", reason } });
    } else {
      try {
        await resume(client, one);
        resumed.push({ ...one, resumed: true });
      } catch (error) {
        const reason = `${queue.key} may stay paused: ${messageOf(error)}`;
        resumed.push({ ...one, resumed: false, stays: { because: "failure", reason } });
      }
    }
  }
  return resumed;
}

/** Returns who paused a queue, since when and why. */
function pauseInWords({ dispatch_paused_by, dispatch_paused_at, dispatch_paused_note }: Queue): string {
  const who = dispatch_paused_by?.name ? ` by ${dispatch_paused_by.name}` : "";
  const since = dispatch_paused_at ? ` since ${dispatch_paused_at}` : "";
  const why = dispatch_paused_note ? ` (${dispatch_paused_note})` : "";
  return `paused${who}${since}${why}`;
}
