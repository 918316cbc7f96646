import type { Api, RequestOptions } from "../api/api.js";
import type { List } from "../api/list.js";
import { operations } from "../api/operation.js";
import type { Clock } from "../transport/clock.js";
import { type Build, buildSchema } from "./build.js";
import { type FollowOptions, follow } from "./follow.js";
import { type BuildGetQuery, type BuildQuery, buildParameters, retriedJobs } from "./query.js";

/** A new build. */
export interface BuildCreate {
  /** Ref, hash or tag to build. To build a tag, the agents must fetch Git tags. */
  commit: string;
  /** Branch that the commit belongs to. Branch filters compare this value. */
  branch: string;
  message?: string | null | undefined;
  /** Default: the user of the access token. */
  author?: { name?: string | undefined; email?: string | undefined } | undefined;
  /** True forces a fresh checkout. The API's default is false. */
  clean_checkout?: boolean | undefined;
  /** Environment variables of the build. */
  env?: Readonly<Record<string, string>> | undefined;
  /** True ignores the pipeline's branch filters; the filters of steps still apply. The API's default is false. */
  ignore_pipeline_branch_filters?: boolean | undefined;
  meta_data?: Readonly<Record<string, string>> | undefined;
  /** Base branch of a pull request's build. */
  pull_request_base_branch?: string | null | undefined;
  /** Number of the pull request. */
  pull_request_id?: number | null | undefined;
  /** Git repository of the pull request. */
  pull_request_repository?: string | null | undefined;
}

const organization = "/v2/organizations/{org_slug}";
const path = `${organization}/pipelines/{pipeline_slug}/builds` as const;
const one = `${path}/{number}` as const;

export const buildOperations = operations("builds", "4.11", {
  listAll: ["GET", "/v2/builds", "read_builds", buildSchema],
  list: ["GET", `${organization}/builds`, "read_builds", buildSchema],
  listForPipeline: ["GET", path, "read_builds", buildSchema],
  get: ["GET", one, "read_builds", buildSchema],
  create: ["POST", path, "write_builds", buildSchema],
  cancel: ["PUT", `${one}/cancel`, "write_builds", buildSchema],
  // Although this is a PUT, each request creates another build.
  rebuild: ["PUT", `${one}/rebuild`, "write_builds", buildSchema, { resendable: false }],
});

/** Builds of pipelines, identified by pipeline slug and build number, never by build id. */
export class Builds {
  /** @internal */
  constructor(
    private readonly api: Api,
    private readonly clock: Clock,
  ) {}

  /**
   * Lists the builds of all organizations and pipelines that the access token can reach, newest first. Scope:
   * `read_builds`.
   * @example
   * ```ts
   * const running = await client.builds.listAll({ state: "running" }).all();
   * ```
   */
  listAll(query: BuildQuery = {}, options?: RequestOptions): List<Build> {
    return this.api.list(buildOperations.listAll, {}, buildParameters(query), options);
  }

  /**
   * Lists the builds of the organization, newest first. With a pipeline's slug, lists only the builds of that pipeline.
   * Scope: `read_builds`.
   * @example
   * ```ts
   * const query = { state: ["running", "failing"], created_from: new Date(Date.now() - 86_400_000) };
   * for await (const build of client.builds.list(query)) console.log(build.number, build.state);
   * ```
   */
  list(query?: BuildQuery, options?: RequestOptions): List<Build>;
  /** Lists the builds of a pipeline, as {@link listForPipeline} does. */
  list(pipelineSlug: string, query?: BuildQuery, options?: RequestOptions): List<Build>;
  list(
    first: string | BuildQuery = {},
    second?: BuildQuery | RequestOptions,
    third?: RequestOptions,
  ): List<Build> {
    // The overloads tie the types of the arguments together; the implementation's signature cannot.
    if (typeof first === "string")
      return this.listForPipeline(first, second as BuildQuery | undefined, third);
    return this.api.list(
      buildOperations.list,
      {},
      buildParameters(first),
      second as RequestOptions | undefined,
    );
  }

  /**
   * Lists the builds of a pipeline, newest first. Scope: `read_builds`.
   * @throws NotFoundError if there is no such pipeline.
   * @example
   * ```ts
   * const finished = client.builds.listForPipeline("storefront", { branch: ["main", "next"], state: "finished" });
   * for await (const build of finished) console.log(build.number, build.state);
   * ```
   */
  listForPipeline(pipelineSlug: string, query: BuildQuery = {}, options?: RequestOptions): List<Build> {
    const ids = { pipeline_slug: pipelineSlug };
    return this.api.list(buildOperations.listForPipeline, ids, buildParameters(query), options);
  }

  /**
   * Reads one build. Scope: `read_builds`.
   * @throws NotFoundError if there is no such pipeline or build.
   * @example
   * ```ts
   * const build = await client.builds.get("storefront", 42, { include_retried_jobs: true });
   * ```
   */
  get(
    pipelineSlug: string,
    number: number,
    query: BuildGetQuery = {},
    options?: RequestOptions,
  ): Promise<Build> {
    const ids = { pipeline_slug: pipelineSlug, number };
    return this.api.call(buildOperations.get, ids, { query: retriedJobs(query) }, options);
  }

  /**
   * Starts a build. Scope: `write_builds`.
   * @throws ValidationError with `errors` if the API refuses a value, or with the reason if it cannot create the build.
   * @throws NotFoundError if there is no such pipeline.
   * @throws ConnectionError, TimeoutError, ServerError: the build may have been started; see `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const build = await client.builds.create("storefront", { commit: "HEAD", branch: "main", message: "Nightly" });
   * const { state } = await client.builds.follow("storefront", build.number);
   * ```
   */
  create(pipelineSlug: string, body: BuildCreate, options?: RequestOptions): Promise<Build> {
    return this.api.call(buildOperations.create, { pipeline_slug: pipelineSlug }, { body }, options);
  }

  /**
   * Cancels a build that is scheduled, running or failing. The `state` of the result is `canceled`, or `canceling`
   * until the cancellation is complete. Scope: `write_builds`.
   * @throws ValidationError with the reason if the build has ended; if `attempts` is above 1, an earlier attempt may
   * have canceled it.
   * @throws NotFoundError if there is no such pipeline or build.
   * @example
   * ```ts
   * await client.builds.cancel("storefront", 42);
   * ```
   */
  cancel(pipelineSlug: string, number: number, options?: RequestOptions): Promise<Build> {
    return this.api.call(buildOperations.cancel, { pipeline_slug: pipelineSlug, number }, {}, options);
  }

  /**
   * Starts a new build that repeats an existing build. Returns the new build, whose `rebuilt_from` names the original.
   * Scope: `write_builds`.
   * @throws NotFoundError if there is no such pipeline or build.
   * @throws ConnectionError, TimeoutError, ServerError: the build may have been started; see `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const { number } = await client.builds.rebuild("storefront", 42);
   * ```
   */
  rebuild(pipelineSlug: string, number: number, options?: RequestOptions): Promise<Build> {
    return this.api.call(buildOperations.rebuild, { pipeline_slug: pipelineSlug, number }, {}, options);
  }

  /**
   * Reads a build repeatedly until it has passed, failed or been canceled, or is blocked and waits for a person.
   * Returns the build. In an undocumented state, the build is followed until `finished_at` is set. To spare the rate
   * limit, the interval between reads grows while the build doesn't change. Scope: `read_builds`.
   * @throws FollowTimeoutError if the build has not ended within `timeoutMs`.
   * @throws The signal's reason if `signal` is aborted.
   * @throws What {@link get} throws.
   * @example
   * ```ts
   * const build = await client.builds.follow("storefront", 42, {
   *   timeoutMs: 30 * 60_000,
   *   onProgress: ({ state }) => console.log(state),
   * });
   * if (build.state !== "passed") process.exitCode = 1;
   * ```
   */
  async follow(pipelineSlug: string, number: number, options: FollowOptions = {}): Promise<Build> {
    const look = () => this.get(pipelineSlug, number, {}, { signal: options.signal });
    return follow(look, { pipeline: pipelineSlug, number, clock: this.clock }, options);
  }
}
