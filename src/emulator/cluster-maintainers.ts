import { inCluster, managedCluster } from "./clusters.js";
import { type Call, deletion, listing, newerSection, operation, reading } from "./http/operation.js";
import {
  actor,
  actorOf,
  addMaintainer,
  type ClusterMaintainerRecord,
  maintainerBody,
} from "./maintainers.js";
import * as model from "./model/entity.js";

const fields = {
  id: model.uuid,
  actor: model.derived(actor, (record: ClusterMaintainerRecord, view) => actorOf(record, view)),
};

const maintainer = model.entity<ClusterMaintainerRecord>("ClusterMaintainer", fields);

const collection = "/v2/organizations/{org_slug}/clusters/{cluster_id}/maintainers";
const single = `${collection}/{id}`;

export const clusterMaintainers = newerSection("clusterMaintainers", "clusters", {
  list: listing(
    collection,
    "List the maintainers of a cluster",
    maintainer,
    (call) => call.data.clusterMaintainers.list("cluster_id", managedCluster(call).id),
    { list: "unpaged" },
  ),
  get: reading(single, "Get a maintainer of a cluster", maintainer, findMaintainer),
  create: operation("POST", collection, "Make a user or a team maintainer of a cluster", {
    body: maintainerBody,
    response: maintainer,
    errors: { 422: "validation fails, or they maintain the cluster already" },
    run: (call) => addMaintainer(call, managedCluster(call).id, call.body),
  }),
  delete: deletion(single, "Remove a maintainer from a cluster", "the maintainer cannot be removed", (call) =>
    call.data.clusterMaintainers.delete(findMaintainer(call).id),
  ),
});

function findMaintainer(call: Call<"cluster_id" | "id">): ClusterMaintainerRecord {
  managedCluster(call);
  return inCluster(call, call.data.clusterMaintainers.get(call.params.id.toLowerCase()), "maintainer");
}
