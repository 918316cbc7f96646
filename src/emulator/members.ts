import { z } from "zod";
import { listing, operation, section } from "./http/operation.js";
import { notFound } from "./http/refusals.js";
import { entity, uuid } from "./model/entity.js";
import type { OrganizationData } from "./store/organization-data.js";
import type { UserRecord } from "./users.js";

const member = entity<UserRecord>("OrganizationMember", { id: uuid, name: z.string(), email: z.string() });

const collection = "/v2/organizations/{org_slug}/members";

/** Those of the users who belong to the organization. */
export const members = section({
  group: "members",
  number: "4.9",
  collections: { users: {} },
  operations: {
    list: operation({
      method: "GET",
      path: collection,
      scope: "read_organizations",
      summary: "List the members of an organization",
      response: member.schema,
      list: "unpaged",
      run: (call) => listing(membersOf(call.data), (record) => member.show(call, record)),
    }),
    get: operation({
      method: "GET",
      path: `${collection}/{user_uuid}`,
      scope: "read_organizations",
      summary: "Get a member of an organization",
      response: member.schema,
      run: (call) => {
        const user = call.data.users.get(call.params.user_uuid.toLowerCase());
        if (!user?.member) throw notFound("organization member");
        return member.show(call, user);
      },
    }),
  },
});

function membersOf(data: OrganizationData): UserRecord[] {
  return data.users.list().filter((user) => user.member);
}
