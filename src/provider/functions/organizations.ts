import type * as api from "../../client/index.js";
import { type NoArguments, type OutputArguments, text } from "./invoke/arguments.js";
import { getFunction } from "./invoke/function.js";
import { type OrganizationResult, readOrganizationResult } from "./results/entities.js";

/** Identifies an organization. */
export interface GetOrganizationArgs {
  /** Slug. Default: the organization of the settings. */
  slug?: string | undefined;
}

/** {@link GetOrganizationArgs}, each of which may be an Output. */
export interface GetOrganizationOutputArgs extends OutputArguments<GetOrganizationArgs> {}

/** An organization, as the API returns it. */
export interface GetOrganizationResult extends OrganizationResult {}

export type { NoArguments as GetOrganizationsArgs, NoArguments as GetOrganizationsOutputArgs };

/** The organizations that the access token can reach. */
export interface GetOrganizationsResult {
  /** In the order of the API. */
  readonly organizations: GetOrganizationResult[];
}

const bySlug = (client: api.BuildPipelineClient, slug: string) => client.organizations.get(slug);
const list = (client: api.BuildPipelineClient) => client.organizations.list().all();

const organization = getFunction<
  GetOrganizationArgs | undefined,
  GetOrganizationOutputArgs | undefined,
  GetOrganizationResult
>("getOrganization", async (service, { slug = service.organization }) =>
  readOrganizationResult(await service.get(bySlug, text("slug", slug))),
);

const organizations = getFunction<NoArguments | undefined, NoArguments | undefined, GetOrganizationsResult>(
  "getOrganizations",
  async ({ get }) => ({ organizations: (await get(list)).map(readOrganizationResult) }),
);

/**
 * Looks up an organization that the access token can reach; by default, the one in the settings. Scope:
 * `read_organizations`.
 * @throws LookupError if the organization doesn't exist, or the access token cannot reach it.
 * @example
 * ```ts
 * const { name, webUrl } = await getOrganization();
 * ```
 */
export const getOrganization = organization.plain;

/**
 * {@link getOrganization} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 */
export const getOrganizationOutput = organization.output;

/**
 * Lists the organizations that the access token can reach. Scope: `read_organizations`.
 * @throws LookupError if the API cannot be reached or refuses the request.
 * @example
 * ```ts
 * const { organizations } = await getOrganizations();
 * ```
 */
export const getOrganizations = organizations.plain;

/**
 * {@link getOrganizations} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 */
export const getOrganizationsOutput = organizations.output;
