import type * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text } from "./api/entity.js";
import type { List } from "./api/list.js";
import { operations } from "./api/operation.js";

const memberSchema = entity({
  required: {
    /** UUID of the user. */
    id: identifier,
  },
  decorative: {
    /** Name of the user. */
    name: text,
    /** User's email address. */
    email: text,
  },
});

/** A person who belongs to an organization. */
export interface Member extends z.output<typeof memberSchema> {}

const path = "/v2/organizations/{org_slug}/members";

/** @internal */
export const memberOperations = operations("members", {
  list: ["GET", path, "read_organizations", memberSchema],
  get: ["GET", `${path}/{user_uuid}`, "read_organizations", memberSchema],
});

/** Members of the organization. */
export class Members extends Section {
  /**
   * Lists the organization's members. Scope: `read_organizations`.
   * @example for await (const member of client.members.list()) console.log(member.email);
   */
  list(options?: RequestOptions): List<Member> {
    return this.api.list(memberOperations.list, [], options);
  }

  /**
   * Reads one member by the UUID of the user. Scope: `read_organizations`.
   * @throws NotFoundError if no such user is a member.
   * @example const { name } = await client.members.get(user.id);
   */
  get(userId: string, options?: RequestOptions): Promise<Member> {
    return this.api.call(memberOperations.get, [userId], options);
  }
}
