import { type BuildPipelineClient, NotFoundError } from "../client/index.js";
import { readPages } from "../load/read.js";
import { isOurs, resume } from "./pause.js";
import type { FoundQueue } from "./queue-name.js";

/** A queue that a drain holds paused. */
export interface Held extends FoundQueue {
  /** This drain paused it. If not, it was paused before, and nothing here resumes it. */
  readonly pausedHere: boolean;
  /** Someone deleted it meanwhile. */
  readonly deleted: boolean;
}

/** A queue that could not be resumed. */
export interface StillPaused extends FoundQueue {
  readonly reason: string;
}

/**
 * Resumes the queues that a drain paused, unless a colleague paused them again since. A failure doesn't keep it from the
 * next queue.
 *
 * @returns the queues that may be paused still
 */
export async function resumeHeld(
  client: BuildPipelineClient,
  held: readonly Held[],
): Promise<readonly StillPaused[]> {
  const stillPaused: StillPaused[] = [];
  for (const one of held) {
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
  const bounds = (operation: string) => ({
    operation,
    most: Number.POSITIVE_INFINITY,
    now: () => new Date(),
    signal: undefined,
  });
  const clusters = await readPages(client.clusters.list(), bounds("clusters.list"));
  const isIn = (items: readonly { readonly id: string }[], id: string) => items.some((one) => one.id === id);
  if (!isIn(clusters.items, cluster.id)) return clusters.extent !== "complete";
  const queues = await readPages(client.queues.list(cluster.id), bounds("queues.list"));
  return isIn(queues.items, queue.id) || queues.extent !== "complete";
}

/** Returns an error that also names the queues that stay paused after it. */
export function withStillPaused(error: unknown, queues: readonly StillPaused[]): unknown {
  if (queues.length === 0) return error;
  return new Error(`${messageOf(error).replace(/[.\s]*$/, ".")} ${stillPausedInWords(queues)}`, {
    cause: error,
  });
}

/** Names queues that stay paused, with the command that resumes them. */
export function stillPausedInWords(queues: readonly StillPaused[]): string {
  const reasons = queues.map((one) => `${quotedName(one)} (${one.reason.replace(/[.\s]*$/, "")})`);
  return (
    `These queues could not be resumed and may stay paused: ${reasons.join("; ")}. ` +
    `To let jobs start again: buildpipeline drain ${queues.map(quotedName).join(" ")} --resume`
  );
}

/** Returns a queue's name as an argument of the command. */
export function quotedName({ cluster, queue }: FoundQueue): string {
  return `"${cluster.name}/${queue.key}"`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
