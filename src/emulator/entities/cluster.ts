import { z } from "zod";
import type { ClusterRecord } from "../store/records.js";
import { showUser, userSchema } from "./user.js";
import { apiUrl, graphqlId, optionalText, type View, webUrl } from "./view.js";
import { address, opaqueId, timestamp, unsettable, uuid } from "./wire.js";

/** Section 2.2. */
export const clusterSchema = z
  .object({
    id: uuid,
    graphql_id: opaqueId,
    default_queue_id: uuid.nullable(),
    name: z.string(),
    description: unsettable,
    emoji: unsettable,
    color: unsettable,
    url: address,
    web_url: address,
    queues_url: address,
    default_queue_url: address.nullable(),
    created_at: timestamp,
    created_by: userSchema.nullable(),
  })
  .meta({ id: "Cluster" });

export function showCluster(view: View, cluster: ClusterRecord): z.infer<typeof clusterSchema> {
  const url = apiUrl(view, `/clusters/${cluster.id}`);
  return {
    id: cluster.id,
    graphql_id: graphqlId("Cluster", cluster.id),
    default_queue_id: cluster.default_queue_id,
    name: cluster.name,
    ...optionalText(view, "description", cluster.description),
    ...optionalText(view, "emoji", cluster.emoji),
    ...optionalText(view, "color", cluster.color),
    url,
    web_url: webUrl(view, `/clusters/${cluster.id}`),
    queues_url: `${url}/queues`,
    default_queue_url: cluster.default_queue_id === null ? null : `${url}/queues/${cluster.default_queue_id}`,
    created_at: cluster.created_at,
    created_by: showUser(view, cluster.created_by),
  };
}
