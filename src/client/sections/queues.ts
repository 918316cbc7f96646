import type { Api, RequestOptions } from "../api.js";
import { type Queue, queueSchema } from "../entities/queue.js";
import { nothing, operation } from "../operation.js";
import type { List } from "../pages/list.js";

/** A new queue (section 4.2). */
export interface QueueCreate {
  /** Letters, digits, hyphens and underscores; unique in its cluster; never changes afterwards. */
  key: string;
  description?: string | null | undefined;
}

/** A change of a queue (section 4.2). */
export interface QueueUpdate {
  /** null clears. */
  description?: string | null | undefined;
}

/** Why a queue is paused (section 4.2). */
export interface QueuePause {
  /** Shown on the queue's page and on builds that wait. */
  note?: string | null | undefined;
}

const path = "/v2/organizations/{org_slug}/clusters/{cluster_id}/queues";

export const queueOperations = {
  list: operation("queues.list", "GET", path, "read_clusters", "4.2", queueSchema),
  get: operation("queues.get", "GET", `${path}/{queue_id}`, "read_clusters", "4.2", queueSchema),
  create: operation("queues.create", "POST", path, "write_clusters", "4.2", queueSchema),
  update: operation("queues.update", "PUT", `${path}/{id}`, "write_clusters", "4.2", queueSchema),
  delete: operation("queues.delete", "DELETE", `${path}/{id}`, "write_clusters", "4.2", nothing),
  pauseDispatch: operation(
    "queues.pauseDispatch",
    "POST",
    `${path}/{id}/pause_dispatch`,
    "write_clusters",
    "4.2",
    queueSchema,
  ),
  resumeDispatch: operation(
    "queues.resumeDispatch",
    "POST",
    `${path}/{id}/resume_dispatch`,
    "write_clusters",
    "4.2",
    queueSchema,
  ),
} as const;

/** Queues: groups of agents within a cluster (section 4.2). */
export class Queues {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the queues of a cluster.
   *
   * Scope: `read_clusters`. Section 4.2.
   * @throws NotFoundError if there is no such cluster.
   * @example
   * ```ts
   * const queues = await client.queues.list(cluster.id).all();
   * ```
   */
  list(clusterId: string, options?: RequestOptions): List<Queue> {
    return this.#api.list(queueOperations.list, { cluster_id: clusterId }, {}, options);
  }

  /**
   * Reads one queue.
   *
   * Scope: `read_clusters`. Section 4.2.
   * @throws NotFoundError if there is no such queue in this cluster.
   * @example
   * ```ts
   * const { dispatch_paused } = await client.queues.get(cluster.id, queue.id);
   * ```
   */
  get(clusterId: string, queueId: string, options?: RequestOptions): Promise<Queue> {
    return this.#api.call(queueOperations.get, { cluster_id: clusterId, queue_id: queueId }, {}, options);
  }

  /**
   * Creates a queue.
   *
   * Scope: `write_clusters`. Section 4.2.
   * @throws ValidationError if the key is taken or malformed, or the cluster has as many queues as it may.
   * @throws ConnectionError, TimeoutError, ServerError: it may have been created; see `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const queue = await client.queues.create(cluster.id, { key: "linux-large", description: "32 cores" });
   * ```
   */
  create(clusterId: string, body: QueueCreate, options?: RequestOptions): Promise<Queue> {
    return this.#api.call(queueOperations.create, { cluster_id: clusterId }, { body }, options);
  }

  /**
   * Changes a queue's description. Its key never changes.
   *
   * Scope: `write_clusters`. Section 4.2.
   * @throws NotFoundError if there is no such queue in this cluster.
   * @throws ValidationError if the service refuses the value.
   * @example
   * ```ts
   * await client.queues.update(cluster.id, queue.id, { description: "64 cores" });
   * ```
   */
  update(clusterId: string, queueId: string, body: QueueUpdate, options?: RequestOptions): Promise<Queue> {
    return this.#api.call(queueOperations.update, { cluster_id: clusterId, id: queueId }, { body }, options);
  }

  /**
   * Deletes a queue.
   *
   * Scope: `write_clusters`. Section 4.2.
   * @throws NotFoundError if there is no such queue; with `attempts` above 1, an earlier try may have deleted it.
   * @throws ValidationError with the reason if the service refuses, as it may for a cluster's default queue.
   * @example
   * ```ts
   * await client.queues.delete(cluster.id, queue.id);
   * ```
   */
  delete(clusterId: string, queueId: string, options?: RequestOptions): Promise<void> {
    return this.#api.call(queueOperations.delete, { cluster_id: clusterId, id: queueId }, {}, options);
  }

  /**
   * Pauses a queue: its agents get no further jobs. The note is sent by both names the document has for it.
   *
   * Scope: `write_clusters`. Sections 4.2 and 3.1.
   * @throws ValidationError `Cluster queue is already paused`.
   * @throws ConnectionError, TimeoutError, ServerError: it may have been paused; see `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * await client.queues.pauseDispatch(cluster.id, queue.id, { note: "Disk replacement until 16:00" });
   * ```
   */
  pauseDispatch(
    clusterId: string,
    queueId: string,
    pause: QueuePause = {},
    options?: RequestOptions,
  ): Promise<Queue> {
    const body = { note: pause.note, dispatch_paused_note: pause.note };
    return this.#api.call(
      queueOperations.pauseDispatch,
      { cluster_id: clusterId, id: queueId },
      { body },
      options,
    );
  }

  /**
   * Resumes a paused queue.
   *
   * Scope: `write_clusters`. Sections 4.2 and 3.1.
   * @throws ValidationError `Cluster queue is not paused`.
   * @throws ConnectionError, TimeoutError, ServerError: it may have been resumed; see `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * await client.queues.resumeDispatch(cluster.id, queue.id);
   * ```
   */
  resumeDispatch(clusterId: string, queueId: string, options?: RequestOptions): Promise<Queue> {
    const ids = { cluster_id: clusterId, id: queueId };
    return this.#api.call(queueOperations.resumeDispatch, ids, { jsonType: true }, options);
  }
}
