import * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, flag, identifier, text, userSchema } from "./api/entity.js";
import type { List } from "./api/list.js";
import { type BodyChange, nothing, operations } from "./api/operation.js";
import { type ClusterMaintainerCreate, clusterMaintainerSchema } from "./cluster-maintainers.js";

const clusterMaintainerLists = entity({
  decorative: {
    /** Users who maintain the cluster. */
    users: z.array(clusterMaintainerSchema).nullable(),
    /** Teams that maintain the cluster. */
    teams: z.array(clusterMaintainerSchema).nullable(),
  },
});

/** The maintainers of a cluster, as the cluster shows them. */
export interface ClusterMaintainerLists extends z.output<typeof clusterMaintainerLists> {}

const clusterMaintainerListsSchema: z.ZodType<ClusterMaintainerLists> = clusterMaintainerLists;

const clusterSchema = entity({
  required: {
    /** UUID. */
    id: identifier,
    name: identifier,
  },
  optional: {
    /**
     * UUID of the default queue, from which agents take jobs if they connect without naming a queue; null if the
     * cluster has no default queue.
     */
    default_queue_id: text,
    /** null or "" when unset. */
    description: text,
    /** Emoji syntax, `:name:`; null or "" when unset. */
    emoji: text,
    /** Hex color code such as `#A9CCE3`; null or "" when unset. */
    color: text,
  },
  decorative: {
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** Canonical address in the REST API. */
    url: text,
    /** Address in the web interface. */
    web_url: text,
    /** Address of the cluster's queues in the REST API. */
    queues_url: text,
    /** Address of the default queue in the REST API; null when there is none. */
    default_queue_url: text,
    /** ISO 8601, UTC. */
    created_at: text,
    /** User who created it. */
    created_by: userSchema.nullable(),
    /** Users and teams who may manage the cluster; some responses omit it. */
    maintainers: clusterMaintainerListsSchema.nullable(),
    /** True if hosted agents clone from a mirror. Absent for people who may not manage the cluster. */
    hosted_git_mirror_enabled: flag,
    /** True if hosted agents keep container images in a cache. Absent for people who may not manage the cluster. */
    hosted_container_cache_enabled: flag,
  },
});

/** An isolated set of agents and pipelines in an organization. */
export interface Cluster extends z.output<typeof clusterSchema> {}

/** A new cluster. */
export interface ClusterCreate {
  name: string;
  description?: string | null | undefined;
  /** Emoji syntax, `:name:`. */
  emoji?: string | null | undefined;
  /** Hex color code such as `#A9CCE3`. */
  color?: string | null | undefined;
  /** Users and teams who may manage the cluster, by UUID. `clusterMaintainers` changes them later. */
  maintainers?: readonly ClusterMaintainerCreate[] | undefined;
}

/** Changes to a cluster. Omitted fields keep their values; null clears a field. */
export interface ClusterUpdate extends BodyChange<Omit<ClusterCreate, "maintainers">> {
  /** UUID of the new default queue. The API may refuse null. */
  default_queue_id?: string | null | undefined;
  /** True if hosted agents clone from a mirror. The API refuses it for a cluster without hosted agents. */
  hosted_git_mirror_enabled?: boolean | undefined;
  /** True if hosted agents keep container images in a cache. The API refuses it for a cluster without hosted agents. */
  hosted_container_cache_enabled?: boolean | undefined;
}

const path = "/v2/organizations/{org_slug}/clusters";

/** @internal */
export const clusterOperations = operations("clusters", {
  list: ["GET", path, "read_clusters", clusterSchema],
  get: ["GET", `${path}/{id}`, "read_clusters", clusterSchema],
  create: ["POST", path, "write_clusters", clusterSchema],
  update: ["PUT", `${path}/{id}`, "write_clusters", clusterSchema],
  delete: ["DELETE", `${path}/{id}`, "write_clusters", nothing],
});

/** Clusters: isolated sets of agents and pipelines. */
export class Clusters extends Section {
  /**
   * Lists the organization's clusters. Scope: `read_clusters`.
   * @example for await (const cluster of client.clusters.list()) console.log(cluster.name);
   */
  list(options?: RequestOptions): List<Cluster> {
    return this.api.list(clusterOperations.list, [], options);
  }

  /**
   * Reads one cluster. Scope: `read_clusters`.
   * @throws NotFoundError if there is no such cluster, or the access token may not see it.
   * @example const cluster = await client.clusters.get("42f1a7da-812d-4430-93d8-1cc7c33a6bcf");
   */
  get(id: string, options?: RequestOptions): Promise<Cluster> {
    return this.api.call(clusterOperations.get, [id], options);
  }

  /**
   * Creates a cluster. A new cluster has no default queue. Scope: `write_clusters`.
   * @throws ConnectionError, TimeoutError, ServerError: the cluster may have been created; see `mayHaveBeenCarriedOut`.
   * @example const cluster = await client.clusters.create({ name: "Linux", emoji: ":penguin:", color: "#A9CCE3" });
   */
  create(body: ClusterCreate, options?: RequestOptions): Promise<Cluster> {
    return this.api.call(clusterOperations.create, [], options, body);
  }

  /**
   * Changes a cluster's properties, including its default queue. Scope: `write_clusters`.
   * @example await client.clusters.update(cluster.id, { default_queue_id: queue.id });
   */
  update(id: string, body: ClusterUpdate, options?: RequestOptions): Promise<Cluster> {
    return this.api.call(clusterOperations.update, [id], options, body);
  }

  /**
   * Deletes a cluster, its queues and its agent tokens. Scope: `write_clusters`.
   * @throws NotFoundError if there is no such cluster; if `attempts` is above 1, an earlier attempt may have deleted
   * it.
   * @example await client.clusters.delete(cluster.id);
   */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.api.call(clusterOperations.delete, [id], options);
  }
}
