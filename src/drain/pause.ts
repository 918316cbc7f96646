import {
  type BuildPipelineClient,
  mayHaveBeenCarriedOut,
  type Queue,
  ValidationError,
} from "../client/index.js";
import type { FoundQueue } from "./queue-name.js";

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
  { queue, cluster }: FoundQueue,
  reason: string | undefined,
): Promise<{ readonly queue: Queue; readonly paused: boolean }> {
  // The time distinguishes this pause from those of other drains.
  const note = `${MARK} since ${new Date().toISOString()}${reason === undefined ? "" : `: ${reason}`}`;
  for (let isLast = false; ; isLast = true) {
    try {
      return { queue: await client.queues.pauseDispatch(cluster.id, queue.id, { note }), paused: true };
    } catch (error) {
      const now = await queueAfter(error, client, { queue, cluster });
      if (now.dispatch_paused) return { queue: now, paused: now.dispatch_paused_note === note };
      // After a lost response once more: the service may still do the work, with the same note.
      if (isLast || error instanceof ValidationError) throw error;
    }
  }
}

/** Resumes a queue; one that is not paused is as wanted. */
export async function resume(client: BuildPipelineClient, { queue, cluster }: FoundQueue): Promise<void> {
  try {
    await client.queues.resumeDispatch(cluster.id, queue.id);
  } catch (error) {
    if ((await queueAfter(error, client, { queue, cluster })).dispatch_paused) throw error;
  }
}

/**
 * Reads a queue after a request that the service refused for the queue's state, or that got no response.
 *
 * @throws the error of any other request, or if the read fails
 */
async function queueAfter(
  error: unknown,
  client: BuildPipelineClient,
  { queue, cluster }: Pick<FoundQueue, "queue" | "cluster">,
): Promise<Queue> {
  if (!(error instanceof ValidationError) && !mayHaveBeenCarriedOut(error)) throw error;
  return client.queues.get(cluster.id, queue.id).catch(() => {
    throw error;
  });
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
        const reason = `${queue.key} may stay paused: ${error instanceof Error ? error.message : error}`;
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
