import type * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text } from "./api/entity.js";
import type { List } from "./api/list.js";
import { nothing, operations } from "./api/operation.js";

const maintainerActor = entity({
  required: {
    /** UUID of the user or the team. */
    id: identifier,
  },
  optional: {
    /** `user` or `team`. Some responses omit it: then only a user has an `email`. */
    type: text,
  },
  decorative: {
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** Name of the user, and in some responses of the team. */
    name: text,
    /** User's email address. */
    email: text,
    /** Name of the team in web addresses; some responses omit it. */
    slug: text,
  },
});

/** The user or the team that maintains a cluster. */
export interface MaintainerActor extends z.output<typeof maintainerActor> {}

const maintainerActorSchema: z.ZodType<MaintainerActor> = maintainerActor;

const clusterMaintainer = entity({
  required: {
    /** UUID of the assignment. Someone who is assigned again gets another one. */
    id: identifier,
    /** The user or the team that maintains the cluster. */
    actor: maintainerActorSchema,
  },
});

/** The assignment of a user or a team as a maintainer of a cluster. */
export interface ClusterMaintainer extends z.output<typeof clusterMaintainer> {}

export const clusterMaintainerSchema: z.ZodType<ClusterMaintainer> = clusterMaintainer;

/** A new maintainer of a cluster: a user or a team, by UUID. */
export type ClusterMaintainerCreate =
  | { readonly user: string; readonly team?: undefined }
  | { readonly team: string; readonly user?: undefined };

const path = "/v2/organizations/{org_slug}/clusters/{cluster_id}/maintainers";
const one = `${path}/{id}` as const;

/** @internal */
export const clusterMaintainerOperations = operations("clusterMaintainers", {
  list: ["GET", path, "read_clusters", clusterMaintainerSchema],
  get: ["GET", one, "read_clusters", clusterMaintainerSchema],
  create: ["POST", path, "write_clusters", clusterMaintainerSchema],
  delete: ["DELETE", one, "write_clusters", nothing],
});

/** Maintainers of clusters: users and teams who may manage a cluster. */
export class ClusterMaintainers extends Section {
  /**
   * Lists the maintainers of a cluster. Only admins and maintainers of the cluster may do this. Scope: `read_clusters`.
   * @example const maintainers = await client.clusterMaintainers.list(cluster.id).all();
   */
  list(clusterId: string, options?: RequestOptions): List<ClusterMaintainer> {
    return this.api.list(clusterMaintainerOperations.list, [clusterId], options);
  }

  /**
   * Reads one assignment. Scope: `read_clusters`.
   * @example const { actor } = await client.clusterMaintainers.get(cluster.id, maintainer.id);
   */
  get(clusterId: string, maintainerId: string, options?: RequestOptions): Promise<ClusterMaintainer> {
    return this.api.call(clusterMaintainerOperations.get, [clusterId, maintainerId], options);
  }

  /**
   * Makes a user or a team a maintainer of a cluster. Scope: `write_clusters`.
   * @throws ValidationError if the API refuses the user or the team.
   * @throws ConnectionError, TimeoutError, ServerError: the assignment may have been created; see
   * `mayHaveBeenCarriedOut`.
   * @example const maintainer = await client.clusterMaintainers.create(cluster.id, { team: team.id });
   */
  create(
    clusterId: string,
    body: ClusterMaintainerCreate,
    options?: RequestOptions,
  ): Promise<ClusterMaintainer> {
    return this.api.call(clusterMaintainerOperations.create, [clusterId], options, body);
  }

  /**
   * Removes a maintainer from a cluster. Scope: `write_clusters`.
   * @param maintainerId UUID of the assignment, not of the user or the team
   * @throws NotFoundError if there is no such assignment; if `attempts` is above 1, an earlier attempt may have removed
   * it.
   * @example await client.clusterMaintainers.delete(cluster.id, maintainer.id);
   */
  delete(clusterId: string, maintainerId: string, options?: RequestOptions): Promise<void> {
    return this.api.call(clusterMaintainerOperations.delete, [clusterId, maintainerId], options);
  }
}
