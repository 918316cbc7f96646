import type { Context } from "./calls.js";
import { lookBeforeEachTry } from "./checked-write.js";

/**
 * Clears the default queue of a cluster as long as it is the one given: someone may set another at any time.
 *
 * @returns whether it was the one given
 */
export async function clearDefaultQueue(context: Context, cluster: string, queue: unknown): Promise<boolean> {
  const { clusters } = context.client;
  const look = async () => {
    const live = await clusters.get(cluster);
    return live.default_queue_id === queue ? live : undefined;
  };
  let wasDefault = false;
  await lookBeforeEachTry(context, look, (_, once) => {
    wasDefault = true;
    return clusters.update(cluster, { default_queue_id: null }, once);
  });
  return wasDefault;
}
