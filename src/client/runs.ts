import type * as z from "zod";
import { type RequestOptions, Section } from "./api/api.js";
import { entity, identifier, text } from "./api/entity.js";
import type { List } from "./api/list.js";
import { operations } from "./api/operation.js";

const runSchema = entity({
  required: {
    /** UUID. */
    id: identifier,
  },
  decorative: {
    /** `running` or `finished`. A finished run returns to `running` when more results arrive. */
    state: text,
    /**
     * `pending`, `passed`, `failed` or `stale`. `passed` does not mean that processing is complete; `failed` is final.
     */
    result: text,
    /** Branch. */
    branch: text,
    /** Full commit hash. */
    commit_sha: text,
    /** API URL. */
    url: text,
    /** Address in the web interface. */
    web_url: text,
    /** Time the run was created; ISO 8601, UTC. */
    created_at: text,
  },
});

/** One run of a test suite. */
export interface Run extends z.output<typeof runSchema> {}

/** Filters for a list of runs. */
export interface RunQuery {
  /** UUID of a build, to list only its runs. */
  build_id?: string | undefined;
}

const path = "/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/runs";

/** @internal */
export const runOperations = operations("runs", {
  list: ["GET", path, "read_suites", runSchema],
  get: ["GET", `${path}/{run_id}`, "read_suites", runSchema],
});

/** Runs of test suites. */
export class Runs extends Section {
  /**
   * Lists the runs of a suite, or only its runs for one build. Scope: `read_suites`.
   * @example const runs = await client.runs.list("storefront-rspec", { build_id: build.id }).all();
   */
  list(suiteSlug: string, query: RunQuery = {}, options?: RequestOptions): List<Run> {
    return this.api.list(runOperations.list, [suiteSlug], options, { build_id: query.build_id });
  }

  /**
   * Reads one run. Its `result` is final only if it is `failed`. Scope: `read_suites`.
   * @example const { state, result } = await client.runs.get("storefront-rspec", run.id);
   */
  get(suiteSlug: string, runId: string, options?: RequestOptions): Promise<Run> {
    return this.api.call(runOperations.get, [suiteSlug, runId], options);
  }
}
