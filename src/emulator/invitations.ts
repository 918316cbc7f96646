import { z } from "zod";
import { listing, newerSection, reading } from "./http/operation.js";
import * as model from "./model/entity.js";
import { found } from "./model/refusals.js";
import type { StoredRecord } from "./store/collection.js";

const state = z.enum(["pending", "accepted", "revoked", "expired"]);
const time = model.timestamp.nullable();
const team = z.object({ id: model.uuid, graphql_id: z.string(), slug: z.string() });

const fields = {
  id: model.uuid,
  graphql_id: model.graphqlId("OrganizationInvitation"),
  url: model.apiUrl(({ id }: StoredRecord) => `/invitations/${id}`),
  email: z.string(),
  state,
  role: z.enum(["admin", "member"]),
  sso_mode: z.enum(["required", "optional"]),
  // The roles in the teams are not shown.
  teams: model.keptAs(z.array(team), (ids: readonly string[], view) =>
    ids.flatMap((id) => {
      const { slug } = view.data.teams.get(id) ?? {};
      return slug === undefined
        ? []
        : [{ id, graphql_id: model.graphqlId("Team").derive({ id }, view), slug }];
    }),
  ),
  created_at: model.timestamp,
  created_by: model.userInBrief,
  accepted_at: time,
  accepted_by: model.userInBrief,
  revoked_at: time,
  revoked_by: model.userInBrief,
  expired_at: time,
};

export interface InvitationRecord extends model.RecordOf<typeof fields> {}

const invitation = model.entity<InvitationRecord>("OrganizationInvitation", fields);
const collection = "/v2/organizations/{org_slug}/invitations";

export const invitations = newerSection("invitations", "organization_invitations", {
  list: listing(
    collection,
    "List the pending invitations, the newest first",
    invitation,
    ({ data }) => data.invitations.list("state", "pending").toReversed(),
    { list: "cursor" },
  ),
  get: reading(`${collection}/{uuid}`, "Get an invitation", invitation, ({ data, params }) =>
    found(data.invitations.get(params.uuid.toLowerCase()), "invitation"),
  ),
});
