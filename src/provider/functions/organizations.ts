import type * as api from "../../client/index.js";
import { type NoArguments, text } from "./invoke/arguments.js";
import { getFunction } from "./invoke/function.js";
import { type OrganizationResult, readOrganizationResult } from "./results/entities.generated.js";

/** Identifies an organization. */
export interface GetOrganizationArgs {
  /** Slug. Default: the organization of the settings. */
  slug?: string | undefined;
}

/** An organization, as the API returns it. */
export interface GetOrganizationResult extends OrganizationResult {}

export type { NoArguments as GetOrganizationsArgs };

/** The organizations that the access token can reach. */
export interface GetOrganizationsResult {
  /** In the order of the API. */
  readonly organizations: GetOrganizationResult[];
}

const bySlug = (client: api.BuildPipelineClient, slug: string) => client.organizations.get(slug);
const list = (client: api.BuildPipelineClient) => client.organizations.list().all();

/**
 * Looks up an organization that the access token can reach; by default, the one in the settings. Scope:
 * `read_organizations`.
 * @throws LookupError if the organization doesn't exist, or the access token cannot reach it.
 * @example const { name, webUrl } = await getOrganization();
 */
export const getOrganization = getFunction<GetOrganizationArgs | undefined, GetOrganizationResult>(
  "getOrganization",
  async (service, { slug = service.organization }) =>
    readOrganizationResult(await service.get(bySlug, text("slug", slug))),
);

/**
 * Lists the organizations that the access token can reach. Scope: `read_organizations`.
 * @example const { organizations } = await getOrganizations();
 */
export const getOrganizations = getFunction<NoArguments | undefined, GetOrganizationsResult>(
  "getOrganizations",
  async ({ get }) => ({ organizations: (await get(list)).map(readOrganizationResult) }),
);
