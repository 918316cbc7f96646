import type * as api from "../../client/index.js";
import { Queue } from "../resources/queue.js";
import type { OutputArguments } from "./invoke/arguments.js";
import { outputForm } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a queue by its cluster and either `id` or `key`. */
export interface GetQueueArgs {
  /** UUID of the queue's cluster. `getQueueOutput` also accepts a `Cluster`. */
  clusterId: string;
  /** UUID. */
  id?: string | undefined;
  /** Key by which agents and steps refer to the queue. */
  key?: string | undefined;
}

/** {@link GetQueueArgs}, each of which may be an Output. `clusterId` may also be a `Cluster`. */
export interface GetQueueOutputArgs extends OutputArguments<GetQueueArgs, "clusterId"> {}

/** A queue, as the API returns it. */
export interface GetQueueResult extends KindResult<Queue, api.Queue> {}

/** Identifies the cluster whose queues to list. */
export interface GetQueuesArgs {
  /** UUID of the cluster. `getQueuesOutput` also accepts a `Cluster`. */
  clusterId: string;
}

/** {@link GetQueuesArgs}, each of which may be an Output. `clusterId` may also be a `Cluster`. */
export interface GetQueuesOutputArgs extends OutputArguments<GetQueuesArgs, "clusterId"> {}

/** The queues of a cluster. */
export interface GetQueuesResult extends InOrganization {
  /** In the order of the API. */
  readonly queues: GetQueueResult[];
  /** UUID of the cluster. */
  readonly clusterId: string;
}

const functions = functionsOf<GetQueueResult>(Queue.kind);

/**
 * Looks up a queue of a cluster by id or key. Scope: `read_clusters`.
 * @throws LookupError if no object matches, or several do; the message lists their ids.
 * @example
 * ```ts
 * const { id } = await getCluster({ name: "Linux" });
 * const { dispatchPaused } = await getQueue({ clusterId: id, key: "deploy" });
 * ```
 */
export const getQueue = functions.one<GetQueueArgs>(["id", "key"]);

/**
 * {@link getQueue} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { dispatchPausedBy } = getQueueOutput({ clusterId: linux, key: "deploy" });
 */
export const getQueueOutput = outputForm<GetQueueOutputArgs, GetQueueResult>("getQueue");

/**
 * Lists the queues of a cluster. Scope: `read_clusters`.
 * @example
 * ```ts
 * const { queues } = await getQueues({ clusterId });
 * const paused = queues.filter(({ dispatchPaused }) => dispatchPaused);
 * ```
 */
export const getQueues = functions.all<GetQueuesArgs, GetQueuesResult>();

/**
 * {@link getQueues} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const keys = getQueuesOutput({ clusterId: linux }).queues.apply((queues) => queues.map(({ key }) => key));
 */
export const getQueuesOutput = outputForm<GetQueuesOutputArgs, GetQueuesResult>("getQueues");
