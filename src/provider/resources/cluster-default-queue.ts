import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import type { Address, Context, Deletion } from "../kind/behavior.js";
import { clearDefaultQueue } from "../kind/default-queue.js";
import { clusterId, inCluster, property, uuid } from "../kind/fields.js";
import type { Kind } from "../kind/kind.js";
import { notices, stops, when } from "../kind/review.js";
import { type Get, getNamed } from "../program/get.js";
import { instancesOf, type ResourceOptions, register, registered } from "../program/registration.js";
import type { Cluster } from "./cluster.js";

const REMOVED = stops("{is|are} removed", { rest: "Agents that name no queue get no jobs." });
const SWITCHED = notices("{changes|change} from {before} to {after}", {
  now: "switch",
  rest: "Agents that name no queue use the new one.",
  unread: "Jobs that name no queue wait for it.",
});

/** Arguments of a {@link ClusterDefaultQueue}. */
export interface ClusterDefaultQueueArgs {
  /** Cluster with this default queue: a {@link Cluster} or the UUID of one. Required. Changing it replaces the resource. */
  clusterId: pulumi.Input<string> | Cluster;
  /** UUID of the queue that becomes the default. Required. Changing it updates in place. */
  queueId: pulumi.Input<string>;
}

/**
 * The default queue of a cluster, from which agents that connect without naming a queue accept jobs. Needs the scopes
 * `read_clusters` and `write_clusters`. Its id is the cluster's UUID. Declare at most one for each cluster.
 *
 * The dynamic provider's option `import` is an error here, because declaring the resource sets the default. The
 * commands `import` and `adopt`, and `pulumi import` with the plugin, import it by the name or id of its cluster.
 *
 * A deletion clears the default only if the cluster still has this queue as its default. If the API refuses to clear
 * it, the provider warns.
 *
 * @example new ClusterDefaultQueue("linux-default", { clusterId: linux, queueId: fast.id });
 */
export class ClusterDefaultQueue extends CustomResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/buildpipeline:ClusterDefaultQueue";
  /** Checks whether a value is a resource of this type, for policies, transforms and hooks. */
  static override readonly isInstance = instancesOf<ClusterDefaultQueue>(ClusterDefaultQueue.__pulumiType);
  /** @internal */
  static readonly kind: Kind<ClusterDefaultQueueArgs, ClusterDefaultQueue, api.Cluster, api.ClusterUpdate> = {
    name: "ClusterDefaultQueue",
    words: { noun: "default queue" },
    section: "clusters",
    scopes: { read: [["read_clusters"]], write: [["write_clusters"]] },
    parent: inCluster,
    arguments: {
      clusterId,
      queueId: {
        ...uuid("a queue of the cluster"),
        review: when({ changed: SWITCHED }),
        refersTo: "Queue",
        whenOmitted: "required",
        ...property("default_queue_id"),
      },
    },
    outputs: {},
    review: {
      usedBy: "jobs",
      deleted: [REMOVED],
      replaced: [
        { changing: ["clusterId"], ...REMOVED },
        { ...SWITCHED, words: "{changes|change} to {queueId}" },
      ],
      vanished: { lost: "Agents that name no queue get no jobs." },
    },
    identify: (cluster) => cluster.id,
    once: {
      argument: "clusterId",
      words:
        "is the cluster whose default queue {other} sets already. Declare one ClusterDefaultQueue for each cluster.",
    },
    view: { of: "Cluster", exists: (cluster) => Boolean(cluster.default_queue_id) },
    behavior: {
      get: ({ client }, { id }) => client.clusters.get(id),
      create: ({ client }, { parent }, body, options) => client.clusters.update(parent, body, options),
      update: ({ client }, { id }, body) => client.clusters.update(id, body),
      delete: clearDefault,
    },
  };

  /** UUID of the cluster. */
  declare readonly clusterId: pulumi.Output<string>;
  /** UUID of its default queue. */
  declare readonly queueId: pulumi.Output<string>;
  /** Slug of the organization the cluster is in. */
  declare readonly organization: pulumi.Output<string>;

  /**
   * Reads the default queue of a cluster without managing it. A cluster without one is an error.
   * @example ClusterDefaultQueue.get("linux-default", clusterUuid)
   */
  static readonly get: Get<ClusterDefaultQueueArgs, ClusterDefaultQueue> = getNamed("clusterId");

  constructor(name: string, args: ClusterDefaultQueueArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

/** Clears the default, unless it is another entry's or another queue by now. */
async function clearDefault(
  context: Context,
  { id, known }: Address<"queueId">,
): Promise<Deletion | undefined> {
  // A rename creates the new entry before the engine deletes the old one.
  if (context.done("ClusterDefaultQueue", id).written !== "nothing") return undefined;
  try {
    await clearDefaultQueue(context, id, known.queueId);
    return undefined;
  } catch (error) {
    if (context.status(error) !== 422) throw error;
    context.warn(
      `cluster ${id} keeps its default queue ${known.queueId}: the service does not clear a default queue. ` +
        "Declare another ClusterDefaultQueue to change it.",
    );
    return "leftBehind";
  }
}
