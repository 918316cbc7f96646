import type { Api, RequestOptions } from "../api.js";
import { type Cluster, clusterSchema } from "../entities/cluster.js";
import { nothing, operation } from "../operation.js";
import type { List } from "../pages/list.js";

/** A new cluster (section 4.1). */
export interface ClusterCreate {
  name: string;
  description?: string | null | undefined;
  /** Emoji syntax, `:name:`. */
  emoji?: string | null | undefined;
  /** Hex color code such as `#A9CCE3`. */
  color?: string | null | undefined;
}

/** A change of a cluster (section 4.1): what is left out stays, null clears. */
export interface ClusterUpdate {
  name?: string | undefined;
  description?: string | null | undefined;
  /** Emoji syntax, `:name:`. */
  emoji?: string | null | undefined;
  /** Hex color code such as `#A9CCE3`. */
  color?: string | null | undefined;
  /** The queue (UUID) to become the default. The service may refuse null. */
  default_queue_id?: string | null | undefined;
}

const path = "/v2/organizations/{org_slug}/clusters";

export const clusterOperations = {
  list: operation("clusters.list", "GET", path, "read_clusters", "4.1", clusterSchema),
  get: operation("clusters.get", "GET", `${path}/{id}`, "read_clusters", "4.1", clusterSchema),
  create: operation("clusters.create", "POST", path, "write_clusters", "4.1", clusterSchema),
  update: operation("clusters.update", "PUT", `${path}/{id}`, "write_clusters", "4.1", clusterSchema),
  delete: operation("clusters.delete", "DELETE", `${path}/{id}`, "write_clusters", "4.1", nothing),
} as const;

/** Clusters: isolated sets of agents and pipelines (section 4.1). */
export class Clusters {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the organization's clusters.
   *
   * Scope: `read_clusters`. Section 4.1.
   * @example
   * ```ts
   * for await (const cluster of client.clusters.list()) console.log(cluster.name);
   * ```
   */
  list(options?: RequestOptions): List<Cluster> {
    return this.#api.list(clusterOperations.list, {}, {}, options);
  }

  /**
   * Reads one cluster.
   *
   * Scope: `read_clusters`. Section 4.1.
   * @throws NotFoundError if there is none with this id, or the access token may not see it.
   * @example
   * ```ts
   * const cluster = await client.clusters.get("42f1a7da-812d-4430-93d8-1cc7c33a6bcf");
   * ```
   */
  get(id: string, options?: RequestOptions): Promise<Cluster> {
    return this.#api.call(clusterOperations.get, { id }, {}, options);
  }

  /**
   * Creates a cluster. It has no default queue yet.
   *
   * Scope: `write_clusters`. Section 4.1.
   * @throws ValidationError if the service refuses a value.
   * @throws ConnectionError, TimeoutError, ServerError: it may have been created; see `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const cluster = await client.clusters.create({ name: "Linux", emoji: ":penguin:", color: "#A9CCE3" });
   * ```
   */
  create(body: ClusterCreate, options?: RequestOptions): Promise<Cluster> {
    return this.#api.call(clusterOperations.create, {}, { body }, options);
  }

  /**
   * Changes a cluster; also sets its default queue.
   *
   * Scope: `write_clusters`. Section 4.1.
   * @throws NotFoundError if there is no such cluster.
   * @throws ValidationError if the service refuses a value.
   * @example
   * ```ts
   * await client.clusters.update(cluster.id, { default_queue_id: queue.id });
   * ```
   */
  update(id: string, body: ClusterUpdate, options?: RequestOptions): Promise<Cluster> {
    return this.#api.call(clusterOperations.update, { id }, { body }, options);
  }

  /**
   * Deletes a cluster together with its queues and tokens.
   *
   * Scope: `write_clusters`. Section 4.1.
   * @throws NotFoundError if there is no such cluster; with `attempts` above 1, an earlier try may have deleted it.
   * @throws ValidationError with the reason if the service refuses.
   * @example
   * ```ts
   * await client.clusters.delete(cluster.id);
   * ```
   */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.#api.call(clusterOperations.delete, { id }, {}, options);
  }
}
