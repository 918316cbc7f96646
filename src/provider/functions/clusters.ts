import type * as api from "../../client/index.js";
import { Cluster } from "../resources/cluster.js";
import type { NoArguments, OutputArguments } from "./invoke/arguments.js";
import { outputForm } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a cluster by either `id` or `name`. */
export interface GetClusterArgs {
  /** UUID. */
  id?: string | undefined;
  /** Exact name. The function fails if several clusters have this name. */
  name?: string | undefined;
}

/** {@link GetClusterArgs}, each of which may be an Output. */
export interface GetClusterOutputArgs extends OutputArguments<GetClusterArgs> {}

/** A cluster, as the API returns it. */
export interface GetClusterResult extends KindResult<Cluster, api.Cluster, "forceDestroy"> {}

export type { NoArguments as GetClustersArgs };

/** The clusters of an organization. */
export interface GetClustersResult extends InOrganization {
  /** In the order of the API. */
  readonly clusters: GetClusterResult[];
}

const functions = functionsOf<GetClusterResult>(Cluster.kind);

/**
 * Looks up a cluster by id or name. Scope: `read_clusters`.
 *
 * Settings come from `opts.provider`, a `Provider` of this package. Without a provider, they come from the stack's
 * configuration, and then from the environment.
 * @throws LookupError if there is no such cluster, or several have the name; the message lists their ids.
 * @example
 * ```ts
 * const shared = await getCluster({ name: "Shared" });
 * new Queue("fast", { clusterId: shared.id, key: "fast" });
 * ```
 */
export const getCluster = functions.one<GetClusterArgs>(["id", "name"]);

/**
 * {@link getCluster} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { defaultQueueId } = getClusterOutput({ id: linux.id }, { dependsOn: [linuxDefaultQueue] });
 */
export const getClusterOutput = outputForm<GetClusterOutputArgs, GetClusterResult>("getCluster");

/**
 * Lists the clusters of the organization. Scope: `read_clusters`.
 * @example const { clusters } = await getClusters();
 */
export const getClusters = functions.all<NoArguments | undefined, GetClustersResult>();
