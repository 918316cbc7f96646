import { randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import { findCluster } from "./clusters.js";
import { listing, operation, section } from "./http/operation.js";
import { notFound } from "./http/refusals.js";
import { clearableText, text, unlessGiven } from "./model/body.js";
import {
  apiUrl,
  entity,
  graphqlId,
  keptAs,
  type RecordOf,
  timestamp,
  uuid,
  type View,
} from "./model/entity.js";
import { checkAddresses } from "./model/normalize.js";
import type { Collection } from "./store/collection.js";
import { user } from "./users.js";

interface Place {
  readonly id: string;
  readonly cluster_id: string;
}

/** One string of CIDRs divided by blanks, shown in the form and as unset as the service shows it. */
const allowedAddresses = keptAs(
  z.union([z.string(), z.array(z.string())]).nullish(),
  (kept: string | null, { variations: { allowedAddressesForm, allowedAddressesUnset } }) => {
    if (kept !== null) return allowedAddressesForm === "array" ? kept.split(" ") : kept;
    return allowedAddressesUnset === "absent" ? undefined : allowedAddressesUnset;
  },
);

const fields = {
  id: uuid,
  graphql_id: graphqlId("ClusterToken"),
  description: z.string(),
  allowed_ip_addresses: allowedAddresses,
  url: apiUrl(({ id, cluster_id }: Place) => `/clusters/${cluster_id}/tokens/${id}`),
  cluster_url: apiUrl(({ cluster_id }: Place) => `/clusters/${cluster_id}`),
  created_at: timestamp,
  created_by: user,
};

/** The secret, which only the answer that creates the token shows. */
const secret = { token: z.string() };

export interface AgentTokenRecord extends RecordOf<typeof fields & typeof secret> {
  readonly cluster_id: string;
}

declare module "./store/organization-data.js" {
  interface OrganizationData {
    readonly agentTokens: Collection<AgentTokenRecord>;
  }
}

const agentToken = entity<AgentTokenRecord>("AgentToken", fields);
const createdAgentToken = entity<AgentTokenRecord>("CreatedAgentToken", { ...fields, ...secret });

const clearable = { allowed_ip_addresses: clearableText() };

const collection = "/v2/organizations/{org_slug}/clusters/{cluster_id}/tokens";
const single = `${collection}/{token_id}`;

export const agentTokens = section({
  group: "agentTokens",
  number: "4.3",
  collections: { agentTokens: {} },
  operations: {
    list: operation({
      method: "GET",
      path: collection,
      scope: "read_clusters",
      summary: "List the agent tokens of a cluster",
      response: agentToken.schema,
      list: "paged",
      run: (call) => {
        const { id } = findCluster(call, call.params.cluster_id);
        return listing(call.data.agentTokens.list("cluster_id", id), (token) => agentToken.show(call, token));
      },
    }),
    get: operation({
      method: "GET",
      path: single,
      scope: "read_clusters",
      summary: "Get an agent token, without its value",
      response: agentToken.schema,
      run: (call) => agentToken.show(call, findAgentToken(call, call.params)),
    }),
    create: operation({
      method: "POST",
      path: collection,
      scope: "write_clusters",
      summary: "Create an agent token; the answer is the only one with its value",
      body: z.object({ description: text(), ...unlessGiven(clearable) }),
      status: 201,
      response: createdAgentToken.schema,
      errors: { 422: "validation fails" },
      run: (call) => {
        const { data, params, body, token, variations, now } = call;
        const created = data.agentTokens.insert({
          id: randomUUID(),
          cluster_id: findCluster(call, params.cluster_id).id,
          ...body,
          allowed_ip_addresses: checkAddresses(body.allowed_ip_addresses, variations.allowedAddresses),
          token: `bpct_${randomBytes(24).toString("hex")}`,
          created_at: now,
          created_by: token.user_id,
        });
        return createdAgentToken.show(call, created);
      },
    }),
    update: operation({
      method: "PUT",
      alsoMethods: ["PATCH"],
      path: single,
      scope: "write_clusters",
      summary: "Update an agent token",
      body: z.object({ description: text(), ...clearable }).partial(),
      response: agentToken.schema,
      errors: { 422: "validation fails" },
      run: (call) => {
        const { data, params, body, variations } = call;
        const { id } = findAgentToken(call, params);
        const addresses = body.allowed_ip_addresses;
        const updated = data.agentTokens.update(id, {
          ...body,
          allowed_ip_addresses: addresses && checkAddresses(addresses, variations.allowedAddresses),
        });
        return agentToken.show(call, updated);
      },
    }),
    delete: operation({
      method: "DELETE",
      path: single,
      scope: "write_clusters",
      summary: "Revoke an agent token",
      errors: { 422: "it cannot be revoked" },
      run: (call) => {
        call.data.agentTokens.delete(findAgentToken(call, call.params).id);
      },
    }),
  },
});

function findAgentToken(call: View, params: { cluster_id: string; token_id: string }): AgentTokenRecord {
  const cluster = findCluster(call, params.cluster_id);
  const found = call.data.agentTokens.get(params.token_id.toLowerCase());
  if (found?.cluster_id !== cluster.id) throw notFound("token");
  return found;
}
