import { z } from "zod";
import type { QueueRecord } from "../store/records.js";
import { showUser, userSchema } from "./user.js";
import { apiUrl, graphqlId, optionalText, type View, webUrl } from "./view.js";
import { address, opaqueId, timestamp, unsettable, uuid } from "./wire.js";

/** Section 2.3. */
export const queueSchema = z
  .object({
    id: uuid,
    graphql_id: opaqueId,
    key: z.string(),
    description: unsettable,
    url: address,
    web_url: address,
    cluster_url: address,
    dispatch_paused: z.boolean(),
    dispatch_paused_by: userSchema.nullable(),
    dispatch_paused_at: timestamp.nullable(),
    dispatch_paused_note: z.string().nullable(),
    created_at: timestamp,
    created_by: userSchema.nullable(),
  })
  .meta({ id: "Queue" });

export function showQueue(view: View, queue: QueueRecord): z.infer<typeof queueSchema> {
  const clusterPath = `/clusters/${queue.cluster_id}`;
  return {
    id: queue.id,
    graphql_id: graphqlId("ClusterQueue", queue.id),
    key: queue.key,
    ...optionalText(view, "description", queue.description),
    url: apiUrl(view, `${clusterPath}/queues/${queue.id}`),
    web_url: webUrl(view, `${clusterPath}/queues/${queue.id}`),
    cluster_url: apiUrl(view, clusterPath),
    dispatch_paused: queue.dispatch_paused,
    dispatch_paused_by: showUser(view, queue.dispatch_paused_by),
    dispatch_paused_at: queue.dispatch_paused_at,
    dispatch_paused_note: queue.dispatch_paused_note,
    created_at: queue.created_at,
    created_by: showUser(view, queue.created_by),
  };
}
