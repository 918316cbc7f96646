import { messageOf } from "../../shared/messages/of-error.js";
import { quoted } from "../../shared/messages/quoted.js";
import { isSameObject } from "../../shared/protocol/identity.js";
import type { Address, Context, Deletion } from "./behavior.js";

/** The default queue of a cluster, which the API may refuse to delete or to clear. */

/** Clears a cluster's default queue if it is the one given, and returns whether it was: anyone may set another. */
export async function clearDefaultQueue(context: Context, cluster: string, queue: unknown): Promise<boolean> {
  const { clusters } = context.client;
  let wasDefault = false;
  await context.write({
    async send() {
      const live = await clusters.get(cluster);
      if (!isSameObject(live.default_queue_id, queue)) return live;
      wasDefault = true;
      return clusters.update(cluster, { default_queue_id: null }, { maxRetries: 0 });
    },
    accept({ default_queue_id }) {
      if (isSameObject(default_queue_id, queue))
        throw new Error(
          `The API responded with success, but cluster ${cluster} still has its default queue.`,
        );
    },
    // The next try looks.
    look: async () => undefined,
    repeats: "looked up",
    pause: context.pause,
  });
  return wasDefault;
}

const DEFAULT_QUEUE_RETRIES = 10;
const DEFAULT_QUEUE_WAIT_MS = 1_000;

/** Deletes, and gives a default queue some seconds: its ClusterDefaultQueue may be deleted in parallel. */
export async function deleteQueue(
  context: Context,
  { parent, id, known }: Address<"key">,
): Promise<Deletion | undefined> {
  const { client } = context;
  let isCleared = false;
  for (let attempt = 0; ; attempt++) {
    try {
      await client.queues.delete(parent, id);
      return undefined;
    } catch (error) {
      if (context.status(error) !== 422 || isCleared) throw error;
      const { default_queue_id: defaultQueue } = await client.clusters.get(parent);
      const { end } = context.done("ClusterDefaultQueue", parent);
      if (!isSameObject(defaultQueue, id)) {
        // The default may have been cleared after the refusal. Then one more try decides.
        if (end === "none") throw error;
        isCleared = true;
        continue;
      }
      if (end === "leftBehind") {
        context.warn(
          `the queue ${quoted(known.key)} (${id}) stays in cluster ${parent}: it is the default queue, and the service neither ` +
            "clears a default queue nor deletes one. It is deleted with its cluster.",
        );
        return "leftBehind";
      }
      if (attempt === DEFAULT_QUEUE_RETRIES - 1) await clearDefault(context, parent, id, known.key);
      else if (attempt === DEFAULT_QUEUE_RETRIES)
        throw new Error(
          `${messageOf(error)} The queue ${id} is still the default queue of cluster ${parent}. ` +
            "Make another queue the default (the queueId of its ClusterDefaultQueue, or the web interface) and run again.",
          { cause: error },
        );
      await context.pause(DEFAULT_QUEUE_WAIT_MS);
    }
  }
}

/**
 * Clears a default that no resource is about to clear: its ClusterDefaultQueue went in an earlier run, or a colleague set
 * it. Any other default of the cluster stays.
 */
async function clearDefault(context: Context, cluster: string, queue: string, key: unknown): Promise<void> {
  try {
    if (!(await clearDefaultQueue(context, cluster, queue))) return;
    context.warn(
      `Cluster ${cluster} has no default queue now: its default was the queue ${quoted(key)} (${queue}), and the API refuses to ` +
        "delete a default queue. For agents that connect without naming a queue, set another default.",
    );
  } catch (error) {
    if (context.status(error) !== 422) throw error;
  }
}
