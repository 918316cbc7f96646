import { z } from "zod";
import { listing, reading, section } from "./http/operation.js";
import { entity, type RecordOf } from "./model/entity.js";
import * as field from "./model/fields.js";
import { found } from "./model/refusals.js";

const fields = {
  id: field.uuid,
  graphql_id: field.graphqlId("Organization"),
  url: field.apiUrl(() => ""),
  web_url: field.webUrl(() => ""),
  name: z.string(),
  slug: z.string(),
  pipelines_url: field.apiUrl(() => "/pipelines"),
  agents_url: field.apiUrl(() => "/agents"),
  emojis_url: field.apiUrl(() => "/emojis"),
  created_at: field.timestamp,
};

/** The organization. `seeded` is true if it started with example pipelines, builds, agents and members. */
export interface OrganizationRecord extends RecordOf<typeof fields> {
  readonly seeded: boolean;
}

const organization = entity<OrganizationRecord>("Organization", fields);

export const organizations = section({
  group: "organizations",
  number: "4.9",
  scopes: { read: "read_organizations" },
  operations: {
    list: listing(
      "/v2/organizations",
      "List the organizations the access token reaches",
      organization,
      ({ data }) => data.organizations.list(),
    ),
    get: reading("/v2/organizations/{org_slug}", "Get an organization", organization, ({ data, params }) =>
      found(data.organizations.find("slug", params.org_slug), "organization"),
    ),
  },
});
