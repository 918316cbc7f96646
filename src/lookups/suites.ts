import type * as api from "../client/index.js";
import { Suite } from "../resources/suite.js";
import { exactlyOne, type NoArguments, type OutputArguments } from "./invoke/arguments.js";
import { onlyMatch } from "./invoke/find-one.js";
import { getFunction } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
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
 * A test suite, as the service has it, without its API token: that is a secret, and
 * functions return none.
 */
export interface GetSuiteResult extends KindResult<Suite, api.Suite, "apiToken" | "teamIds"> {}

export type { NoArguments as GetSuitesArgs, NoArguments as GetSuitesOutputArgs };

/** The test suites of an organization. */
export interface GetSuitesResult extends InOrganization {
  /** In the order of the service. */
  readonly suites: GetSuiteResult[];
}

const read = kindReader<typeof Suite.kind, GetSuiteResult>(Suite.kind);
const functions = functionsOf(Suite.kind, read);
const suites = functions.all<NoArguments | undefined, NoArguments | undefined, GetSuitesResult>();
const bySlug = (client: api.BuildPipelineClient, slug: string) => client.suites.get(slug);

const suite = getFunction<GetSuiteArgs, GetSuiteOutputArgs, GetSuiteResult>(
  "getSuite",
  async (api, args) => {
    const { argument, value } = exactlyOne(args, ["slug", "id", "name"]);
    const words = { nouns: "suites", all: "getSuites()", idOf: Suite.kind.identify };
    const slug =
      argument === "slug" ? value : onlyMatch(await functions.list(api), argument, value, words).slug;
    // The list may show less of a suite, and the result must not depend on the argument that found it.
    return read(await api.get(bySlug, slug), { organization: api.organization });
  },
  Suite.kind.name,
);

export default [suite, suites];

/**
 * Looks up a test suite by slug, id or name, without its API token. Scope:
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
 * Lists the test suites, without their API tokens. Scope: `read_suites`. The list
 * may have fewer fields of a suite than {@link getSuite}: application, color and emoji are documented only there.
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
