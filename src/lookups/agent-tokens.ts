import type * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import type { EmbeddedUser } from "../resources/embedded-user.js";
import { decodeNetworks } from "../resources/sameness.js";
import { type InputsOf, text } from "./asking/arguments.js";
import { request } from "./asking/request.js";
import { entity, same, user } from "./entity-fields.js";
import { Lookup } from "./lookup.js";

/** Which agent token. */
export interface GetAgentTokenArgs {
  /** UUID of the cluster the token connects agents to. `getAgentTokenOutput` takes a `Cluster` too. */
  clusterId: string;
  /** UUID. */
  id: string;
}

/** {@link GetAgentTokenArgs}, where each may be an Output, and `clusterId` a `Cluster`. */
export interface GetAgentTokenOutputArgs extends InputsOf<GetAgentTokenArgs> {}

/**
 * An agent token, as the service has it (the API document, section 2.4), without its secret: the service tells that
 * only when the token is created, and a lookup would not pass it on.
 */
export interface GetAgentTokenResult {
  /** UUID. Not secret. */
  readonly id: string;
  /** UUID of the cluster the token connects agents to. */
  readonly clusterId: string;
  /** Slug of the organization the token is in. */
  readonly organization: string;
  /** What the token is for. */
  readonly description?: string;
  /** Networks from which agents may use the token; undefined when every address may. */
  readonly allowedIpAddresses?: string[];
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** Canonical API URL. */
  readonly url?: string;
  /** API URL of the cluster. */
  readonly clusterUrl?: string;
  /** When it was created, ISO 8601 in UTC. */
  readonly createdAt?: string;
  /** Who created it. */
  readonly createdBy?: EmbeddedUser;
}

/** Whose agent tokens. */
export interface GetAgentTokensArgs {
  /** UUID of the cluster. `getAgentTokensOutput` takes a `Cluster` too. */
  clusterId: string;
}

/** {@link GetAgentTokensArgs}, where `clusterId` may be an Output or a `Cluster`. */
export interface GetAgentTokensOutputArgs extends InputsOf<GetAgentTokensArgs> {}

/** The agent tokens of a cluster, without their secrets. */
export interface GetAgentTokensResult {
  readonly agentTokens: GetAgentTokenResult[];
  /** UUID of the cluster. */
  readonly clusterId: string;
  /** Slug of the organization. */
  readonly organization: string;
}

const read = entity<wire.AgentToken, GetAgentTokenResult>({
  id: same,
  graphql_id: same,
  description: same,
  allowed_ip_addresses: decodeNetworks,
  url: same,
  cluster_url: same,
  created_at: same,
  created_by: user,
});

const tokenById = request("agentTokens.get", (client, cluster: string, id: string) =>
  client.agentTokens.get(cluster, id),
);
const tokensOf = request("agentTokens.list", (client, cluster: string) =>
  client.agentTokens.list(cluster).all(),
);

const agentToken = new Lookup<GetAgentTokenArgs, GetAgentTokenResult>(
  "getAgentToken",
  async (service, args) => {
    const clusterId = text("clusterId", args.clusterId);
    const found = await service.ask(tokenById, clusterId, text("id", args.id));
    return { ...read(found), clusterId, organization: service.organization };
  },
);

const agentTokens = new Lookup<GetAgentTokensArgs, GetAgentTokensResult>(
  "getAgentTokens",
  async (service, args) => {
    const { organization } = service;
    const clusterId = text("clusterId", args.clusterId);
    const found = await service.ask(tokensOf, clusterId);
    return {
      agentTokens: found.map((each) => ({ ...read(each), clusterId, organization })),
      clusterId,
      organization,
    };
  },
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
export function getAgentToken(
  args: GetAgentTokenArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetAgentTokenResult> {
  return agentToken.now(args, opts);
}

/**
 * {@link getAgentToken} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 * @example
 * ```ts
 * const { createdAt } = getAgentTokenOutput({ clusterId: linux, id: farm.id });
 * ```
 */
export function getAgentTokenOutput(
  args: GetAgentTokenOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAgentTokenResult> {
  return agentToken.output(args, opts);
}

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
export function getAgentTokens(
  args: GetAgentTokensArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetAgentTokensResult> {
  return agentTokens.now(args, opts);
}

/**
 * {@link getAgentTokens} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 * @example
 * ```ts
 * const count = getAgentTokensOutput({ clusterId: linux }).agentTokens.length;
 * ```
 */
export function getAgentTokensOutput(
  args: GetAgentTokensOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAgentTokensResult> {
  return agentTokens.output(args, opts);
}
