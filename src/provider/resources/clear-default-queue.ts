import type { Context } from "../kind/calls.js";

/**
 * Clears the default queue of a cluster as long as it is the one given: someone may set another at any time.
 *
 * @returns whether it was the one given
 */
export async function clearDefaultQueue(context: Context, cluster: string, queue: unknown): Promise<boolean> {
  const { clusters } = context.client;
  let wasDefault = false;
  await context.write({
    async send() {
      const live = await clusters.get(cluster);
      if (live.default_queue_id !== queue) return live;
      wasDefault = true;
      return clusters.update(cluster, { default_queue_id: null }, { maxRetries: 0 });
    },
    accept({ default_queue_id }) {
      if (default_queue_id === queue)
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
