import type * as api from "../../client/index.js";
import { AgentToken } from "../resources/agent-token.js";
import type { OutputArguments } from "./invoke/arguments.js";
import { outputForm } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies an agent token. */
export interface GetAgentTokenArgs {
  /** UUID of the cluster that the token connects agents to. `getAgentTokenOutput` also accepts a `Cluster`. */
  clusterId: string;
  /** UUID. */
  id: string;
}

/** {@link GetAgentTokenArgs}, each of which may be an Output. `clusterId` may also be a `Cluster`. */
export interface GetAgentTokenOutputArgs extends OutputArguments<GetAgentTokenArgs, "clusterId"> {}

/**
 * An agent token, as the API returns it, without its secret. The API returns the secret only
 * when it creates the token, and no function returns a secret.
 */
export interface GetAgentTokenResult
  extends KindResult<AgentToken, api.AgentToken, "token" | "triggers" | "expiresIn"> {}

/** Identifies the cluster whose agent tokens to list. */
export interface GetAgentTokensArgs {
  /** UUID of the cluster. `getAgentTokensOutput` also accepts a `Cluster`. */
  clusterId: string;
}

/** {@link GetAgentTokensArgs}, each of which may be an Output. `clusterId` may also be a `Cluster`. */
export interface GetAgentTokensOutputArgs extends OutputArguments<GetAgentTokensArgs, "clusterId"> {}

/** The agent tokens of a cluster, without their secrets. */
export interface GetAgentTokensResult extends InOrganization {
  /** In the order of the API. */
  readonly agentTokens: GetAgentTokenResult[];
  /** UUID of the cluster. */
  readonly clusterId: string;
}

const functions = functionsOf<GetAgentTokenResult>(AgentToken.kind);

/**
 * Looks up an agent token of a cluster, without its secret. Scope: `read_clusters`.
 * @throws LookupError if the cluster has no agent token with this id.
 * @example const { allowedIpAddresses } = await getAgentToken({ clusterId, id: tokenUuid });
 */
export const getAgentToken = functions.one<GetAgentTokenArgs>(["id"]);

/**
 * {@link getAgentToken} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { createdAt } = getAgentTokenOutput({ clusterId: linux, id: farm.id });
 */
export const getAgentTokenOutput = outputForm<GetAgentTokenOutputArgs, GetAgentTokenResult>("getAgentToken");

/**
 * Lists the agent tokens of a cluster, without their secrets. Scope: `read_clusters`.
 * @example
 * ```ts
 * const { agentTokens } = await getAgentTokens({ clusterId });
 * const open = agentTokens.filter(({ allowedIpAddresses }) => allowedIpAddresses === undefined);
 * ```
 */
export const getAgentTokens = functions.all<GetAgentTokensArgs, GetAgentTokensResult>();

/**
 * {@link getAgentTokens} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const count = getAgentTokensOutput({ clusterId: linux }).agentTokens.length;
 */
export const getAgentTokensOutput = outputForm<GetAgentTokensOutputArgs, GetAgentTokensResult>(
  "getAgentTokens",
);
