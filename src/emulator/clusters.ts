import { z } from "zod";
import {
  type Call,
  deletion,
  listing,
  operation,
  type Response,
  reading,
  section,
} from "./http/operation.js";
import { addMaintainer, maintainerBody, maintainersOfCluster } from "./maintainers.js";
import { clearableColor, clearableId, clearableText, flag, text, unlessGiven } from "./model/body.js";
import * as model from "./model/entity.js";
import { normalized } from "./model/normalize.js";
import { forbidden, found, notFound, Refusal, validationFailed } from "./model/refusals.js";
import { managesCluster } from "./pipelines/permissions.js";
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
  maintainers: maintainersOfCluster,
};

/** What a cluster of hosted agents has. Left out, it is false. */
interface HostedFlags {
  readonly hosted_git_mirror_enabled?: boolean;
  readonly hosted_container_cache_enabled?: boolean;
}

export interface ClusterRecord extends model.RecordOf<typeof fields>, HostedFlags {}

type Shown = ClusterRecord & { readonly isManager: boolean };

/** Only who may manage a cluster sees these. */
const hostedFlag = (name: keyof HostedFlags) =>
  model.derived(z.boolean().optional(), (record: Shown, { variations }) =>
    variations.newerApi && record.isManager ? (record[name] ?? false) : undefined,
  );

const entity = model.entity<Shown>("Cluster", {
  ...fields,
  hosted_git_mirror_enabled: hostedFlag("hosted_git_mirror_enabled"),
  hosted_container_cache_enabled: hostedFlag("hosted_container_cache_enabled"),
});

const cluster: Response<ClusterRecord> = {
  schema: entity.schema,
  show: (call, record) => entity.show(call, { ...record, isManager: managesCluster(call, record) }),
};

const clearable = { description: clearableText, emoji: clearableText, color: clearableColor };

const maintainers = z.array(maintainerBody, { error: "must be an array" }).optional();
const hostedFlags = { hosted_git_mirror_enabled: flag, hosted_container_cache_enabled: flag };

const collection = "/v2/organizations/{org_slug}/clusters";
const single = `${collection}/{id}`;

export const clusters = section("clusters", "clusters", {
  list: listing(collection, "List clusters", cluster, ({ data }) => data.clusters.list()),
  get: reading(single, "Get a cluster", cluster, (call) => findCluster(call, call.params.id)),
  create: operation("POST", collection, "Create a cluster", {
    body: z.object({ name: text, ...unlessGiven(clearable), maintainers }),
    added: ["maintainers"],
    response: cluster,
    run: (call) => {
      const { data, variations, made } = call;
      const { maintainers, ...body } = call.body;
      const { id } = data.clusters.insert({
        ...made,
        ...normalized(body, variations),
        default_queue_id: null,
      });
      for (const maintainer of maintainers ?? []) addMaintainer(call, id, maintainer);
      return found(data.clusters.get(id), "cluster");
    },
  }),
  update: operation("PUT", single, "Update a cluster", {
    body: z.object({ name: text, ...clearable, default_queue_id: clearableId, ...hostedFlags }).partial(),
    added: Object.keys(hostedFlags),
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
      const isHosted = data.queues.list("cluster_id", id).some(({ hosted_shape }) => hosted_shape != null);
      if (!isHosted && Object.keys(hostedFlags).some((name) => name in body)) {
        throw validationFailed("Cluster must have hosted agents");
      }
      return data.clusters.update(id, normalized(body, variations));
    },
  }),
  delete: deletion(
    single,
    "Delete a cluster together with its queues and tokens",
    "it has pipelines, or is the default cluster",
    (call) => {
      const { id } = findCluster(call, call.params.id);
      const isUsed = call.data.pipelines.count("cluster_id", id) > 0;
      if (isUsed && call.variations.deleteClusterWithPipelines === "refused") {
        throw new Refusal(422, "Cluster has pipelines and can't be deleted");
      }
      const isDefault = call.data.organizations.list()[0]?.pipeline_settings?.default_cluster_id === id;
      if (isDefault) throw new Refusal(422, "Cluster is the organization's default cluster");
      return call.data.clusters.delete(id);
    },
  ),
});

export interface InCluster extends StoredRecord {
  readonly cluster_id: string;
}

export function findCluster({ data }: model.View, id: string): ClusterRecord {
  return found(data.clusters.get(id.toLowerCase()), "cluster");
}

/** Returns the cluster of a request by somebody who manages it. @throws {Refusal} 403 or 404. */
export function managedCluster(call: Call<"cluster_id">): ClusterRecord {
  const cluster = findCluster(call, call.params.cluster_id);
  if (!managesCluster(call, cluster)) throw forbidden();
  return cluster;
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
