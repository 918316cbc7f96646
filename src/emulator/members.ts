import { z } from "zod";
import { listing, reading, section } from "./http/operation.js";
import * as model from "./model/entity.js";
import { notFound } from "./model/refusals.js";

const member = model.entity<model.UserRecord>("OrganizationMember", {
  id: model.uuid,
  name: z.string(),
  email: z.string(),
});

const collection = "/v2/organizations/{org_slug}/members";

export const members = section("members", "organizations", {
  list: listing(
    collection,
    "List the members of an organization",
    member,
    ({ data }) => data.users.list("member", true),
    { list: "unpaged" },
  ),
  get: reading(`${collection}/{user_uuid}`, "Get a member of an organization", member, (call) => {
    const user = call.data.users.get(call.params.user_uuid.toLowerCase());
    if (!user?.member) throw notFound("organization member");
    return user;
  }),
});
