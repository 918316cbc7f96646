import type * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import { type InputsOf, oneWay } from "./asking/arguments.js";
import { oneOf } from "./asking/one-of.js";
import { request } from "./asking/request.js";
import { entity, leftOut, same } from "./entity-fields.js";
import { Lookup } from "./lookup.js";

/** Which test suite: give one of the three. */
export interface GetSuiteArgs {
  /** The name in addresses. */
  slug?: string | undefined;
  /** UUID. */
  id?: string | undefined;
  /** Name, exactly. An error if several suites have it. */
  name?: string | undefined;
}

/** {@link GetSuiteArgs}, where each may be an Output. */
export interface GetSuiteOutputArgs extends InputsOf<GetSuiteArgs> {}

/**
 * A test suite, as the service has it (the API document, section 2.7), without its API token: that is a secret, and
 * lookups pass none on.
 */
export interface GetSuiteResult {
  /** UUID. */
  readonly id: string;
  /** The name in addresses. */
  readonly slug: string;
  /** Name of the suite. */
  readonly name: string;
  /** Slug of the organization the suite is in. */
  readonly organization: string;
  /** Branch whose trends are shown by default. */
  readonly defaultBranch?: string;
  /** Name of the application under test, where the service tells. */
  readonly applicationName?: string;
  /** Hex color code, where the service tells. */
  readonly color?: string;
  /** Emoji in emoji syntax, or one emoji character, where the service tells. */
  readonly emoji?: string;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
}

/** Takes no arguments. */
export type GetSuitesArgs = Record<string, never>;

/** Takes no arguments. */
export type GetSuitesOutputArgs = Record<string, never>;

/** The test suites of an organization. */
export interface GetSuitesResult {
  readonly suites: GetSuiteResult[];
  /** Slug of the organization. */
  readonly organization: string;
}

const read = entity<wire.Suite, GetSuiteResult>({
  id: same,
  graphql_id: same,
  slug: same,
  name: same,
  url: same,
  web_url: same,
  default_branch: same,
  application_name: same,
  color: same,
  emoji: same,
  // A secret.
  api_token: leftOut,
});

const suiteBySlug = request("suites.get", (client, slug: string) => client.suites.get(slug));
const allSuites = request("suites.list", (client) => client.suites.list().all());

const suite = new Lookup<GetSuiteArgs, GetSuiteResult>("getSuite", async (service, args) => {
  const { way, value } = oneWay(args, ["slug", "id", "name"]);
  const slug =
    way === "slug"
      ? value
      : oneOf(await service.ask(allSuites), {
          nouns: "suites",
          way,
          matches: (each) => each[way] === value,
          idOf: ({ id }) => id,
          all: "getSuites()",
        }).slug;
  // The list may tell less of a suite, and what is found must not depend on how it was asked for.
  return { ...read(await service.ask(suiteBySlug, slug)), organization: service.organization };
});

const suites = new Lookup<GetSuitesArgs, GetSuitesResult>("getSuites", async (service) => {
  const { organization } = service;
  const found = await service.ask(allSuites);
  return { suites: found.map((each) => ({ ...read(each), organization })), organization };
});

/**
 * Looks up a test suite by slug, id or name, without its API token (the API document, section 4.6). Scope:
 * `read_suites`.
 *
 * @throws LookupError if there is none, or several; the message lists their ids.
 * @example
 * ```ts
 * const { webUrl } = await getSuite({ slug: "unit-tests" });
 * ```
 */
export function getSuite(args: GetSuiteArgs, opts?: pulumi.InvokeOptions): Promise<GetSuiteResult> {
  return suite.now(args, opts);
}

/**
 * {@link getSuite} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 * @example
 * ```ts
 * const { defaultBranch } = getSuiteOutput({ slug: unit.slug });
 * ```
 */
export function getSuiteOutput(
  args: GetSuiteOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetSuiteResult> {
  return suite.output(args, opts);
}

/**
 * Lists the test suites, without their API tokens (the API document, section 4.6). Scope: `read_suites`. The list
 * may tell less of a suite than {@link getSuite}: application, color and emoji are documented only there.
 *
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { suites } = await getSuites();
 * ```
 */
export function getSuites(args: GetSuitesArgs = {}, opts?: pulumi.InvokeOptions): Promise<GetSuitesResult> {
  return suites.now(args, opts);
}

/**
 * {@link getSuites} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 */
export function getSuitesOutput(
  args: GetSuitesOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetSuitesResult> {
  return suites.output(args, opts);
}
