import type { BuildPipelineClient } from "../../client/index.js";
import { counted } from "../../shared/messages/nouns.js";
import { agentsOf } from "../shared/workload/figures.js";
import { readAgents } from "../shared/workload/read.js";
import { namedQueue, placeOf } from "./find-queues.js";
import type { DrainedQueue } from "./pause.js";

/**
 * Returns why the API may refuse to delete queues: agents are connected that may belong to them. It refuses to delete a
 * queue under its agents, and doesn't show an agent's cluster.
 *
 * @returns known: agents are connected. Otherwise it is only unknown whether they are
 */
export async function deletionDoubts(
  client: BuildPipelineClient,
  queues: readonly DrainedQueue[],
  now: () => Date,
): Promise<readonly { readonly message: string; readonly known: boolean }[]> {
  const { items, extent, unread } = await readAgents(client, { now });
  const doubts = queues.flatMap((one) => {
    const agents = one.deleted ? [] : agentsOf(namedQueue(one), items);
    if (agents.length === 0) return [];
    const tagged = agents.some(({ queueKey }) => queueKey !== undefined);
    const message =
      `Deleting ${placeOf(one)} may be refused: ${counted(agents.length, "connected agent")} ` +
      `${agents.length === 1 ? "has" : "have"} ${tagged ? `the tag \`queue=${one.queue.key}\`` : "no tag `queue`"}, ` +
      "and the API doesn't say in which cluster. Stop the agents of this queue before the deployment.";
    return { message, known: true };
  });
  if (extent === "complete") return doubts;
  const message = `Agents that prevent a deletion may be connected: ${unread?.reason ?? "not all were read"}.`;
  return [...doubts, { message, known: false }];
}
