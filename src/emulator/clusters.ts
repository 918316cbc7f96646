import { z } from "zod";
import { type Call, deletion, listing, operation, reading, section } from "./http/operation.js";
import { clearableColor, clearableId, clearableText, text, unlessGiven } from "./model/body.js";
import * as model from "./model/entity.js";
import { normalized } from "./model/normalize.js";
import { found, notFound, validationFailed } from "./model/refusals.js";
import type { StoredRecord } from "./store/collection.js";

const path = ({ id }: StoredRecord) => `/clusters/${id}`;

const fields = {
  id: model.uuid,
  graphql_id: model.graphqlId("Cluster"),
  default_queue_id: model.uuid.nullable(),
  name: z.string(),
  description: model.optionalText,
  emoji: model.optionalText,
  color: model.optionalText,
  url: model.apiUrl(path),
  web_url: model.webUrl(path),
  queues_url: model.apiUrl((cluster: StoredRecord) => `${path(cluster)}/queues`),
  default_queue_url: model.apiUrlOrNull(
    (cluster: StoredRecord & { default_queue_id: string | null }) =>
      cluster.default_queue_id && `${path(cluster)}/queues/${cluster.default_queue_id}`,
  ),
  created_at: model.timestamp,
  created_by: model.user,
};

export interface ClusterRecord extends model.RecordOf<typeof fields> {}

const cluster = model.entity<ClusterRecord>("Cluster", fields);

const clearable = { description: clearableText, emoji: clearableText, color: clearableColor };

const collection = "/v2/organizations/{org_slug}/clusters";
const single = `${collection}/{id}`;

export const clusters = section("clusters", "4.1", "clusters", {
  list: listing(collection, "List clusters", cluster, ({ data }) => data.clusters.list()),
  get: reading(single, "Get a cluster", cluster, (call) => findCluster(call, call.params.id)),
  create: operation("POST", collection, "Create a cluster", {
    body: z.object({ name: text, ...unlessGiven(clearable) }),
    response: cluster,
    run: ({ body, data, variations, made }) =>
      data.clusters.insert({ ...made, ...normalized(body, variations), default_queue_id: null }),
  }),
  update: operation("PUT", single, "Update a cluster", {
    body: z.object({ name: text, ...clearable, default_queue_id: clearableId }).partial(),
    response: cluster,
    run: (call) => {
      const { body, data, params, variations } = call;
      const { id } = findCluster(call, params.id);
      if (body.default_queue_id === null && variations.clearDefaultQueue === "refused") {
        throw validationFailed("Default queue can't be blank");
      }
      if (body.default_queue_id != null && data.queues.get(body.default_queue_id)?.cluster_id !== id) {
        throw validationFailed("Default queue must be a queue of this cluster");
      }
      return data.clusters.update(id, normalized(body, variations));
    },
  }),
  delete: deletion(
    single,
    "Delete a cluster together with its queues and tokens",
    "it cannot be deleted",
    (call) => call.data.clusters.delete(findCluster(call, call.params.id).id),
  ),
});

export interface InCluster extends StoredRecord {
  readonly cluster_id: string;
}

export function findCluster({ data }: model.View, id: string): ClusterRecord {
  return found(data.clusters.get(id.toLowerCase()), "cluster");
}

export function inCluster<T extends InCluster>(
  call: Call<"cluster_id">,
  record: T | undefined,
  what: string,
) {
  const { id } = findCluster(call, call.params.cluster_id);
  if (record?.cluster_id !== id) throw notFound(what);
  return record;
}
