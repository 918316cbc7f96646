import type * as api from "../client/index.js";
import { type NoArguments, type OutputArguments, text } from "./invoke/arguments.js";
import { getFunction } from "./invoke/function.js";
import { describe, type ResultOf, verbatim } from "./results/fields.js";

/** Which organization. */
export interface GetOrganizationArgs {
  /** Slug. Default: the organization of the settings. */
  slug?: string | undefined;
}

/** {@link GetOrganizationArgs}, where each may be an Output. */
export interface GetOrganizationOutputArgs extends OutputArguments<GetOrganizationArgs> {}

const fields = describe<api.Organization>()({
  /** UUID. */
  id: verbatim,
  /** The name in addresses: what `buildpipeline:organization` takes. */
  slug: verbatim,
  /** Name of the organization. */
  name: verbatim,
  /** Opaque id for the service's GraphQL interface. */
  graphqlId: verbatim,
  /** API URL. */
  url: verbatim,
  /** Address in the web interface. */
  webUrl: verbatim,
  /** API URL of its pipelines. */
  pipelinesUrl: verbatim,
  /** API URL of its agents. */
  agentsUrl: verbatim,
  /** API URL of its emojis. */
  emojisUrl: verbatim,
  /** When it was created, ISO 8601 in UTC. */
  createdAt: verbatim,
});

/** An organization, as the service has it. */
export interface GetOrganizationResult extends ResultOf<typeof fields> {}

export type { NoArguments as GetOrganizationsArgs, NoArguments as GetOrganizationsOutputArgs };

/** The organizations that the access token can reach. */
export interface GetOrganizationsResult {
  /** In the order of the service. */
  readonly organizations: GetOrganizationResult[];
}

const bySlug = (client: api.BuildPipelineClient, slug: string) => client.organizations.get(slug);
const list = (client: api.BuildPipelineClient) => client.organizations.list().all();

const organization = getFunction<
  GetOrganizationArgs | undefined,
  GetOrganizationOutputArgs | undefined,
  GetOrganizationResult
>("getOrganization", async (service, { slug = service.organization }) =>
  fields.read(await service.get(bySlug, text("slug", slug))),
);

const organizations = getFunction<NoArguments | undefined, NoArguments | undefined, GetOrganizationsResult>(
  "getOrganizations",
  async ({ get }) => ({ organizations: (await get(list)).map(fields.read) }),
);

export default [organization, organizations];

/**
 * Looks up an organization: that of the settings, or another that the access token can reach. Scope: `read_organizations`.
 *
 * @throws LookupError if it is not there, or the access token cannot reach it.
 * @example
 * ```ts
 * const { name, webUrl } = await getOrganization();
 * ```
 */
export const getOrganization = organization.plain;

/** {@link getOrganization} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is. */
export const getOrganizationOutput = organization.output;

/**
 * Lists the organizations that the access token can reach. Scope:
 * `read_organizations`.
 *
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { organizations } = await getOrganizations();
 * ```
 */
export const getOrganizations = organizations.plain;

/** {@link getOrganizations} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is. */
export const getOrganizationsOutput = organizations.output;
