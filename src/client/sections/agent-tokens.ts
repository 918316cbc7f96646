import type { Api, RequestOptions } from "../api.js";
import {
  type AgentToken,
  agentTokenSchema,
  type CreatedAgentToken,
  createdAgentTokenSchema,
} from "../entities/agent-token.js";
import { nothing, operation } from "../operation.js";
import type { List } from "../pages/list.js";

/** A new agent token (section 4.3). */
export interface AgentTokenCreate {
  description: string;
  /**
   * IPv4 addresses in CIDR notation from which agents may use the token, as a list or as one string separated by
   * spaces; 24 at most. Left out, every address is allowed.
   */
  allowed_ip_addresses?: string | readonly string[] | null | undefined;
}

/** A change of an agent token (section 4.3): what is left out stays. */
export interface AgentTokenUpdate {
  description?: string | undefined;
  /** As with creation; "" or an empty list allows every address again. */
  allowed_ip_addresses?: string | readonly string[] | null | undefined;
}

const path = "/v2/organizations/{org_slug}/clusters/{cluster_id}/tokens";

export const agentTokenOperations = {
  list: operation("agentTokens.list", "GET", path, "read_clusters", "4.3", agentTokenSchema),
  get: operation("agentTokens.get", "GET", `${path}/{token_id}`, "read_clusters", "4.3", agentTokenSchema),
  create: operation("agentTokens.create", "POST", path, "write_clusters", "4.3", createdAgentTokenSchema),
  update: operation("agentTokens.update", "PUT", `${path}/{id}`, "write_clusters", "4.3", agentTokenSchema),
  delete: operation("agentTokens.delete", "DELETE", `${path}/{id}`, "write_clusters", "4.3", nothing),
} as const;

/** Agent tokens: the credentials that connect agents to a cluster (section 4.3). */
export class AgentTokens {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the agent tokens of a cluster, without their secrets.
   *
   * Scope: `read_clusters`. Section 4.3.
   * @throws NotFoundError if there is no such cluster.
   * @example
   * ```ts
   * for await (const token of client.agentTokens.list(cluster.id)) console.log(token.description);
   * ```
   */
  list(clusterId: string, options?: RequestOptions): List<AgentToken> {
    return this.#api.list(agentTokenOperations.list, { cluster_id: clusterId }, {}, options);
  }

  /**
   * Reads one agent token, without its secret.
   *
   * Scope: `read_clusters`. Section 4.3.
   * @throws NotFoundError if there is no such token in this cluster.
   * @example
   * ```ts
   * const { allowed_ip_addresses } = await client.agentTokens.get(cluster.id, token.id);
   * ```
   */
  get(clusterId: string, tokenId: string, options?: RequestOptions): Promise<AgentToken> {
    return this.#api.call(
      agentTokenOperations.get,
      { cluster_id: clusterId, token_id: tokenId },
      {},
      options,
    );
  }

  /**
   * Creates an agent token. Its result is the only one that carries the secret, `token`.
   *
   * Scope: `write_clusters`. Section 4.3.
   * @throws ValidationError if the service refuses a value.
   * @throws ConnectionError, TimeoutError, ServerError: it may have been created; see `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const { token } = await client.agentTokens.create(cluster.id, {
   *   description: "office",
   *   allowed_ip_addresses: ["192.0.2.0/24", "198.51.100.12/32"],
   * });
   * ```
   */
  create(clusterId: string, body: AgentTokenCreate, options?: RequestOptions): Promise<CreatedAgentToken> {
    return this.#api.call(
      agentTokenOperations.create,
      { cluster_id: clusterId },
      { body: onWire(body) },
      options,
    );
  }

  /**
   * Changes an agent token; agents that are connected with it stay so.
   *
   * Scope: `write_clusters`. Section 4.3.
   * @throws NotFoundError if there is no such token in this cluster.
   * @throws ValidationError if the service refuses a value.
   * @example
   * ```ts
   * await client.agentTokens.update(cluster.id, token.id, { allowed_ip_addresses: [] });
   * ```
   */
  update(
    clusterId: string,
    tokenId: string,
    body: AgentTokenUpdate,
    options?: RequestOptions,
  ): Promise<AgentToken> {
    const ids = { cluster_id: clusterId, id: tokenId };
    return this.#api.call(agentTokenOperations.update, ids, { body: onWire(body) }, options);
  }

  /**
   * Revokes an agent token: agents cannot connect with it any more.
   *
   * Scope: `write_clusters`. Section 4.3.
   * @throws NotFoundError if there is no such token; with `attempts` above 1, an earlier try may have revoked it.
   * @throws ValidationError with the reason if the service refuses.
   * @example
   * ```ts
   * await client.agentTokens.delete(cluster.id, token.id);
   * ```
   */
  delete(clusterId: string, tokenId: string, options?: RequestOptions): Promise<void> {
    return this.#api.call(agentTokenOperations.delete, { cluster_id: clusterId, id: tokenId }, {}, options);
  }
}

/** The service takes the addresses as one string. */
function onWire(body: AgentTokenCreate | AgentTokenUpdate): object {
  const addresses = body.allowed_ip_addresses;
  if (addresses === undefined || addresses === null || typeof addresses === "string") return body;
  return { ...body, allowed_ip_addresses: addresses.join(" ") };
}
