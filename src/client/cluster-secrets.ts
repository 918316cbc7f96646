import type * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text, userSchema } from "./api/entity.js";
import type { List } from "./api/list.js";
import { type BodyChange, nothing, operations } from "./api/operation.js";
import { organizationSchema } from "./organizations.js";

const clusterSecretSchema = entity({
  required: {
    /** UUID. */
    id: identifier,
    /** Name by which jobs read the secret. The key never changes after creation. */
    key: identifier,
  },
  optional: {
    /** null or "" when unset. */
    description: text,
    /** Rules for the jobs that may read the secret, as YAML text; null or "" when unset. */
    policy: text,
  },
  decorative: {
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** Canonical address in the REST API. */
    url: text,
    /** Address of the owning cluster in the REST API. */
    cluster_url: text,
    /** ISO 8601, UTC. */
    created_at: text,
    /** User who created it. */
    created_by: userSchema.nullable(),
    /** Time of the last change of the value, the description or the policy; ISO 8601, UTC. */
    updated_at: text,
    /** User who changed it last; null until the first change. */
    updated_by: userSchema.nullable(),
    /** Time a job last read the value; ISO 8601, UTC; null until then. */
    last_read_at: text,
    /** Organization that the secret belongs to. */
    organization: organizationSchema.nullable(),
  },
});

/** A secret of a cluster, which jobs can read. The API never returns its value. */
export interface ClusterSecret extends z.output<typeof clusterSecretSchema> {}

/** A new secret. */
export interface ClusterSecretCreate {
  /**
   * Letters, digits and underscores, 255 at most. The key starts with a letter, and not with `buildkite` or `bk` in any
   * case. It is unique in its cluster and never changes after creation.
   */
  key: string;
  /** Secret, not blank. The documentation gives two limits: 8 KB and 32 KB. */
  value: string;
  /** Purpose of the secret. */
  description?: string | null | undefined;
  /**
   * Rules for the jobs that may read the secret, as YAML text: a list of rules, one of which must apply. A rule is a map
   * of claims such as `pipeline_slug` and `build_branch`, all of which must match.
   */
  policy?: string | null | undefined;
}

/** Changes to a secret without its value. Omitted fields keep their values; "" clears a field. */
export interface ClusterSecretUpdate extends BodyChange<Omit<ClusterSecretCreate, "key" | "value">> {}

/** A new value of a secret. */
export interface ClusterSecretValue extends Pick<ClusterSecretCreate, "value"> {}

const path = "/v2/organizations/{org_slug}/clusters/{cluster_id}/secrets";
const one = `${path}/{id}` as const;

/** @internal */
export const clusterSecretOperations = operations("clusterSecrets", {
  list: ["GET", path, "read_secrets_details", clusterSecretSchema],
  get: ["GET", one, "read_secrets_details", clusterSecretSchema],
  create: ["POST", path, "write_secrets", clusterSecretSchema, { secret: "value" }],
  update: ["PUT", one, "write_secrets", clusterSecretSchema],
  updateValue: ["PUT", `${one}/value`, "write_secrets", clusterSecretSchema, { secret: "value" }],
  delete: ["DELETE", one, "write_secrets", nothing],
});

/** Secrets of clusters, without their values. */
export class ClusterSecrets extends Section {
  /**
   * Lists the secrets of a cluster, without their values. Scope: `read_secrets_details`.
   * @example for await (const { key } of client.clusterSecrets.list(cluster.id)) console.log(key);
   */
  list(clusterId: string, options?: RequestOptions): List<ClusterSecret> {
    return this.api.list(clusterSecretOperations.list, [clusterId], options);
  }

  /**
   * Reads one secret, without its value. Scope: `read_secrets_details`.
   * @example const { updated_at } = await client.clusterSecrets.get(cluster.id, secret.id);
   */
  get(clusterId: string, secretId: string, options?: RequestOptions): Promise<ClusterSecret> {
    return this.api.call(clusterSecretOperations.get, [clusterId, secretId], options);
  }

  /**
   * Creates a secret. Only admins and maintainers of the cluster may do this. The client's errors don't contain the
   * value. Scope: `write_secrets`.
   * @throws ValidationError if the key is taken or malformed, or the value is blank or too long.
   * @throws ConnectionError, TimeoutError, ServerError: the secret may have been created; see `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const secret = await client.clusterSecrets.create(cluster.id, {
   *   key: "DEPLOY_KEY",
   *   value: process.env.DEPLOY_KEY ?? "",
   *   policy: "- pipeline_slug: storefront\n  build_branch: main\n",
   * });
   * ```
   */
  create(clusterId: string, body: ClusterSecretCreate, options?: RequestOptions): Promise<ClusterSecret> {
    return this.api.call(clusterSecretOperations.create, [clusterId], options, body);
  }

  /**
   * Changes a secret's description and policy. `updateValue` changes the value; the key cannot be changed. Scope:
   * `write_secrets`.
   * @example await client.clusterSecrets.update(cluster.id, secret.id, { description: "Deploys the storefront" });
   */
  update(
    clusterId: string,
    secretId: string,
    body: ClusterSecretUpdate,
    options?: RequestOptions,
  ): Promise<ClusterSecret> {
    return this.api.call(clusterSecretOperations.update, [clusterId, secretId], options, body);
  }

  /**
   * Changes a secret's value. The client's errors don't contain the value. Scope: `write_secrets`.
   * @throws ValidationError if the value is blank or too long.
   * @example await client.clusterSecrets.updateValue(cluster.id, secret.id, { value: process.env.DEPLOY_KEY ?? "" });
   */
  updateValue(
    clusterId: string,
    secretId: string,
    body: ClusterSecretValue,
    options?: RequestOptions,
  ): Promise<ClusterSecret> {
    return this.api.call(clusterSecretOperations.updateValue, [clusterId, secretId], options, body);
  }

  /**
   * Deletes a secret. Scope: `write_secrets`.
   * @throws NotFoundError if there is no such secret; if `attempts` is above 1, an earlier attempt may have deleted it.
   * @example await client.clusterSecrets.delete(cluster.id, secret.id);
   */
  delete(clusterId: string, secretId: string, options?: RequestOptions): Promise<void> {
    return this.api.call(clusterSecretOperations.delete, [clusterId, secretId], options);
  }
}
