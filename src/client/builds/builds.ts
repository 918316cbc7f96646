import { type Api, type RequestOptions, Section } from "../api/api.js";
import type { List } from "../api/list.js";
import { operations } from "../api/operation.js";
import type { Clock } from "../transport/options.js";
import { type Build, buildSchema } from "./build.js";
import { type FollowOptions, follow } from "./follow.js";

/**
 * States to filter by; `finished` includes `passed`, `failed`, `blocked` and `canceled`. The client also sends other
 * values.
 */
export type BuildStateFilter =
  | "scheduled"
  | "running"
  | "failing"
  | "passed"
  | "failed"
  | "blocked"
  | "canceled"
  | "finished"
  | (string & {});

/** Filters for a list of builds. */
export interface BuildQuery {
  /** One branch, or several. */
  branch?: string | readonly string[] | undefined;
  /** Full commit hash. A shortened hash matches no build. */
  commit?: string | undefined;
  /** Builds created at this time or later: a Date, or ISO 8601 text. */
  created_from?: Date | string | undefined;
  /** Builds created before this time: a Date, or ISO 8601 text. */
  created_to?: Date | string | undefined;
  /** Builds finished at this time or later: a Date, or ISO 8601 text. */
  finished_from?: Date | string | undefined;
  /** User who created the build. The format is not documented, so the client sends the value unchanged. */
  creator?: string | undefined;
  /** True includes every retried execution of a job, not only the latest execution of each step. */
  include_retried_jobs?: boolean | undefined;
  /** Lists only builds with this meta-data, by key. */
  meta_data?: Readonly<Record<string, string>> | undefined;
  /** One state, or several. */
  state?: BuildStateFilter | readonly BuildStateFilter[] | undefined;
}

/** Options for reading one build. */
export interface BuildGetQuery {
  /** True includes every retried execution of a job, not only the latest execution of each step. */
  include_retried_jobs?: boolean | undefined;
}

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

/** @internal */
export const buildOperations = operations("builds", {
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
export class Builds extends Section {
  /** @internal */
  constructor(
    api: Api,
    private readonly clock: Clock,
  ) {
    super(api);
  }

  /**
   * Lists the builds of all organizations and pipelines that the access token can reach, newest first. Scope:
   * `read_builds`.
   * @example const running = await client.builds.listAll({ state: "running" }).all();
   */
  listAll(query: BuildQuery = {}, options?: RequestOptions): List<Build> {
    return this.api.list(buildOperations.listAll, [], options, buildParameters(query));
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
      [],
      second as RequestOptions | undefined,
      buildParameters(first),
    );
  }

  /**
   * Lists the builds of a pipeline, newest first. Scope: `read_builds`.
   * @example
   * ```ts
   * const finished = client.builds.listForPipeline("storefront", { branch: ["main", "next"], state: "finished" });
   * for await (const build of finished) console.log(build.number, build.state);
   * ```
   */
  listForPipeline(pipelineSlug: string, query: BuildQuery = {}, options?: RequestOptions): List<Build> {
    return this.api.list(buildOperations.listForPipeline, [pipelineSlug], options, buildParameters(query));
  }

  /**
   * Reads one build. Scope: `read_builds`.
   * @example const build = await client.builds.get("storefront", 42, { include_retried_jobs: true });
   */
  get(
    pipelineSlug: string,
    number: number,
    query: BuildGetQuery = {},
    options?: RequestOptions,
  ): Promise<Build> {
    return this.api.call(buildOperations.get, [pipelineSlug, number], options, retriedJobs(query));
  }

  /**
   * Starts a build. Scope: `write_builds`.
   * @throws ValidationError with `errors` if the API refuses a value, or with the reason if it cannot create the build.
   * @throws ConnectionError, TimeoutError, ServerError: the build may have been started; see `mayHaveBeenCarriedOut`.
   * @example
   * ```ts
   * const build = await client.builds.create("storefront", { commit: "HEAD", branch: "main", message: "Nightly" });
   * const { state } = await client.builds.follow("storefront", build.number);
   * ```
   */
  create(pipelineSlug: string, body: BuildCreate, options?: RequestOptions): Promise<Build> {
    return this.api.call(buildOperations.create, [pipelineSlug], options, body);
  }

  /**
   * Cancels a build that is scheduled, running or failing. The `state` of the result is `canceled`, or `canceling`
   * until the cancellation is complete. Scope: `write_builds`.
   * @throws ValidationError with the reason if the build has ended; if `attempts` is above 1, an earlier attempt may
   * have canceled it.
   * @example await client.builds.cancel("storefront", 42);
   */
  cancel(pipelineSlug: string, number: number, options?: RequestOptions): Promise<Build> {
    return this.api.call(buildOperations.cancel, [pipelineSlug, number], options);
  }

  /**
   * Starts a new build that repeats an existing build. Returns the new build, whose `rebuilt_from` names the original.
   * Scope: `write_builds`.
   * @throws ConnectionError, TimeoutError, ServerError: the build may have been started; see `mayHaveBeenCarriedOut`.
   * @example const { number } = await client.builds.rebuild("storefront", 42);
   */
  rebuild(pipelineSlug: string, number: number, options?: RequestOptions): Promise<Build> {
    return this.api.call(buildOperations.rebuild, [pipelineSlug, number], options);
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

/** Returns the documented parameters of a build list, so that the client sends no others. */
function buildParameters(query: BuildQuery) {
  const { branch, commit, created_from, created_to, finished_from, creator, meta_data, state } = query;
  const filters = { branch, commit, created_from, created_to, finished_from, creator };
  return { ...filters, ...retriedJobs(query), meta_data, state };
}

/** The API reads any value of the parameter as true, so the client omits the parameter for false. */
function retriedJobs({ include_retried_jobs }: BuildGetQuery) {
  return include_retried_jobs === true ? { include_retried_jobs } : {};
}
