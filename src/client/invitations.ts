import * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text, userSchema } from "./api/entity.js";
import type { List } from "./api/list.js";
import { operations } from "./api/operation.js";

const invitationSchema = entity({
  required: {
    /** UUID. */
    id: identifier,
  },
  optional: {
    /** `pending`, `accepted`, `revoked` or `expired`. */
    state: text,
    /** Address that the invitation was sent to. */
    email: text,
    /** Role of the new member: `admin` or `member`. */
    role: text,
  },
  decorative: {
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** API URL. */
    url: text,
    /** Whether the new member must use single sign-on: `required` or `optional`. */
    sso_mode: text,
    /** Teams of the new member. The API doesn't return the roles in them. */
    teams: z.array(z.looseObject({ id: z.string(), slug: z.string().optional() })).nullable(),
    /** ISO 8601, UTC. */
    created_at: text,
    /** User who sent it. */
    created_by: userSchema.nullable(),
    /** ISO 8601, UTC; null unless it was accepted. */
    accepted_at: text,
    /** The new member; null unless it was accepted. */
    accepted_by: userSchema.nullable(),
    /** ISO 8601, UTC; null unless it was revoked. */
    revoked_at: text,
    /** User who revoked it; null unless it was revoked. */
    revoked_by: userSchema.nullable(),
    /** ISO 8601, UTC; null unless it expired. */
    expired_at: text,
  },
});

/** An invitation of a person to the organization. */
export interface Invitation extends z.output<typeof invitationSchema> {}

const path = "/v2/organizations/{org_slug}/invitations";
const scope = "read_organization_invitations";

export const invitationOperations = operations("invitations", {
  list: ["GET", path, scope, invitationSchema, { isByCursor: true }],
  get: ["GET", `${path}/{uuid}`, scope, invitationSchema],
});

/** Invitations to the organization. */
export class Invitations extends Section {
  /**
   * Lists the pending invitations, the newest first. Scope: `read_organization_invitations`.
   * @example
   * ```ts
   * for await (const { email } of client.invitations.list()) console.log(email);
   * ```
   */
  list(options?: RequestOptions): List<Invitation> {
    return this.api.list(invitationOperations.list, [], options);
  }

  /**
   * Reads one invitation in any state. Scope: `read_organization_invitations`.
   * @throws NotFoundError if there is no such invitation.
   * @example
   * ```ts
   * const { state, accepted_by } = await client.invitations.get(invitationId);
   * ```
   */
  get(invitationId: string, options?: RequestOptions): Promise<Invitation> {
    return this.api.call(invitationOperations.get, [invitationId], options);
  }
}
