import type { Api, RequestOptions } from "../api.js";
import { type Organization, organizationSchema } from "../entities/organization.js";
import { operation } from "../operation.js";
import type { List } from "../pages/list.js";

const path = "/v2/organizations";

export const organizationOperations = {
  list: operation("organizations.list", "GET", path, "read_organizations", "4.9", organizationSchema),
  get: operation(
    "organizations.get",
    "GET",
    `${path}/{org_slug}`,
    "read_organizations",
    "4.9",
    organizationSchema,
  ),
} as const;

/** Organizations the access token can reach (section 4.9). */
export class Organizations {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the organizations the access token can reach.
   *
   * Scope: `read_organizations`. Section 4.9.
   * @example
   * ```ts
   * const slugs = (await client.organizations.list().all()).map(({ slug }) => slug);
   * ```
   */
  list(options?: RequestOptions): List<Organization> {
    return this.#api.list(organizationOperations.list, {}, {}, options);
  }

  /**
   * Reads an organization: the one the client is configured with, unless another slug is given.
   *
   * Scope: `read_organizations`. Section 4.9.
   * @throws NotFoundError if there is no such organization, or the access token cannot reach it.
   * @example
   * ```ts
   * const { name } = await client.organizations.get();
   * ```
   */
  get(slug?: string, options?: RequestOptions): Promise<Organization> {
    const ids = slug === undefined ? {} : { org_slug: slug };
    return this.#api.call(organizationOperations.get, ids, {}, options);
  }
}
