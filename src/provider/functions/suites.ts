import type * as api from "../../client/index.js";
import { Suite } from "../resources/suite.js";
import type { NoArguments, OutputArguments } from "./invoke/arguments.js";
import { exactlyOne, onlyMatch } from "./invoke/find-one.js";
import { getFunction, outputForm } from "./invoke/function.js";
import { functionsOf } from "./invoke/of-kind.js";
import type { InOrganization, KindResult } from "./results/result-fields.js";

/** Identifies a test suite by exactly one of `slug`, `id` and `name`. */
export interface GetSuiteArgs {
  /** Name in web addresses. */
  slug?: string | undefined;
  /** UUID. */
  id?: string | undefined;
  /** Exact name. The function fails if several suites have this name. */
  name?: string | undefined;
}

/** {@link GetSuiteArgs}, each of which may be an Output. */
export interface GetSuiteOutputArgs extends OutputArguments<GetSuiteArgs> {}

/**
 * A test suite, as the API returns it, without its API token. The token is a secret,
 * and no function returns a secret.
 */
export interface GetSuiteResult extends KindResult<Suite, api.Suite, "apiToken" | "teamIds"> {}

export type { NoArguments as GetSuitesArgs };

/** The test suites of an organization. */
export interface GetSuitesResult extends InOrganization {
  /** In the order of the API. */
  readonly suites: GetSuiteResult[];
}

const functions = functionsOf<GetSuiteResult, api.Suite>(Suite.kind);
const bySlug = (client: api.BuildPipelineClient, slug: string) => client.suites.get(slug);

/**
 * Looks up a test suite by slug, id or name, without its API token. Scope:
 * `read_suites`.
 * @throws LookupError if no object matches, or several do; the message lists their ids.
 * @example const { webUrl } = await getSuite({ slug: "unit-tests" });
 */
export const getSuite = getFunction<GetSuiteArgs, GetSuiteResult>(
  "getSuite",
  async (api, args) => {
    const { argument, value } = exactlyOne(args, ["slug", "id", "name"]);
    const words = { nouns: "suites", all: "getSuites()", idOf: Suite.kind.identify };
    const slug =
      argument === "slug" ? value : onlyMatch(await functions.list(api), argument, value, words).slug;
    // The list may show less of a suite, and the result must not depend on the argument that found it.
    return functions.read(api, await api.get(bySlug, slug));
  },
  Suite.kind.name,
);

/**
 * {@link getSuite} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { defaultBranch } = getSuiteOutput({ slug: unit.slug });
 */
export const getSuiteOutput = outputForm<GetSuiteOutputArgs, GetSuiteResult>("getSuite");

/**
 * Lists the test suites, without their API tokens. Scope: `read_suites`. The list
 * may omit fields that {@link getSuite} returns, such as application, color and emoji.
 * @example const { suites } = await getSuites();
 */
export const getSuites = functions.all<NoArguments | undefined, GetSuitesResult>();
