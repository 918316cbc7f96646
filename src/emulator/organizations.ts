import { z } from "zod";
import { listing, reading, section } from "./http/operation.js";
import * as model from "./model/entity.js";
import { found } from "./model/refusals.js";

const fields = {
  id: model.uuid,
  graphql_id: model.graphqlId("Organization"),
  url: model.apiUrl(() => ""),
  web_url: model.webUrl(() => ""),
  name: z.string(),
  slug: z.string(),
  pipelines_url: model.apiUrl(() => "/pipelines"),
  agents_url: model.apiUrl(() => "/agents"),
  emojis_url: model.apiUrl(() => "/emojis"),
  created_at: model.timestamp,
};

/** The organization. `seeded` is true if it started with example pipelines, builds, agents and members. */
export interface OrganizationRecord extends model.RecordOf<typeof fields> {
  readonly seeded: boolean;
}

const organization = model.entity<OrganizationRecord>("Organization", fields);

export const organizations = section("organizations", "organizations", {
  list: listing(
    "/v2/organizations",
    "List the organizations the access token reaches",
    organization,
    ({ data }) => data.organizations.list(),
  ),
  get: reading("/v2/organizations/{org_slug}", "Get an organization", organization, ({ data, params }) =>
    found(data.organizations.find("slug", params.org_slug), "organization"),
  ),
});
