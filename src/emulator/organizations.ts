import { z } from "zod";
import { listing, operation, section } from "./http/operation.js";
import { notFound } from "./http/refusals.js";
import { apiUrl, entity, graphqlId, type RecordOf, timestamp, uuid, webUrl } from "./model/entity.js";
import type { Collection } from "./store/collection.js";

const fields = {
  id: uuid,
  graphql_id: graphqlId("Organization"),
  url: apiUrl(() => ""),
  web_url: webUrl(() => ""),
  name: z.string(),
  slug: z.string(),
  pipelines_url: apiUrl(() => "/pipelines"),
  agents_url: apiUrl(() => "/agents"),
  emojis_url: apiUrl(() => "/emojis"),
  created_at: timestamp,
};

/** The organization. `seeded` is true if it started with example pipelines, builds, agents and members. */
export interface OrganizationRecord extends RecordOf<typeof fields> {
  readonly seeded: boolean;
}

declare module "./store/organization-data.js" {
  interface OrganizationData {
    readonly organizations: Collection<OrganizationRecord>;
  }
}

const organization = entity<OrganizationRecord>("Organization", fields);

export const organizations = section({
  group: "organizations",
  number: "4.9",
  collections: { organizations: {} },
  operations: {
    list: operation({
      method: "GET",
      path: "/v2/organizations",
      scope: "read_organizations",
      summary: "List the organizations the access token reaches",
      response: organization.schema,
      list: "paged",
      run: (call) => listing(call.data.organizations.list(), (record) => organization.show(call, record)),
    }),
    get: operation({
      method: "GET",
      path: "/v2/organizations/{org_slug}",
      scope: "read_organizations",
      summary: "Get an organization",
      response: organization.schema,
      run: (call) => {
        const record = call.data.organizations.find("slug", call.params.org_slug);
        if (record === undefined) throw notFound("organization");
        return organization.show(call, record);
      },
    }),
  },
});
