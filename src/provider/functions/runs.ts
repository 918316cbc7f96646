import type * as api from "../../client/index.js";
import { id, type OutputArguments, text } from "./invoke/arguments.js";
import { getFunction, outputForm } from "./invoke/function.js";
import { type RunResult, readRunResult } from "./results/entities.generated.js";
import type { InOrganization } from "./results/result-fields.js";

/** Identifies a run of a test suite. */
export interface GetRunArgs {
  /** Slug of the suite. */
  suiteSlug: string;
  /** UUID of the run. */
  id: string;
}

/** A run of a test suite, as the API returns it. */
export interface GetRunResult extends RunResult, InOrganization {
  /** Slug of the suite. */
  readonly suiteSlug: string;
}

/** Filters for a list of runs. */
export interface GetRunsArgs {
  /** Slug of the suite. */
  suiteSlug: string;
  /** UUID of a build, to list only its runs. Default: all runs. */
  buildId?: string | undefined;
}

/** {@link GetRunsArgs}, each of which may be an Output. */
export interface GetRunsOutputArgs extends OutputArguments<GetRunsArgs> {}

/** The runs of a test suite. */
export interface GetRunsResult extends InOrganization {
  /** In the order of the API. */
  readonly runs: GetRunResult[];
  /** Slug of the suite. */
  readonly suiteSlug: string;
}

const byId = (client: api.BuildPipelineClient, suite: string, id: string) => client.runs.get(suite, id);
const list = (client: api.BuildPipelineClient, suite: string, buildId?: string) =>
  client.runs.list(suite, { build_id: buildId }).all();

/**
 * Looks up a run of a test suite. Scope: `read_suites`.
 * @throws LookupError if the suite or the run doesn't exist.
 * @example const { result } = await getRun({ suiteSlug: "unit-tests", id: runUuid });
 */
export const getRun = getFunction<GetRunArgs, GetRunResult>("getRun", async ({ get, organization }, args) => {
  const suiteSlug = text("suiteSlug", args.suiteSlug);
  const found = await get(byId, suiteSlug, id("id", args.id));
  return { ...readRunResult(found), suiteSlug, organization };
});

/**
 * Lists the runs of a test suite, or only its runs for one build. Scope: `read_suites`.
 * @example
 * ```ts
 * const { runs } = await getRuns({ suiteSlug: "unit-tests", buildId });
 * const failed = runs.filter(({ result }) => result === "failed");
 * ```
 */
export const getRuns = getFunction<GetRunsArgs, GetRunsResult>(
  "getRuns",
  async ({ get, organization }, args) => {
    const suiteSlug = text("suiteSlug", args.suiteSlug);
    const found = await get(
      list,
      suiteSlug,
      args.buildId === undefined ? undefined : id("buildId", args.buildId),
    );
    return {
      runs: found.map((each) => ({ ...readRunResult(each), suiteSlug, organization })),
      suiteSlug,
      organization,
    };
  },
);

/**
 * {@link getRuns} for Outputs. In a preview, the result is unknown while an argument or `opts.dependsOn` is.
 * @example const { runs } = getRunsOutput({ suiteSlug: unit.slug });
 */
export const getRunsOutput = outputForm<GetRunsOutputArgs, GetRunsResult>("getRuns");
