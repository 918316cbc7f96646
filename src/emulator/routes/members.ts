import { memberSchema, showMember } from "../entities/user.js";
import { notFound } from "../http/errors.js";
import { listing, type Operation, operation } from "../http/operation.js";

const collection = "/v2/organizations/{org_slug}/members";
const section = "4.9";

/** Section 4.9, members. */
export const memberOperations: readonly Operation[] = [
  operation({
    id: "members.list",
    method: "GET",
    path: collection,
    section,
    scope: "read_organizations",
    summary: "List the members of an organization",
    response: memberSchema,
    list: "whole",
    run: ({ data }) =>
      listing(
        data.users.list().filter((user) => user.member),
        showMember,
      ),
  }),
  operation({
    id: "members.get",
    method: "GET",
    path: `${collection}/{user_uuid}`,
    section,
    scope: "read_organizations",
    summary: "Get a member of an organization",
    response: memberSchema,
    run: ({ data, params }) => {
      const user = data.users.get(params.user_uuid.toLowerCase());
      if (!user?.member) throw notFound("organization member");
      return showMember(user);
    },
  }),
];
