import { z } from "zod";
import type { AgentTokenRecord } from "../store/records.js";
import { showUser, userSchema } from "./user.js";
import { apiUrl, graphqlId, type View } from "./view.js";
import { address, opaqueId, timestamp, uuid } from "./wire.js";

/** Section 2.4. */
export const agentTokenSchema = z
  .object({
    id: uuid,
    graphql_id: opaqueId,
    description: z.string(),
    allowed_ip_addresses: z
      .union([z.string(), z.array(z.string())])
      .nullable()
      .optional(),
    url: address,
    cluster_url: address,
    created_at: timestamp,
    created_by: userSchema.nullable(),
  })
  .meta({ id: "AgentToken" });

/** Section 2.4, with the secret that only the creating response has. */
export const createdAgentTokenSchema = agentTokenSchema
  .extend({ token: z.string() })
  .meta({ id: "CreatedAgentToken" });

export function showAgentToken(view: View, token: AgentTokenRecord): z.infer<typeof agentTokenSchema> {
  const clusterUrl = apiUrl(view, `/clusters/${token.cluster_id}`);
  return {
    id: token.id,
    graphql_id: graphqlId("ClusterToken", token.id),
    description: token.description,
    ...allowedAddresses(view, token.allowed_ip_addresses),
    url: `${clusterUrl}/tokens/${token.id}`,
    cluster_url: clusterUrl,
    created_at: token.created_at,
    created_by: showUser(view, token.created_by),
  };
}

export function showCreatedAgentToken(
  view: View,
  token: AgentTokenRecord,
): z.infer<typeof createdAgentTokenSchema> {
  return { ...showAgentToken(view, token), token: token.token };
}

function allowedAddresses(
  view: View,
  value: string | null,
): { allowed_ip_addresses?: string | string[] | null } {
  const { allowedAddressesUnset, allowedAddressesForm } = view.variations;
  if (value !== null) {
    return { allowed_ip_addresses: allowedAddressesForm === "array" ? value.split(" ") : value };
  }
  return allowedAddressesUnset === "absent" ? {} : { allowed_ip_addresses: allowedAddressesUnset };
}
