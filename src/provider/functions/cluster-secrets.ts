import type * as api from "../../client/index.js";
import { ClusterSecret } from "../resources/cluster-secret.js";
import type { OutputArguments } from "./invoke/arguments.js";
import { outputForm } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a secret by its cluster and either `id` or `key`. */
export interface GetClusterSecretArgs {
  /** UUID of the secret's cluster. `getClusterSecretOutput` also accepts a `Cluster`. */
  clusterId: string;
  /** UUID. */
  id?: string | undefined;
  /** Key by which jobs read the secret. */
  key?: string | undefined;
}

/** {@link GetClusterSecretArgs}, each of which may be an Output. `clusterId` may also be a `Cluster`. */
export interface GetClusterSecretOutputArgs extends OutputArguments<GetClusterSecretArgs, "clusterId"> {}

/** A secret, as the API returns it: without its value. */
export interface GetClusterSecretResult
  extends KindResult<ClusterSecret, api.ClusterSecret, "value" | "triggers"> {
  /** When a job read it last, ISO 8601 in UTC. */
  readonly lastReadAt?: string;
}

/** Identifies the cluster whose secrets to list. */
export interface GetClusterSecretsArgs {
  /** UUID of the cluster. `getClusterSecretsOutput` also accepts a `Cluster`. */
  clusterId: string;
}

/** {@link GetClusterSecretsArgs}, each of which may be an Output. `clusterId` may also be a `Cluster`. */
export interface GetClusterSecretsOutputArgs extends OutputArguments<GetClusterSecretsArgs, "clusterId"> {}

/** The secrets of a cluster. */
export interface GetClusterSecretsResult extends InOrganization {
  /** In the order of the API. */
  readonly clusterSecrets: GetClusterSecretResult[];
  /** UUID of the cluster. */
  readonly clusterId: string;
}

const functions = functionsOf<GetClusterSecretResult>(ClusterSecret.kind);

/**
 * Looks up a secret of a cluster by id or key, without its value. Scope: `read_secrets_details`.
 * @throws LookupError if no object matches, or several do; the message lists their ids.
 * @example
 * ```ts
 * const { id } = await getCluster({ name: "Linux" });
 * const { lastReadAt } = await getClusterSecret({ clusterId: id, key: "DEPLOY_KEY" });
 * ```
 */
export const getClusterSecret = functions.one<GetClusterSecretArgs>(["id", "key"]);

/**
 * {@link getClusterSecret} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { updatedAt } = getClusterSecretOutput({ clusterId: linux, key: "DEPLOY_KEY" });
 */
export const getClusterSecretOutput = outputForm<GetClusterSecretOutputArgs, GetClusterSecretResult>(
  "getClusterSecret",
);

/**
 * Lists the secrets of a cluster, without their values. Scope: `read_secrets_details`.
 * @example
 * ```ts
 * const { clusterSecrets } = await getClusterSecrets({ clusterId });
 * const unread = clusterSecrets.filter(({ lastReadAt }) => lastReadAt === undefined);
 * ```
 */
export const getClusterSecrets = functions.all<GetClusterSecretsArgs, GetClusterSecretsResult>();

/**
 * {@link getClusterSecrets} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { clusterSecrets } = getClusterSecretsOutput({ clusterId: linux });
 */
export const getClusterSecretsOutput = outputForm<GetClusterSecretsOutputArgs, GetClusterSecretsResult>(
  "getClusterSecrets",
);
