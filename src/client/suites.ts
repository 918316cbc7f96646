import type * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text } from "./api/entity.js";
import type { List } from "./api/list.js";
import { type BodyChange, nothing, operations } from "./api/operation.js";

const suiteSchema = entity({
  required: {
    /** UUID. */
    id: identifier,
    /** Name in web addresses, unique in the organization. */
    slug: identifier,
    name: identifier,
  },
  optional: {
    /** Branch whose trends Buildkite shows first. It collects data for all branches. */
    default_branch: text,
    /** Documented for the response to a creation; other responses may omit it. */
    application_name: text,
    /** Hex color code. Documented for the response to a creation; other responses may omit it. */
    color: text,
    /**
     * Emoji syntax, `:name:`, or a literal emoji. Documented for the response to a creation; other responses may omit
     * it.
     */
    emoji: text,
    /** Secret. Present only in the response to a request with `show_api_token: true`. */
    api_token: text,
  },
  decorative: {
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** Address in the REST API. */
    url: text,
    /** Address in the web interface. */
    web_url: text,
    /** UUID of the organization. */
    organization_id: text,
    /** Rules for OpenID Connect tokens that may send test results, as YAML text; null when there are none. */
    oidc_policy: text,
  },
});

/** A test suite. Requests identify it by its `slug`. */
export interface Suite extends z.output<typeof suiteSchema> {}

/** A new test suite. */
export interface SuiteCreate {
  name: string;
  /** Branch whose trends Buildkite shows first. It collects data for all branches. */
  default_branch: string;
  /**
   * True returns the suite's secret `api_token` in the response. The API refuses it if the user may not read the secret.
   * Its default is false.
   */
  show_api_token?: boolean | undefined;
  /** UUIDs of the teams that get access to the suite; required if the organization has teams enabled. */
  team_ids?: readonly string[] | undefined;
  application_name?: string | null | undefined;
  /** Hex color code. */
  color?: string | null | undefined;
  /** Emoji syntax, `:name:`, or a literal emoji. */
  emoji?: string | null | undefined;
  /** Rules for OpenID Connect tokens that may send test results: YAML text, or a list of statements. */
  oidc_policy?: string | readonly object[] | null | undefined;
}

/**
 * Changes to a test suite. Omitted fields keep their values; null removes the `oidc_policy`. `teamSuites` changes the
 * teams of a suite.
 */
export interface SuiteUpdate extends BodyChange<Omit<SuiteCreate, "team_ids">> {}

const path = "/v2/analytics/organizations/{org_slug}/suites";
const one = `${path}/{suite_slug}` as const;

/** @internal */
export const suiteOperations = operations("suites", {
  list: ["GET", path, "read_suites", suiteSchema],
  get: ["GET", one, "read_suites", suiteSchema],
  create: ["POST", path, "write_suites", suiteSchema],
  // Another suite can take the slug, so after a lost response a repeated write might change that suite.
  update: ["PATCH", one, "write_suites", suiteSchema, { resendable: false }],
  delete: ["DELETE", one, "write_suites", nothing, { resendable: false }],
});

/** Test suites, identified by slug. */
export class Suites extends Section {
  /**
   * Lists the organization's test suites. Scope: `read_suites`.
   * @example for await (const suite of client.suites.list()) console.log(suite.slug);
   */
  list(options?: RequestOptions): List<Suite> {
    return this.api.list(suiteOperations.list, [], options);
  }

  /**
   * Reads one test suite. Scope: `read_suites`.
   * @throws NotFoundError if there is no such suite, or the access token may not see it.
   * @example const { default_branch } = await client.suites.get("storefront-rspec");
   */
  get(suiteSlug: string, options?: RequestOptions): Promise<Suite> {
    return this.api.call(suiteOperations.get, [suiteSlug], options);
  }

  /**
   * Creates a test suite. With `show_api_token`, the response contains the suite's secret. Scope: `write_suites`. The
   * messages of refused requests are not documented.
   * @throws ConnectionError, TimeoutError, ServerError: the suite may have been created; see `mayHaveBeenCarriedOut`.
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
    return this.api.call(suiteOperations.create, [], options, body);
  }

  /**
   * Changes a test suite. Changing the name may also change the slug, so use the slug in the result from then on.
   * Scope: `write_suites`.
   * @example const { slug } = await client.suites.update("storefront-rspec", { default_branch: "trunk" });
   */
  update(suiteSlug: string, body: SuiteUpdate, options?: RequestOptions): Promise<Suite> {
    return this.api.call(suiteOperations.update, [suiteSlug], options, body);
  }

  /**
   * Deletes a test suite and its data. Scope: `write_suites`.
   * @throws NotFoundError if there is no such suite; if `attempts` is above 1, an earlier attempt may have deleted it.
   * @example await client.suites.delete("storefront-rspec");
   */
  delete(suiteSlug: string, options?: RequestOptions): Promise<void> {
    return this.api.call(suiteOperations.delete, [suiteSlug], options);
  }
}
