import type * as z from "zod";
import type { Api, RequestOptions } from "./api/api.js";
import type { Change } from "./api/operation.js";
import { nothing, operations } from "./api/operation.js";
import type { List } from "./pages/list.js";
import { entity, identifier, text } from "./responses/entity.js";

const suiteSchema = entity(
  {
    /** UUID. */
    id: identifier,
    /** The name in addresses, unique in the organization. */
    slug: identifier,
    name: identifier,
  },
  {
    /** Opaque id of the service's GraphQL interface. */
    graphql_id: text,
    /** Address in the REST interface. */
    url: text,
    /** Address in the web interface. */
    web_url: text,
    /** Branch with the trends that are shown first; data is collected for all. */
    default_branch: text,
    /** Named for the answer to a creation; may be missing elsewhere. */
    application_name: text,
    /** Hex color code. Named for the answer to a creation; may be missing elsewhere. */
    color: text,
    /** Emoji syntax, `:name:`, or a literal emoji. Named for the answer to a creation; may be missing elsewhere. */
    emoji: text,
    /** Secret. Only where `show_api_token` was sent as true with the creation. */
    api_token: text,
  },
);

/** A test suite of the analytics part. Requests address it by `slug`. */
export interface Suite extends z.output<typeof suiteSchema> {}

/** A new test suite. */
export interface SuiteCreate {
  name: string;
  /** Branch with the trends that are shown first; data is collected for all. */
  default_branch: string;
  /** Asks for the suite's secret `api_token` in the answer: the only way to see it. The service's default is false. */
  show_api_token?: boolean | undefined;
  /** Teams (UUIDs) that have the suite; required when the organization has teams enabled. */
  team_ids?: readonly string[] | undefined;
  application_name?: string | null | undefined;
  /** Hex color code. */
  color?: string | null | undefined;
  /** Emoji syntax, `:name:`, or a literal emoji. */
  emoji?: string | null | undefined;
}

/** A change of a test suite: omitted fields keep their values. Its teams cannot be changed here. */
export interface SuiteUpdate extends Change<Omit<SuiteCreate, "show_api_token" | "team_ids">> {}

const path = "/v2/analytics/organizations/{org_slug}/suites";
const one = `${path}/{suite_slug}` as const;

export const suiteOperations = operations("suites", "4.6", {
  list: ["GET", path, "read_suites", suiteSchema],
  get: ["GET", one, "read_suites", suiteSchema],
  create: ["POST", path, "write_suites", suiteSchema],
  // A slug can be reused: after a lost response, it may be another suite's.
  update: ["PATCH", one, "write_suites", suiteSchema, { resendable: false }],
  delete: ["DELETE", one, "write_suites", nothing, { resendable: false }],
});

/** Test suites of the analytics part, addressed by slug. */
export class Suites {
  /** @internal */
  constructor(private readonly api: Api) {}

  /**
   * Lists the organization's test suites.
   *
   * Scope: `read_suites`.
   * @example
   * ```ts
   * for await (const suite of client.suites.list()) console.log(suite.slug);
   * ```
   */
  list(options?: RequestOptions): List<Suite> {
    return this.api.list(suiteOperations.list, {}, {}, options);
  }

  /**
   * Reads one test suite.
   *
   * Scope: `read_suites`.
   * @throws NotFoundError if there is no such suite, or the access token may not see it.
   * @example
   * ```ts
   * const { default_branch } = await client.suites.get("storefront-rspec");
   * ```
   */
  get(suiteSlug: string, options?: RequestOptions): Promise<Suite> {
    return this.api.call(suiteOperations.get, { suite_slug: suiteSlug }, {}, options);
  }

  /**
   * Creates a test suite. With `show_api_token` the answer carries its secret.
   *
   * Scope: `write_suites`. How the service words its refusals is not documented.
   * @throws ValidationError if the service refuses a value.
   * @throws ConnectionError, TimeoutError, ServerError: it may have been created; see `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const { slug, api_token } = await client.suites.create({
   *   name: "Storefront RSpec",
   *   default_branch: "main",
   *   team_ids: [team.id],
   *   show_api_token: true,
   * });
   * ```
   */
  create(body: SuiteCreate, options?: RequestOptions): Promise<Suite> {
    return this.api.call(suiteOperations.create, {}, { body }, options);
  }

  /**
   * Changes a test suite. A new name may bring a new slug: use the one in the result from then on.
   *
   * Scope: `write_suites`.
   * @throws NotFoundError if there is no such suite.
   * @throws ValidationError if the service refuses a value.
   * @example
   * ```ts
   * const { slug } = await client.suites.update("storefront-rspec", { default_branch: "trunk" });
   * ```
   */
  update(suiteSlug: string, body: SuiteUpdate, options?: RequestOptions): Promise<Suite> {
    return this.api.call(suiteOperations.update, { suite_slug: suiteSlug }, { body }, options);
  }

  /**
   * Deletes a test suite and its data.
   *
   * Scope: `write_suites`.
   * @throws NotFoundError if there is no such suite; with `attempts` above 1, an earlier try may have deleted it.
   * @example
   * ```ts
   * await client.suites.delete("storefront-rspec");
   * ```
   */
  delete(suiteSlug: string, options?: RequestOptions): Promise<void> {
    return this.api.call(suiteOperations.delete, { suite_slug: suiteSlug }, {}, options);
  }
}
