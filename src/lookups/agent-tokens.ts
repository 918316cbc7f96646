import type * as api from "../client/index.js";
import { AgentToken } from "../resources/agent-token.js";
import { type OutputArguments, text } from "./invoke/arguments.js";
import { lookup } from "./invoke/lookup.js";
import type { InOrganization } from "./results/fields.js";
import { type KindResult, kindReader } from "./results/kind-result.js";

/** Which agent token. */
export interface GetAgentTokenArgs {
  /** UUID of the cluster the token connects agents to. `getAgentTokenOutput` takes a `Cluster` too. */
  clusterId: string;
  /** UUID. */
  id: string;
}

/** {@link GetAgentTokenArgs}, where each may be an Output, and `clusterId` a `Cluster`. */
export interface GetAgentTokenOutputArgs extends OutputArguments<GetAgentTokenArgs, "clusterId"> {}

/**
 * An agent token, as the service has it (the API document, section 2.4), without its secret: the service tells that
 * only when the token is created, and a lookup would not pass it on.
 */
export interface GetAgentTokenResult extends KindResult<AgentToken, api.AgentToken, "token" | "triggers"> {}

/** Whose agent tokens. */
export interface GetAgentTokensArgs {
  /** UUID of the cluster. `getAgentTokensOutput` takes a `Cluster` too. */
  clusterId: string;
}

/** {@link GetAgentTokensArgs}, where each may be an Output, and `clusterId` a `Cluster`. */
export interface GetAgentTokensOutputArgs extends OutputArguments<GetAgentTokensArgs, "clusterId"> {}

/** The agent tokens of a cluster, without their secrets. */
export interface GetAgentTokensResult extends InOrganization {
  /** In the order of the service. */
  readonly agentTokens: GetAgentTokenResult[];
  /** UUID of the cluster. */
  readonly clusterId: string;
}

const read = kindReader<typeof AgentToken.kind, GetAgentTokenResult>(AgentToken.kind);
const byId = (client: api.BuildPipelineClient, cluster: string, id: string) =>
  client.agentTokens.get(cluster, id);
const list = (client: api.BuildPipelineClient, cluster: string) => client.agentTokens.list(cluster).all();

const agentToken = lookup<GetAgentTokenArgs, GetAgentTokenOutputArgs, GetAgentTokenResult>(
  "getAgentToken",
  async ({ get, organization }, args) => {
    const clusterId = text("clusterId", args.clusterId);
    return read(await get(byId, clusterId, text("id", args.id)), { clusterId, organization });
  },
  AgentToken.kind.name,
);

const agentTokens = lookup<GetAgentTokensArgs, GetAgentTokensOutputArgs, GetAgentTokensResult>(
  "getAgentTokens",
  async ({ get, organization }, args) => {
    const clusterId = text("clusterId", args.clusterId);
    const found = await get(list, clusterId);
    return {
      agentTokens: found.map((each) => read(each, { clusterId, organization })),
      clusterId,
      organization,
    };
  },
  AgentToken.kind.name,
);

/**
 * Looks up an agent token of a cluster, without its secret (the API document, section 4.3). Scope: `read_clusters`.
 *
 * @throws LookupError if there is none with this id in this cluster.
 * @example
 * ```ts
 * const { allowedIpAddresses } = await getAgentToken({ clusterId, id: tokenUuid });
 * ```
 */
export const getAgentToken = agentToken.plain;

/**
 * {@link getAgentToken} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is.
 * @example
 * ```ts
 * const { createdAt } = getAgentTokenOutput({ clusterId: linux, id: farm.id });
 * ```
 */
export const getAgentTokenOutput = agentToken.output;

/**
 * Lists the agent tokens of a cluster, without their secrets (the API document, section 4.3). Scope:
 * `read_clusters`.
 *
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { agentTokens } = await getAgentTokens({ clusterId });
 * const open = agentTokens.filter(({ allowedIpAddresses }) => allowedIpAddresses === undefined);
 * ```
 */
export const getAgentTokens = agentTokens.plain;

/**
 * {@link getAgentTokens} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is.
 * @example
 * ```ts
 * const count = getAgentTokensOutput({ clusterId: linux }).agentTokens.length;
 * ```
 */
export const getAgentTokensOutput = agentTokens.output;
