import { TEAM } from "../support/colleague.js";
import { client } from "../support/command-service.js";

/** Creates a team: visible and with the role `member`, unless something else is given. */
export async function createTeam(name: string, body: object = {}, { teams } = client) {
  const { id = "", ...team } = await teams.create({ ...TEAM, name, ...body });
  return { ...team, id };
}

/** Creates a cluster with the default queue `small` and the agent token `Build machines`. */
export async function createCluster(
  name: string,
  more: { readonly cluster?: object; readonly queue?: object; readonly token?: object } = {},
) {
  const cluster = await client.clusters.create({ name, ...more.cluster });
  const queue = await client.queues.create(cluster.id, { key: "small", ...more.queue });
  await client.clusters.update(cluster.id, { default_queue_id: queue.id });
  const token = await client.agentTokens.create(cluster.id, { description: "Build machines", ...more.token });
  return { cluster, queue, token };
}
