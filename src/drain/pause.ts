import { type BuildPipelineClient, type Queue, ValidationError } from "../client/index.js";
import { sendWrite, type Write } from "../resources/write.js";
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
  const look = async (_: unknown, error: unknown) => {
    const now = await queueAfter(error, client, { queue, cluster });
    return now.dispatch_paused ? { queue: now, paused: now.dispatch_paused_note === note } : undefined;
  };
  return settled(look, {
    send: () => client.queues.pauseDispatch(cluster.id, queue.id, { note }),
    accept(paused) {
      if (!paused.dispatch_paused)
        throw new Error(`The API responded with success, but ${queue.key} isn't paused.`);
      return { queue: paused, paused: true };
    },
  });
}

/** Resumes a queue; one that is not paused is as wanted. */
export async function resume(client: BuildPipelineClient, { queue, cluster }: FoundQueue): Promise<void> {
  const look = async (_: unknown, error: unknown) => {
    const now = await queueAfter(error, client, { queue, cluster });
    return now.dispatch_paused ? undefined : now;
  };
  await settled(look, {
    send: () => client.queues.resumeDispatch(cluster.id, queue.id),
    accept(resumed) {
      if (resumed.dispatch_paused)
        throw new Error(`The API responded with success, but ${queue.key} is still paused.`);
      return resumed;
    },
  });
}

/** Sends a write that the service refuses if the queue is as wanted already: a colleague may have been faster. */
async function settled<Result>(
  look: Write<Queue, Result>["look"],
  write: Pick<Write<Queue, Result>, "send" | "accept">,
): Promise<Result> {
  const outcome = await sendWrite({ ...write, look, repeats: "refused" });
  if (outcome.is === "made") return outcome.result;
  const found = outcome.error instanceof ValidationError ? await look([], outcome.error) : undefined;
  if (found === undefined) throw outcome.error;
  return found;
}

/** Reads a queue. @throws the error of the write before, if the read fails */
function queueAfter(
  error: unknown,
  client: BuildPipelineClient,
  { queue, cluster }: Pick<FoundQueue, "queue" | "cluster">,
): Promise<Queue> {
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
