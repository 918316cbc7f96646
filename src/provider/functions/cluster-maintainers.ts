import type * as api from "../../client/index.js";
import { ClusterMaintainer } from "../resources/cluster-maintainer.js";
import type { OutputArguments } from "./invoke/arguments.js";
import { outputForm } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a maintainer by the cluster and the assignment. */
export interface GetClusterMaintainerArgs {
  /** UUID of the cluster. `getClusterMaintainerOutput` also accepts a `Cluster`. */
  clusterId: string;
  /** UUID of the assignment, not of the user or the team. */
  id: string;
}

/** {@link GetClusterMaintainerArgs}, each of which may be an Output. `clusterId` may also be a `Cluster`. */
export interface GetClusterMaintainerOutputArgs
  extends OutputArguments<GetClusterMaintainerArgs, "clusterId"> {}

/** The assignment of a user or a team as a maintainer, as the API returns it. */
export interface GetClusterMaintainerResult extends KindResult<ClusterMaintainer, api.ClusterMaintainer> {}

/** Identifies the cluster whose maintainers to list. */
export interface GetClusterMaintainersArgs {
  /** UUID of the cluster. `getClusterMaintainersOutput` also accepts a `Cluster`. */
  clusterId: string;
}

/** {@link GetClusterMaintainersArgs}, each of which may be an Output. `clusterId` may also be a `Cluster`. */
export interface GetClusterMaintainersOutputArgs
  extends OutputArguments<GetClusterMaintainersArgs, "clusterId"> {}

/** The maintainers of a cluster. */
export interface GetClusterMaintainersResult extends InOrganization {
  /** In the order of the API. */
  readonly clusterMaintainers: GetClusterMaintainerResult[];
  /** UUID of the cluster. */
  readonly clusterId: string;
}

const functions = functionsOf<GetClusterMaintainerResult>(ClusterMaintainer.kind);

/**
 * Looks up the assignment of a maintainer. Scope: `read_clusters`, of an admin or of a maintainer of the cluster.
 * @example const { actorName } = await getClusterMaintainer({ clusterId, id: assignmentId });
 */
export const getClusterMaintainer = functions.one<GetClusterMaintainerArgs>(["id"]);

/**
 * {@link getClusterMaintainer} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { actorName } = getClusterMaintainerOutput({ clusterId: linux, id: assignmentId });
 */
export const getClusterMaintainerOutput = outputForm<
  GetClusterMaintainerOutputArgs,
  GetClusterMaintainerResult
>("getClusterMaintainer");

/**
 * Lists the maintainers of a cluster. Scope: `read_clusters`, of an admin or of a maintainer of the cluster.
 * @example
 * ```ts
 * const { clusterMaintainers } = await getClusterMaintainers({ clusterId });
 * const users = clusterMaintainers.filter(({ userId }) => userId !== undefined);
 * ```
 */
export const getClusterMaintainers = functions.all<GetClusterMaintainersArgs, GetClusterMaintainersResult>();

/**
 * {@link getClusterMaintainers} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { clusterMaintainers } = getClusterMaintainersOutput({ clusterId: linux });
 */
export const getClusterMaintainersOutput = outputForm<
  GetClusterMaintainersOutputArgs,
  GetClusterMaintainersResult
>("getClusterMaintainers");
