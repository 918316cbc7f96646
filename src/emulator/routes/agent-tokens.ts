import { randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import {
  agentTokenSchema,
  createdAgentTokenSchema,
  showAgentToken,
  showCreatedAgentToken,
} from "../entities/agent-token.js";
import { notFound } from "../http/errors.js";
import { listing, type Operation, operation } from "../http/operation.js";
import type { OrganizationData } from "../store/organization-data.js";
import type { AgentTokenRecord } from "../store/records.js";
import { checkAddresses } from "../validation/addresses.js";
import { changedText, clearableText, requiredText } from "../validation/fields.js";
import { findCluster } from "./clusters.js";
import { defined } from "./defined.js";

const collection = "/v2/organizations/{org_slug}/clusters/{cluster_id}/tokens";
const single = `${collection}/{token_id}`;
const section = "4.3";

/** Section 4.3. */
export const agentTokenOperations: readonly Operation[] = [
  operation({
    id: "agentTokens.list",
    method: "GET",
    path: collection,
    section,
    scope: "read_clusters",
    summary: "List the agent tokens of a cluster",
    response: agentTokenSchema,
    list: "pages",
    run: ({ data, view, params }) =>
      listing(data.agentTokens.list("cluster_id", findCluster(data, params.cluster_id).id), (token) =>
        showAgentToken(view, token),
      ),
  }),
  operation({
    id: "agentTokens.get",
    method: "GET",
    path: single,
    section,
    scope: "read_clusters",
    summary: "Get an agent token, without its value",
    response: agentTokenSchema,
    run: ({ data, view, params }) => showAgentToken(view, findAgentToken(data, params)),
  }),
  operation({
    id: "agentTokens.create",
    method: "POST",
    path: collection,
    section,
    scope: "write_clusters",
    summary: "Create an agent token; the answer is the only one with its value",
    body: z.object({ description: requiredText(), allowed_ip_addresses: clearableText() }),
    status: 201,
    response: createdAgentTokenSchema,
    errors: [{ status: 422, when: "validation fails" }],
    run: ({ data, view, params, body, token, variations, now }) => {
      const cluster = findCluster(data, params.cluster_id);
      const created = data.agentTokens.insert({
        id: randomUUID(),
        cluster_id: cluster.id,
        description: body.description,
        allowed_ip_addresses: checkAddresses(body.allowed_ip_addresses ?? null, variations.allowedAddresses),
        token: `bpct_${randomBytes(24).toString("hex")}`,
        created_at: now,
        created_by: token.user_id,
      });
      return showCreatedAgentToken(view, created);
    },
  }),
  operation({
    id: "agentTokens.update",
    method: "PUT",
    alsoMethods: ["PATCH"],
    path: single,
    section,
    scope: "write_clusters",
    summary: "Update an agent token",
    body: z.object({ description: changedText(), allowed_ip_addresses: clearableText() }),
    response: agentTokenSchema,
    errors: [{ status: 422, when: "validation fails" }],
    run: ({ data, view, params, body, variations }) => {
      const { id } = findAgentToken(data, params);
      const addresses = body.allowed_ip_addresses;
      const fields = defined({
        description: body.description,
        allowed_ip_addresses:
          addresses === undefined ? undefined : checkAddresses(addresses, variations.allowedAddresses),
      });
      return showAgentToken(view, data.agentTokens.update(id, fields));
    },
  }),
  operation({
    id: "agentTokens.delete",
    method: "DELETE",
    path: single,
    section,
    scope: "write_clusters",
    summary: "Revoke an agent token",
    status: 204,
    errors: [{ status: 422, when: "it cannot be revoked" }],
    run: ({ data, params }) => {
      data.agentTokens.delete(findAgentToken(data, params).id);
    },
  }),
];

function findAgentToken(
  data: OrganizationData,
  params: { cluster_id: string; token_id: string },
): AgentTokenRecord {
  const cluster = findCluster(data, params.cluster_id);
  const token = data.agentTokens.get(params.token_id.toLowerCase());
  if (token?.cluster_id !== cluster.id) throw notFound("token");
  return token;
}
