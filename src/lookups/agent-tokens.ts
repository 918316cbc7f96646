import type * as api from "../client/index.js";
import { AgentToken } from "../resources/agent-token.js";
import type { OutputArguments } from "./invoke/arguments.js";
import { functionsOf } from "./invoke/of-kind.js";
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
 * An agent token, as the service has it, without its secret. The API returns the secret
 * only when it creates the token, and no function returns a secret.
 */
export interface GetAgentTokenResult extends KindResult<AgentToken, api.AgentToken, "token" | "triggers"> {}

/** The cluster of the agent tokens. */
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
const functions = functionsOf(AgentToken.kind, read);
const agentToken = functions.one<GetAgentTokenArgs, GetAgentTokenOutputArgs>(["id"]);
const agentTokens = functions.all<GetAgentTokensArgs, GetAgentTokensOutputArgs, GetAgentTokensResult>();

export default [agentToken, agentTokens];

/**
 * Looks up an agent token of a cluster, without its secret. Scope: `read_clusters`.
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
 * Lists the agent tokens of a cluster, without their secrets. Scope:
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
