import type * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import { type InputsOf, text } from "./asking/arguments.js";
import { request } from "./asking/request.js";
import { entity, same } from "./entity-fields.js";
import { Lookup } from "./lookup.js";

/** Which organization. */
export interface GetOrganizationArgs {
  /** Slug. Default: the organization of the settings. */
  slug?: string | undefined;
}

/** {@link GetOrganizationArgs}, where each may be an Output. */
export interface GetOrganizationOutputArgs extends InputsOf<GetOrganizationArgs> {}

/** An organization, as the service has it (the API document, section 2.13). */
export interface GetOrganizationResult {
  /** UUID. */
  readonly id: string;
  /** The name in addresses: what `buildpipeline:organization` takes. */
  readonly slug: string;
  /** Name of the organization. */
  readonly name?: string;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** API URL of its pipelines. */
  readonly pipelinesUrl?: string;
  /** API URL of its agents. */
  readonly agentsUrl?: string;
  /** API URL of its emojis. */
  readonly emojisUrl?: string;
  /** When it was created, ISO 8601 in UTC. */
  readonly createdAt?: string;
}

/** Takes no arguments. */
export type GetOrganizationsArgs = Record<string, never>;

/** Takes no arguments. */
export type GetOrganizationsOutputArgs = Record<string, never>;

/** The organizations that the access token can reach. */
export interface GetOrganizationsResult {
  readonly organizations: GetOrganizationResult[];
}

const read = entity<wire.Organization, GetOrganizationResult>({
  id: same,
  graphql_id: same,
  url: same,
  web_url: same,
  name: same,
  slug: same,
  pipelines_url: same,
  agents_url: same,
  emojis_url: same,
  created_at: same,
});

const organizationBySlug = request("organizations.get", (client, slug: string) =>
  client.organizations.get(slug),
);
const allOrganizations = request("organizations.list", (client) => client.organizations.list().all());

const organization = new Lookup<GetOrganizationArgs, GetOrganizationResult>(
  "getOrganization",
  async (service, { slug = service.organization }) =>
    read(await service.ask(organizationBySlug, text("slug", slug))),
);

const organizations = new Lookup<GetOrganizationsArgs, GetOrganizationsResult>(
  "getOrganizations",
  async (service) => ({
    organizations: (await service.ask(allOrganizations)).map((each) => read(each)),
  }),
);

/**
 * Looks up an organization: that of the settings, or another that the access token can reach (the API document,
 * section 4.9). Scope: `read_organizations`.
 *
 * @throws LookupError if it is not there, or the access token cannot reach it.
 * @example
 * ```ts
 * const { name, webUrl } = await getOrganization();
 * ```
 */
export function getOrganization(
  args: GetOrganizationArgs = {},
  opts?: pulumi.InvokeOptions,
): Promise<GetOrganizationResult> {
  return organization.now(args, opts);
}

/**
 * {@link getOrganization} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 */
export function getOrganizationOutput(
  args: GetOrganizationOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetOrganizationResult> {
  return organization.output(args, opts);
}

/**
 * Lists the organizations that the access token can reach (the API document, section 4.9). Scope:
 * `read_organizations`.
 *
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { organizations } = await getOrganizations();
 * ```
 */
export function getOrganizations(
  args: GetOrganizationsArgs = {},
  opts?: pulumi.InvokeOptions,
): Promise<GetOrganizationsResult> {
  return organizations.now(args, opts);
}

/**
 * {@link getOrganizations} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 */
export function getOrganizationsOutput(
  args: GetOrganizationsOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetOrganizationsResult> {
  return organizations.output(args, opts);
}
