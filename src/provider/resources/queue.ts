import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/pulumi/resource.js";
import type * as api from "../../client/index.js";
import { messageOf } from "../../shared/messages/of-error.js";
import type { Address, Context, Deletion } from "../kind/calls.js";
import { boolean, clusterId, inCluster, optionalText, property } from "../kind/fields.js";
import type { EmbeddedUser, Kind, Plain } from "../kind/kind.js";
import { text } from "../kind/shape.js";
import { lookup, type ResourceOptions, register, registered } from "../program/registration.js";
import type { Cluster } from "./cluster.js";
import { clearDefaultQueue } from "./cluster-default-queue.js";

/** Arguments of a {@link Queue}. */
export interface QueueArgs {
  /** Cluster the queue is in: a {@link Cluster} or the UUID of one. Required. Changing it replaces the queue. */
  clusterId: pulumi.Input<string> | Cluster;
  /**
   * Key by which agents and steps name the queue: letters, digits, hyphens and underscores. Unique in the
   * cluster. Required. Changing it replaces the queue.
   * @example "linux-large"
   */
  key: pulumi.Input<string>;
  /**
   * Purpose of the queue. Default: none. Changing it updates in place; leaving it out clears it.
   * @example "16 cores, for release builds"
   */
  description?: pulumi.Input<string | undefined>;
  /**
   * `true` pauses the dispatch of jobs to the queue's agents, and `false` resumes it; the next deployment that refreshes
   * then undoes a change by an operator. Without this argument, Pulumi doesn't manage pausing, so a pause during an
   * incident is no drift. Changing it updates in place.
   */
  dispatchPaused?: pulumi.Input<boolean | undefined>;
  /**
   * Reason for the pause, sent when the queue is paused. If you change it while the queue stays paused, the provider only
   * stores it, because the API takes a new note only after a resume, which would start jobs. Default: none.
   */
  dispatchPausedNote?: pulumi.Input<string | undefined>;
}

/**
 * A queue: a group of agents within a cluster. Needs the scopes `read_clusters` and `write_clusters`. A cluster has at
 * most 50 queues.
 *
 * Changing `clusterId` or `key` replaces the queue. Because keys are unique in a cluster, Pulumi deletes the old queue
 * first if the key stays the same in another cluster. A replacement that keeps both (`--replace`, `replaceOnChanges`)
 * needs `deleteBeforeReplace: true`; without it, the preview fails. Two queues that swap keys need two deployments,
 * with a temporary key. A queue of hosted agents is not replaced, because no argument declares them yet.
 *
 * The API may refuse to delete a cluster's default queue. The provider then tries again for some seconds, because the
 * {@link ClusterDefaultQueue} may be deleted at the same time, and afterwards clears the default, with a warning.
 *
 * `{ import: "<cluster uuid|name>/<queue uuid|key>" }` imports an existing queue.
 *
 * @example
 * ```ts
 * new Queue("deploy", {
 *   clusterId: linux,
 *   key: "deploy",
 *   dispatchPaused: true,
 *   dispatchPausedNote: "Release freeze until Monday",
 * });
 * ```
 */
export class Queue extends CustomResource {
  /** @internal */
  static readonly kind = {
    name: "Queue",
    words: { noun: "queue", label: "key" },
    drawn: { paused: "dispatchPaused" },
    section: "4.2",
    scopes: { read: [["read_clusters"]], write: [["write_clusters"]] },
    parent: inCluster,
    arguments: {
      clusterId,
      key: {
        shape: text((key) =>
          key === ""
            ? "is empty"
            : /^[A-Za-z0-9_-]+$/.test(key)
              ? undefined
              : "has characters that a key cannot have",
        ),
        expected: 'letters, digits, hyphens and underscores such as "linux-large"',
        whenOmitted: "required",
        sentAs: "key",
        creationOnly: true,
        returnedAs: "key",
        replaces: true,
      },
      description: { ...optionalText, ...property("description") },
      dispatchPaused: {
        ...boolean,
        whenOmitted: "unmanaged",
        returnedAs: "dispatch_paused",
        apply: setPaused,
      },
      // The note on the service is whoever's who paused last: never drift.
      dispatchPausedNote: {
        ...optionalText,
        whenOmitted: "unmanaged",
        returnedAs: "dispatch_paused_note",
        appliedWith: "dispatchPaused",
        canonicalOnService: () => undefined,
      },
    },
    outputs: {
      graphqlId: { returnedAs: "graphql_id" },
      url: { returnedAs: "url" },
      webUrl: { returnedAs: "web_url" },
      clusterUrl: { returnedAs: "cluster_url" },
      hosted: {
        returnedAs: "hosted",
        whenAbsent: false,
        lostWhenReplaced: {
          is: "runs on Buildkite hosted agents",
          becomes: "would be a self-hosted queue",
          refused: true,
        },
      },
      dispatchPausedAt: { returnedAs: "dispatch_paused_at", changesWith: ["dispatchPaused"] },
      dispatchPausedBy: { returnedAs: "dispatch_paused_by", user: true, changesWith: ["dispatchPaused"] },
      createdAt: { returnedAs: "created_at" },
      createdBy: { returnedAs: "created_by", user: true },
    },
    deleteBeforeReplace: (old, next) => old.key === next.key,
    identify: (queue) => queue.id,
    unique: "key",
    refusesDuplicates: true,
    once: {
      argument: "key",
      words: "is the key of {other} in the same cluster already. Give each queue in a cluster its own key.",
    },
    importing: {
      form: "<queue uuid|key>",
      names: (queue) => [queue.key],
      remarks: [
        {
          when: ({ dispatchPaused }) => dispatchPaused === true,
          words: "Paused now: {objects}. The program does not manage pausing; `dispatchPaused: true` would.",
        },
        {
          when: ({ hosted }) => hosted === true,
          words:
            "On Buildkite hosted agents: {objects}. No argument declares that yet, so the provider refuses to replace them.",
        },
      ],
    },
    calls: {
      list: ({ client, signal }, { parent }) => client.queues.list(parent, { signal }),
      get: ({ client }, { parent, id }) => client.queues.get(parent, id),
      create: ({ client }, { parent }, body) => client.queues.create(parent, body),
      update: ({ client }, { parent, id }, body) => client.queues.update(parent, id, body),
      delete: deleteQueue,
    },
  } satisfies Kind<QueueArgs, Queue, api.Queue, api.QueueCreate, api.QueueUpdate>;

  /** UUID of the cluster the queue is in. */
  declare readonly clusterId: pulumi.Output<string>;
  /** Key by which agents and steps name the queue. */
  declare readonly key: pulumi.Output<string>;
  /** Purpose of the queue. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** True if dispatching is paused; when pausing is not managed, as of the last read. */
  declare readonly dispatchPaused: pulumi.Output<boolean>;
  /** Why it is paused; when pausing is not managed, as of the last read. */
  declare readonly dispatchPausedNote: pulumi.Output<string | undefined>;
  /** Slug of the organization the queue is in. */
  declare readonly organization: pulumi.Output<string>;
  /** Opaque id for the service's GraphQL interface. */
  declare readonly graphqlId: pulumi.Output<string>;
  /** Canonical API URL. */
  declare readonly url: pulumi.Output<string>;
  /** Address in the web interface. */
  declare readonly webUrl: pulumi.Output<string>;
  /** API URL of the cluster. */
  declare readonly clusterUrl: pulumi.Output<string>;
  /** True if Buildkite hosts the agents of the queue. The provider refuses to replace such a queue. */
  declare readonly hosted: pulumi.Output<boolean>;
  /** When it was paused, ISO 8601 in UTC; undefined when it is not. */
  declare readonly dispatchPausedAt: pulumi.Output<string | undefined>;
  /** User who paused it; undefined when it is not paused. */
  declare readonly dispatchPausedBy: pulumi.Output<EmbeddedUser | undefined>;
  /** When it was created, ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** User who created it. */
  declare readonly createdBy: pulumi.Output<EmbeddedUser | undefined>;

  /**
   * Reads an existing queue without managing it. A missing one is an error.
   * @example Queue.get("default", queueUuid, { clusterId: clusterUuid })
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: Partial<QueueArgs> & Pick<QueueArgs, "clusterId">,
    opts?: pulumi.CustomResourceOptions,
  ): Queue {
    return new this(name, ...lookup<QueueArgs>(id, state, opts));
  }

  constructor(name: string, args: QueueArgs, opts?: ResourceOptions) {
    super(...register(new.target, name, args, opts));
    registered(this);
  }
}

/** Pauses or resumes. A queue that is already as wanted is a success. */
async function setPaused(
  context: Context,
  { parent, id }: Address,
  { dispatchPaused, dispatchPausedNote }: Partial<Plain<QueueArgs>>,
): Promise<api.Queue> {
  const { queues } = context.client;
  try {
    if (!dispatchPaused) return await queues.resumeDispatch(parent, id);
    return await queues.pauseDispatch(parent, id, dispatchPausedNote ? { note: dispatchPausedNote } : {});
  } catch (error) {
    if (context.status(error) !== 422) throw error;
    const queue = await queues.get(parent, id);
    if (queue.dispatch_paused !== dispatchPaused) throw error;
    return queue;
  }
}

const DEFAULT_QUEUE_RETRIES = 10;
const DEFAULT_QUEUE_WAIT_MS = 1_000;

/** Deletes, and gives a default queue some seconds: its ClusterDefaultQueue may be deleted in parallel. */
async function deleteQueue(
  context: Context,
  { parent, id, known }: Address<"key">,
): Promise<Deletion | undefined> {
  const { client } = context;
  let isCleared = false;
  for (let attempt = 0; ; attempt++) {
    try {
      await client.queues.delete(parent, id);
      return undefined;
    } catch (error) {
      if (context.status(error) !== 422 || isCleared) throw error;
      const { default_queue_id: defaultQueue } = await client.clusters.get(parent);
      const { deleting, leftBehind } = context.done("ClusterDefaultQueue", parent);
      if (defaultQueue !== id) {
        // The default may have been cleared after the refusal. Then one more try decides.
        if (deleting === undefined) throw error;
        isCleared = true;
        continue;
      }
      if (leftBehind) {
        context.warn(
          `the queue ${known.key} (${id}) stays in cluster ${parent}: it is the default queue, and the service neither ` +
            "clears a default queue nor deletes one. It is deleted with its cluster.",
        );
        return "leftBehind";
      }
      if (attempt === DEFAULT_QUEUE_RETRIES - 1) await clearDefault(context, parent, id, known.key);
      else if (attempt === DEFAULT_QUEUE_RETRIES)
        throw new Error(
          `${messageOf(error)} The queue ${id} is still the default queue of cluster ${parent}. ` +
            "Make another queue the default (the queueId of its ClusterDefaultQueue, or the web interface) and run again.",
          { cause: error },
        );
      await context.pause(DEFAULT_QUEUE_WAIT_MS);
    }
  }
}

/**
 * Clears a default that no resource is about to clear: its ClusterDefaultQueue went in an earlier run, or a colleague set
 * it. Any other default of the cluster stays.
 */
async function clearDefault(context: Context, cluster: string, queue: string, key: unknown): Promise<void> {
  try {
    if (!(await clearDefaultQueue(context, cluster, queue))) return;
    context.warn(
      `Cluster ${cluster} has no default queue now: its default was the queue ${key} (${queue}), and the API refuses to ` +
        "delete a default queue. For agents that connect without naming a queue, set another default.",
    );
  } catch (error) {
    if (context.status(error) !== 422) throw error;
  }
}
