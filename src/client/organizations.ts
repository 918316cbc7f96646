import type * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text } from "./api/entity.js";
import type { List } from "./api/list.js";
import { operations } from "./api/operation.js";

const organization = entity({
  required: {
    /** UUID. */
    id: identifier,
    /** Name in web addresses. This is the value of the `organization` setting. */
    slug: identifier,
  },
  decorative: {
    /** Name of the organization. */
    name: text,
    /** Opaque id for Buildkite's GraphQL API. */
    graphql_id: text,
    /** API URL. */
    url: text,
    /** Address in the web interface. */
    web_url: text,
    /** API URL of its pipelines. */
    pipelines_url: text,
    /** API URL of its agents. */
    agents_url: text,
    /** API URL of its emojis. */
    emojis_url: text,
    /** When it was created, ISO 8601 in UTC. */
    created_at: text,
  },
});

/** An organization. */
export interface Organization extends z.output<typeof organization> {}

export const organizationSchema: z.ZodType<Organization> = organization;

const path = "/v2/organizations";

/** @internal */
export const organizationOperations = operations("organizations", {
  list: ["GET", path, "read_organizations", organizationSchema],
  get: ["GET", `${path}/{org_slug}`, "read_organizations", organizationSchema],
});

/** Organizations that the access token can reach. */
export class Organizations extends Section {
  /**
   * Lists the organizations that the access token can reach. Scope: `read_organizations`.
   * @example const slugs = (await client.organizations.list().all()).map(({ slug }) => slug);
   */
  list(options?: RequestOptions): List<Organization> {
    return this.api.list(organizationOperations.list, [], options);
  }

  /**
   * Reads an organization. Without a slug, this is the client's own organization. Scope: `read_organizations`.
   * @throws NotFoundError if there is no such organization, or the access token cannot reach it.
   * @example const { name } = await client.organizations.get();
   */
  get(slug?: string, options?: RequestOptions): Promise<Organization> {
    return this.api.call(organizationOperations.get, slug === undefined ? [] : [slug], options);
  }
}
