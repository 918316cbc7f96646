import { randomBytes } from "node:crypto";
import { z } from "zod";
import { findCluster, type InCluster, inCluster } from "./clusters.js";
import { type Call, deletion, listing, operation, reading, section } from "./http/operation.js";
import { clearableText, text, unlessGiven } from "./model/body.js";
import * as model from "./model/entity.js";
import { checkAddresses } from "./model/normalize.js";
import { validationFailed } from "./model/refusals.js";

/** One string of CIDRs divided by blanks, shown in the form and as unset as the service shows it. */
const allowedAddresses = model.keptAs(
  z.union([z.string(), z.array(z.string())]).nullish(),
  (kept: string | null, { variations: { allowedAddressesForm, allowedAddressesUnset } }) => {
    if (kept !== null) return allowedAddressesForm === "array" ? kept.split(" ") : kept;
    return allowedAddressesUnset === "absent" ? undefined : allowedAddressesUnset;
  },
);

const fields = {
  id: model.uuid,
  graphql_id: model.graphqlId("ClusterToken"),
  description: z.string(),
  allowed_ip_addresses: allowedAddresses,
  url: model.apiUrl(({ id, cluster_id }: InCluster) => `/clusters/${cluster_id}/tokens/${id}`),
  cluster_url: model.apiUrl(({ cluster_id }: InCluster) => `/clusters/${cluster_id}`),
  created_at: model.timestamp,
  created_by: model.user,
  // Services differ in a token that doesn't expire.
  expires_at: model.derived(
    model.timestamp.nullish(),
    ({ expires_at }: { expires_at?: string }, { variations: { agentTokenExpiresAt } }) =>
      expires_at ?? (agentTokenExpiresAt === "shown" ? null : undefined),
  ),
};

const secret = { token: z.string() };

export interface AgentTokenRecord extends model.RecordOf<typeof fields & typeof secret> {
  readonly cluster_id: string;
  readonly expires_at?: string;
}

const agentToken = model.entity<AgentTokenRecord>("AgentToken", fields);
const createdAgentToken = model.entity<AgentTokenRecord>("CreatedAgentToken", { ...fields, ...secret });

const shortestLife = 600_000;

const expiresAt = z.iso.datetime({
  offset: true,
  error: ({ input }) => (input == null ? "can't be blank" : "must be an ISO 8601 time"),
});

const clearable = { allowed_ip_addresses: clearableText };

const collection = "/v2/organizations/{org_slug}/clusters/{cluster_id}/tokens";
const single = `${collection}/{token_id}`;

export const agentTokens = section("agentTokens", "clusters", {
  list: listing(collection, "List the agent tokens of a cluster", agentToken, (call) =>
    call.data.agentTokens.list("cluster_id", findCluster(call, call.params.cluster_id).id),
  ),
  get: reading(single, "Get an agent token, without its value", agentToken, findAgentToken),
  create: operation("POST", collection, "Create an agent token; the answer is the only one with its value", {
    body: z.object({ description: text, ...unlessGiven(clearable), expires_at: expiresAt.optional() }),
    added: ["expires_at"],
    response: createdAgentToken,
    run: (call) => {
      const { data, params, variations, made, now } = call;
      const { expires_at: end, ...body } = call.body;
      const ends = end === undefined ? undefined : Date.parse(end);
      if (ends !== undefined && ends < Date.parse(now) + shortestLife) {
        throw validationFailed("Expires at must be at least 10 minutes from now");
      }
      return data.agentTokens.insert({
        ...made,
        cluster_id: findCluster(call, params.cluster_id).id,
        ...body,
        allowed_ip_addresses: checkAddresses(body.allowed_ip_addresses, variations.allowedAddresses),
        token: `bpct_${randomBytes(24).toString("hex")}`,
        ...(ends !== undefined && { expires_at: new Date(ends).toISOString() }),
      });
    },
  }),
  update: operation("PUT", single, "Update an agent token", {
    body: z.object({ description: text, ...clearable }).partial(),
    response: agentToken,
    run: (call) => {
      const { data, body, variations } = call;
      const { id } = findAgentToken(call);
      const addresses = body.allowed_ip_addresses;
      return data.agentTokens.update(id, {
        ...body,
        allowed_ip_addresses: addresses && checkAddresses(addresses, variations.allowedAddresses),
      });
    },
  }),
  delete: deletion(single, "Revoke an agent token", "it cannot be revoked", (call) =>
    call.data.agentTokens.delete(findAgentToken(call).id),
  ),
});

function findAgentToken(call: Call<"cluster_id" | "token_id">): AgentTokenRecord {
  return inCluster(call, call.data.agentTokens.get(call.params.token_id.toLowerCase()), "token");
}
