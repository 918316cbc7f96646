import type * as api from "../client/index.js";
import { Suite } from "../resources/suite.js";
import { exactlyOne, type NoArguments, type OutputArguments } from "./invoke/arguments.js";
import { onlyMatch } from "./invoke/find-one.js";
import { lookup } from "./invoke/lookup.js";
import type { InOrganization } from "./results/fields.js";
import { type KindResult, kindReader } from "./results/kind-result.js";

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
export interface GetSuiteOutputArgs extends OutputArguments<GetSuiteArgs> {}

/**
 * A test suite, as the service has it (the API document, section 2.7), without its API token: that is a secret, and
 * lookups pass none on.
 */
export interface GetSuiteResult extends KindResult<Suite, api.Suite, "apiToken" | "teamIds"> {}

export type { NoArguments as GetSuitesArgs, NoArguments as GetSuitesOutputArgs };

/** The test suites of an organization. */
export interface GetSuitesResult extends InOrganization {
  /** In the order of the service. */
  readonly suites: GetSuiteResult[];
}

const read = kindReader<typeof Suite.kind, GetSuiteResult>(Suite.kind);
const bySlug = (client: api.BuildPipelineClient, slug: string) => client.suites.get(slug);
const list = (client: api.BuildPipelineClient) => client.suites.list().all();

const suite = lookup<GetSuiteArgs, GetSuiteOutputArgs, GetSuiteResult>(
  "getSuite",
  async ({ get, organization }, args) => {
    const { argument, value } = exactlyOne(args, ["slug", "id", "name"]);
    const slug =
      argument === "slug"
        ? value
        : onlyMatch(await get(list), argument, value, { nouns: "suites", all: "getSuites()" }).slug;
    // The list may tell less of a suite, and what is found must not depend on how it was asked for.
    return read(await get(bySlug, slug), { organization });
  },
  Suite.kind.name,
);

const suites = lookup<NoArguments | undefined, NoArguments | undefined, GetSuitesResult>(
  "getSuites",
  async ({ get, organization }) => {
    const found = await get(list);
    return { suites: found.map((each) => read(each, { organization })), organization };
  },
  Suite.kind.name,
);

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
export const getSuite = suite.plain;

/**
 * {@link getSuite} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is.
 * @example
 * ```ts
 * const { defaultBranch } = getSuiteOutput({ slug: unit.slug });
 * ```
 */
export const getSuiteOutput = suite.output;

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
export const getSuites = suites.plain;

/** {@link getSuites} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is. */
export const getSuitesOutput = suites.output;
