import * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import type { Cluster } from "./cluster.js";
import { clusterId, uuid } from "./fields.js";
import type { Kind, Known, Plain, Service } from "./kind.js";
import { lookupOptions, type ResourceOptions, register } from "./registration.js";

/** Arguments of a {@link ClusterDefaultQueue}. */
export interface ClusterDefaultQueueArgs {
  /** Cluster whose default queue is set: a {@link Cluster} or the UUID of one. Required. A change replaces. */
  clusterId: pulumi.Input<string> | Cluster;
  /** UUID of the queue that becomes the default. Required. A change updates in place. */
  queueId: pulumi.Input<string>;
}

/**
 * Which queue of a cluster is its default: agents that connect without naming a queue accept jobs from it (the
 * API document, sections 2.2 and 4.1). Needs the scopes `read_clusters` and `write_clusters`. Its id is the
 * cluster's UUID. Declare at most one for a cluster. There is nothing to import: declaring it sets it.
 *
 * Deleting it clears the default only while that is still this resource's queue, so renaming the resource or
 * handing the default over to another keeps it. Where the service refuses to clear a default, a warning says so.
 *
 * @example
 * ```ts
 * new ClusterDefaultQueue("linux-default", { clusterId: linux, queueId: fast.id });
 * ```
 */
export class ClusterDefaultQueue extends pulumi.CustomResource {
  /** @internal */
  static readonly kind: Kind<ClusterDefaultQueueArgs, ClusterDefaultQueue, wire.Cluster, wire.ClusterUpdate> =
    {
      name: "ClusterDefaultQueue",
      noun: "default queue",
      section: "4.1",
      scopes: { read: [["read_clusters"]], write: [["write_clusters"]] },
      arguments: {
        clusterId,
        queueId: {
          ...uuid("a queue of the cluster"),
          leftOut: "required",
          sentAs: "default_queue_id",
          returnedAs: "default_queue_id",
        },
      },
      outputs: {},
      calls: {
        create: async (service, _, args) => ({
          entity: await setDefault(service, args.clusterId, args.queueId),
        }),
        async read({ client }, id) {
          const cluster = await client.clusters.get(id);
          return cluster.default_queue_id ? cluster : undefined;
        },
        update: async (service, id, _, __, args) => ({ entity: await setDefault(service, id, args.queueId) }),
        delete: clearDefault,
        identify: (cluster) => cluster.id,
      },
      collection: {
        key: () => "clusters",
        list: async ({ client }) => {
          const clusters = await client.clusters.list().all();
          return clusters.filter((cluster) => cluster.default_queue_id);
        },
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
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<ClusterDefaultQueueArgs>,
    opts?: pulumi.CustomResourceOptions,
  ): ClusterDefaultQueue {
    return new ClusterDefaultQueue(name, { clusterId: id, ...state }, lookupOptions(id, opts));
  }

  constructor(name: string, args: ClusterDefaultQueueArgs, opts?: ResourceOptions);
  /** @internal */
  constructor(name: string, args: Partial<ClusterDefaultQueueArgs> | undefined, opts: ResourceOptions);
  constructor(name: string, args: Partial<ClusterDefaultQueueArgs> | undefined, opts?: ResourceOptions) {
    const { type, props, options, remember } = register(ClusterDefaultQueue.kind, args, opts);
    super(type, name, props, options);
    remember(this);
  }
}

async function setDefault(service: Service, cluster: string, queue: string): Promise<wire.Cluster> {
  const answer = await service.client.clusters.update(cluster, { default_queue_id: queue });
  service.defaultsSet.add(cluster);
  return answer;
}

async function clearDefault(
  service: Service,
  cluster: string,
  known: Known<Plain<ClusterDefaultQueueArgs>>,
): Promise<void> {
  // A rename creates the new entry before it deletes the old one: the default is the new entry's by now.
  if (service.defaultsSet.has(cluster)) return;
  const live = await service.client.clusters.get(cluster);
  if (live.default_queue_id !== known.queueId) return;
  try {
    await service.client.clusters.update(cluster, { default_queue_id: null });
  } catch (error) {
    if (service.status(error) !== 422) throw error;
    service.warn(
      `cluster ${cluster} keeps its default queue ${known.queueId}: the service does not clear a default queue. ` +
        "Declare another ClusterDefaultQueue to change it.",
    );
  }
}
