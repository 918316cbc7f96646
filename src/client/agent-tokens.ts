import * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text, userSchema } from "./api/entity.js";
import type { List } from "./api/list.js";
import { type BodyChange, nothing, operations } from "./api/operation.js";

const id = {
  /** UUID. Not secret. */
  id: identifier,
};

const settable = {
  description: text,
  /**
   * IPv4 addresses in CIDR notation from which agents may use the token, as the API returns them. Either one
   * string, separated by spaces, or a list. If null or "", every address is allowed.
   */
  allowed_ip_addresses: z.union([z.string(), z.array(z.string())]).nullable(),
};

const decorative = {
  /** Opaque id for Buildkite's GraphQL API. */
  graphql_id: text,
  /** Canonical address in the REST API. */
  url: text,
  /** Address of the owning cluster in the REST API. */
  cluster_url: text,
  /** ISO 8601, UTC. */
  created_at: text,
  created_by: userSchema.nullable(),
  /** ISO 8601, UTC; null if the token doesn't expire. Absent where the API doesn't return it. */
  expires_at: text,
};

const agentTokenSchema = entity({ required: id, optional: settable, decorative });

/**
 * A credential that connects agents to a cluster, without its secret. Only {@link CreatedAgentToken} contains the
 * secret.
 */
export interface AgentToken extends z.output<typeof agentTokenSchema> {}

const createdAgentTokenSchema = entity({
  required: {
    ...id,
    /** Secret value that agents connect with. The API returns it only once, so store it immediately. */
    token: identifier,
  },
  optional: settable,
  decorative,
});

/** A new agent token with its secret. Only the response to its creation contains the secret. */
export interface CreatedAgentToken extends z.output<typeof createdAgentTokenSchema> {}

/** A new agent token. */
export interface AgentTokenCreate {
  description: string;
  /**
   * IPv4 addresses in CIDR notation from which agents may use the token, as a list or as one string separated by
   * spaces; 24 at most. Every address is allowed if a new token omits this field, or if it is "" or an empty list.
   */
  allowed_ip_addresses?: string | readonly string[] | null | undefined;
  /**
   * Time from which agents can't connect with the token, at least 10 minutes ahead; ISO 8601. It never changes.
   * Default: the token doesn't expire.
   */
  expires_at?: string | undefined;
}

/** Changes to an agent token. Omitted fields keep their values. */
export interface AgentTokenUpdate extends BodyChange<Omit<AgentTokenCreate, "expires_at">> {}

const path = "/v2/organizations/{org_slug}/clusters/{cluster_id}/tokens";

/** @internal */
export const agentTokenOperations = operations("agentTokens", {
  list: ["GET", path, "read_clusters", agentTokenSchema],
  get: ["GET", `${path}/{token_id}`, "read_clusters", agentTokenSchema],
  create: ["POST", path, "write_clusters", createdAgentTokenSchema],
  update: ["PUT", `${path}/{id}`, "write_clusters", agentTokenSchema],
  delete: ["DELETE", `${path}/{id}`, "write_clusters", nothing],
});

/** Agent tokens: the credentials that connect agents to a cluster. */
export class AgentTokens extends Section {
  /**
   * Lists the agent tokens of a cluster, without their secrets. Scope: `read_clusters`.
   * @example for await (const token of client.agentTokens.list(cluster.id)) console.log(token.description);
   */
  list(clusterId: string, options?: RequestOptions): List<AgentToken> {
    return this.api.list(agentTokenOperations.list, [clusterId], options);
  }

  /**
   * Reads one agent token, without its secret. Scope: `read_clusters`.
   * @example const { allowed_ip_addresses } = await client.agentTokens.get(cluster.id, token.id);
   */
  get(clusterId: string, tokenId: string, options?: RequestOptions): Promise<AgentToken> {
    return this.api.call(agentTokenOperations.get, [clusterId, tokenId], options);
  }

  /**
   * Creates an agent token. The API returns the secret, `token`, only in this result. Scope: `write_clusters`.
   * @throws ConnectionError, TimeoutError, ServerError: the agent token may have been created; see
   * `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const { token } = await client.agentTokens.create(cluster.id, {
   *   description: "office",
   *   allowed_ip_addresses: ["192.0.2.0/24", "198.51.100.12/32"],
   * });
   * ```
   */
  create(clusterId: string, body: AgentTokenCreate, options?: RequestOptions): Promise<CreatedAgentToken> {
    return this.api.call(agentTokenOperations.create, [clusterId], options, withAddressesAsText(body));
  }

  /**
   * Changes an agent token. Agents that are connected with the token stay connected. Scope: `write_clusters`.
   * @example await client.agentTokens.update(cluster.id, token.id, { allowed_ip_addresses: [] });
   */
  update(
    clusterId: string,
    tokenId: string,
    body: AgentTokenUpdate,
    options?: RequestOptions,
  ): Promise<AgentToken> {
    const sent = withAddressesAsText(body);
    return this.api.call(agentTokenOperations.update, [clusterId, tokenId], options, sent);
  }

  /**
   * Revokes an agent token, so that agents can no longer connect with it. Scope: `write_clusters`.
   * @throws NotFoundError if there is no such token; if `attempts` is above 1, an earlier attempt may have revoked it.
   * @example await client.agentTokens.delete(cluster.id, token.id);
   */
  delete(clusterId: string, tokenId: string, options?: RequestOptions): Promise<void> {
    return this.api.call(agentTokenOperations.delete, [clusterId, tokenId], options);
  }
}

/** Joins the addresses, because the API accepts them only as one string. */
function withAddressesAsText(body: AgentTokenCreate | AgentTokenUpdate): object {
  const addresses = body.allowed_ip_addresses;
  if (addresses === undefined || addresses === null || typeof addresses === "string") return body;
  return { ...body, allowed_ip_addresses: addresses.join(" ") };
}
