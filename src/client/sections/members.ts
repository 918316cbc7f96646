import type { Api, RequestOptions } from "../api.js";
import { type Member, memberSchema } from "../entities/member.js";
import { operation } from "../operation.js";
import type { List } from "../pages/list.js";

const path = "/v2/organizations/{org_slug}/members";

export const memberOperations = {
  list: operation("members.list", "GET", path, "read_organizations", "4.9", memberSchema),
  get: operation("members.get", "GET", `${path}/{user_uuid}`, "read_organizations", "4.9", memberSchema),
} as const;

/** Members of the organization (section 4.9). */
export class Members {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the organization's members.
   *
   * Scope: `read_organizations`. Section 4.9.
   * @example
   * ```ts
   * for await (const member of client.members.list()) console.log(member.email);
   * ```
   */
  list(options?: RequestOptions): List<Member> {
    return this.#api.list(memberOperations.list, {}, {}, options);
  }

  /**
   * Reads one member by the UUID of the user.
   *
   * Scope: `read_organizations`. Section 4.9.
   * @throws NotFoundError if no such user is a member.
   * @example
   * ```ts
   * const { name } = await client.members.get(cluster.created_by.id);
   * ```
   */
  get(userId: string, options?: RequestOptions): Promise<Member> {
    return this.#api.call(memberOperations.get, { user_uuid: userId }, {}, options);
  }
}
