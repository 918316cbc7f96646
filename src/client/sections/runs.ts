import type { Api, RequestOptions } from "../api.js";
import { type Run, runSchema } from "../entities/run.js";
import { operation } from "../operation.js";
import type { List } from "../pages/list.js";

/** Which runs to list (section 4.7). */
export interface RunQuery {
  /** Only runs of this build (UUID). */
  build_id?: string | undefined;
}

const path = "/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/runs";

export const runOperations = {
  list: operation("runs.list", "GET", path, "read_suites", "4.7", runSchema),
  get: operation("runs.get", "GET", `${path}/{run_id}`, "read_suites", "4.7", runSchema),
} as const;

/** Runs of test suites (section 4.7). */
export class Runs {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the runs of a suite, or those that belong to a build.
   *
   * Scope: `read_suites`. Section 4.7.
   * @throws NotFoundError if there is no such suite.
   * @example
   * ```ts
   * const runs = await client.runs.list("storefront-rspec", { build_id: build.id }).all();
   * ```
   */
  list(suiteSlug: string, query: RunQuery = {}, options?: RequestOptions): List<Run> {
    return this.#api.list(
      runOperations.list,
      { suite_slug: suiteSlug },
      { build_id: query.build_id },
      options,
    );
  }

  /**
   * Reads one run. Its `result` is final only where it is `failed`.
   *
   * Scope: `read_suites`. Sections 4.7 and 3.2.
   * @throws NotFoundError if there is no such run in this suite.
   * @example
   * ```ts
   * const { state, result } = await client.runs.get("storefront-rspec", run.id);
   * ```
   */
  get(suiteSlug: string, runId: string, options?: RequestOptions): Promise<Run> {
    return this.#api.call(runOperations.get, { suite_slug: suiteSlug, run_id: runId }, {}, options);
  }
}
