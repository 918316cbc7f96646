import { organizationSchema, showOrganization } from "../entities/organization.js";
import { notFound } from "../http/errors.js";
import { listing, type Operation, operation } from "../http/operation.js";

const section = "4.9";

/** Section 4.9, organizations. */
export const organizationOperations: readonly Operation[] = [
  operation({
    id: "organizations.list",
    method: "GET",
    path: "/v2/organizations",
    section,
    scope: "read_organizations",
    summary: "List the organizations the access token reaches",
    response: organizationSchema,
    list: "pages",
    run: ({ data, view }) => listing(data.organizations.list(), (record) => showOrganization(view, record)),
  }),
  operation({
    id: "organizations.get",
    method: "GET",
    path: "/v2/organizations/{org_slug}",
    section,
    scope: "read_organizations",
    summary: "Get an organization",
    response: organizationSchema,
    run: ({ data, view, params }) => {
      const record = data.organizations.find("slug", params.org_slug);
      if (record === undefined) throw notFound("organization");
      return showOrganization(view, record);
    },
  }),
];
