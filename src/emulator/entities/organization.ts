import { z } from "zod";
import type { OrganizationRecord } from "../store/records.js";
import { apiUrl, graphqlId, type View, webUrl } from "./view.js";
import { address, opaqueId, timestamp, uuid } from "./wire.js";

/** Section 2.13. */
export const organizationSchema = z
  .object({
    id: uuid,
    graphql_id: opaqueId,
    url: address,
    web_url: address,
    name: z.string(),
    slug: z.string(),
    pipelines_url: address,
    agents_url: address,
    emojis_url: address,
    created_at: timestamp,
  })
  .meta({ id: "Organization" });

export function showOrganization(
  view: View,
  organization: OrganizationRecord,
): z.infer<typeof organizationSchema> {
  const url = apiUrl(view, "");
  return {
    id: organization.id,
    graphql_id: graphqlId("Organization", organization.id),
    url,
    web_url: webUrl(view, ""),
    name: organization.name,
    slug: organization.slug,
    pipelines_url: `${url}/pipelines`,
    agents_url: `${url}/agents`,
    emojis_url: `${url}/emojis`,
    created_at: organization.created_at,
  };
}
