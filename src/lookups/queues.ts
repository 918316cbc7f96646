import type * as api from "../client/index.js";
import { Queue } from "../resources/queue.js";
import type { OutputArguments } from "./invoke/arguments.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization } from "./results/fields.js";
import { type KindResult, kindReader } from "./results/kind-result.js";

/** Which queue: its cluster, and one of the other two. */
export interface GetQueueArgs {
  /** UUID of the cluster the queue is in. `getQueueOutput` takes a `Cluster` too. */
  clusterId: string;
  /** UUID. */
  id?: string | undefined;
  /** Key by which agents and steps name the queue. */
  key?: string | undefined;
}

/** {@link GetQueueArgs}, where each may be an Output, and `clusterId` a `Cluster`. */
export interface GetQueueOutputArgs extends OutputArguments<GetQueueArgs, "clusterId"> {}

/** A queue, as the service has it. */
export interface GetQueueResult extends KindResult<Queue, api.Queue> {}

/** The cluster of the queues. */
export interface GetQueuesArgs {
  /** UUID of the cluster. `getQueuesOutput` takes a `Cluster` too. */
  clusterId: string;
}

/** {@link GetQueuesArgs}, where each may be an Output, and `clusterId` a `Cluster`. */
export interface GetQueuesOutputArgs extends OutputArguments<GetQueuesArgs, "clusterId"> {}

/** The queues of a cluster. */
export interface GetQueuesResult extends InOrganization {
  /** In the order of the service. */
  readonly queues: GetQueueResult[];
  /** UUID of the cluster. */
  readonly clusterId: string;
}

const read = kindReader<typeof Queue.kind, GetQueueResult>(Queue.kind);
const functions = functionsOf(Queue.kind, read);
const queue = functions.one<GetQueueArgs, GetQueueOutputArgs>(["id", "key"]);
const queues = functions.all<GetQueuesArgs, GetQueuesOutputArgs, GetQueuesResult>();

export default [queue, queues];

/**
 * Looks up a queue of a cluster by id or key. Scope: `read_clusters`.
 *
 * @throws LookupError if there is none, or several; the message lists their ids.
 * @example
 * ```ts
 * const { id } = await getCluster({ name: "Linux" });
 * const { dispatchPaused } = await getQueue({ clusterId: id, key: "deploy" });
 * ```
 */
export const getQueue = queue.plain;

/**
 * {@link getQueue} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is.
 * @example
 * ```ts
 * const { dispatchPausedBy } = getQueueOutput({ clusterId: linux, key: "deploy" });
 * ```
 */
export const getQueueOutput = queue.output;

/**
 * Lists the queues of a cluster. Scope: `read_clusters`.
 *
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { queues } = await getQueues({ clusterId });
 * const paused = queues.filter(({ dispatchPaused }) => dispatchPaused);
 * ```
 */
export const getQueues = queues.plain;

/**
 * {@link getQueues} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is.
 * @example
 * ```ts
 * const keys = getQueuesOutput({ clusterId: linux }).queues.apply((queues) => queues.map(({ key }) => key));
 * ```
 */
export const getQueuesOutput = queues.output;
