import type * as api from "../../client/index.js";
import { instant, positive, text } from "./invoke/arguments.js";
import { getFunction } from "./invoke/function.js";
import { LookupFailure } from "./invoke/lookup-error.js";
import { type BuildResult, readBuildResult } from "./results/entities.generated.js";

const DEFAULT_LIMIT = 100;

/** Identifies a build. */
export interface GetBuildArgs {
  /** Slug of the pipeline. */
  pipelineSlug: string;
  /** Number of the build within the pipeline. The API cannot find a build by its id. */
  number: number;
  /**
   * True if `jobs` contains every retried execution of a job, not only the latest execution of each step. Default:
   * false.
   */
  includeRetriedJobs?: boolean | undefined;
}

/**
 * A build, as the API returns it. The function returns `env`, `metaData` and `pullRequest` unchanged,
 * including their keys.
 */
export interface GetBuildResult extends BuildResult {
  /** Slug of the organization the build is in, from its API URL. */
  readonly organization?: string;
}

/** Filters for a list of builds. By default, the function lists builds of the organization. */
export interface GetBuildsArgs {
  /** Lists only builds of this pipeline. Conflicts with `allOrganizations`. */
  pipelineSlug?: string | undefined;
  /** True lists builds of every organization that the access token can reach. Default: false. */
  allOrganizations?: boolean | undefined;
  /** One branch, or several. */
  branch?: string | readonly string[] | undefined;
  /** Full commit hash. A shortened hash matches no build. */
  commit?: string | undefined;
  /** Builds created at this time or later: a Date, or ISO 8601 text. */
  createdFrom?: Date | string | undefined;
  /** Builds created before this time: a Date, or ISO 8601 text. */
  createdTo?: Date | string | undefined;
  /** Builds finished at this time or later: a Date, or ISO 8601 text. */
  finishedFrom?: Date | string | undefined;
  /** User who created the build. The format is not documented, so the function sends the value unchanged. */
  creator?: string | undefined;
  /**
   * True if `jobs` contains every retried execution of a job, not only the latest execution of each step. Default:
   * false.
   */
  includeRetriedJobs?: boolean | undefined;
  /** Builds with this meta-data, by key. */
  metaData?: { readonly [key: string]: string } | undefined;
  /** One state, or several. `finished` includes `passed`, `failed`, `blocked` and `canceled`. */
  state?: string | readonly string[] | undefined;
  /**
   * Maximum number of builds, the newest first. The function sends one request for each hundred builds. Because an
   * organization may have years of builds, there is no way to list all of them. Default: 100.
   */
  limit?: number | undefined;
}

/** Builds, the newest first, as many as the limit allows. */
export interface GetBuildsResult {
  /** The newest first. */
  readonly builds: GetBuildResult[];
  /** Slug of the organization; undefined with `allOrganizations`. */
  readonly organization?: string;
}

const byNumber = (client: api.BuildPipelineClient, pipeline: string, number: number, retried: boolean) =>
  client.builds.get(pipeline, number, { include_retried_jobs: retried });

const list = async (
  client: api.BuildPipelineClient,
  inAll: boolean,
  pipeline: string | undefined,
  query: api.BuildQuery,
  limit: number,
) => {
  const { builds } = client;
  const inOne = pipeline === undefined ? builds.list(query) : builds.listForPipeline(pipeline, query);
  const found: api.Build[] = [];
  for await (const page of (inAll ? builds.listAll(query) : inOne).pages()) {
    found.push(...page.slice(0, limit - found.length));
    if (found.length >= limit) break;
  }
  return found;
};

function read(build: api.Build): GetBuildResult {
  const slug = /\/v2\/organizations\/([^/]+)\//.exec(build.url ?? "")?.[1];
  return { ...readBuildResult(build), ...(slug !== undefined && { organization: decodeURIComponent(slug) }) };
}

function queryOf(args: GetBuildsArgs): api.BuildQuery {
  const time = (name: "createdFrom" | "createdTo" | "finishedFrom") =>
    args[name] === undefined ? undefined : instant(name, args[name]);
  return {
    branch: args.branch,
    commit: args.commit,
    created_from: time("createdFrom"),
    created_to: time("createdTo"),
    finished_from: time("finishedFrom"),
    creator: args.creator,
    include_retried_jobs: args.includeRetriedJobs,
    meta_data: args.metaData,
    state: args.state,
  };
}

/**
 * Looks up a build by its number. Scope: `read_builds`.
 * @throws LookupError if the pipeline or the build doesn't exist.
 * @example const { state, jobs } = await getBuild({ pipelineSlug: "storefront", number: 42 });
 */
export const getBuild = getFunction<GetBuildArgs, GetBuildResult>(
  "getBuild",
  async ({ get, organization }, args) => {
    const pipeline = text("pipelineSlug", args.pipelineSlug);
    const number = positive("number", args.number);
    return { organization, ...read(await get(byNumber, pipeline, number, args.includeRetriedJobs === true)) };
  },
);

/**
 * Lists builds of the organization, of one pipeline, or of all organizations, the newest first. Scope: `read_builds`.
 * @throws LookupError if the pipeline doesn't exist, the API cannot be reached, or the API refuses the request.
 * @example
 * ```ts
 * const { builds } = await getBuilds({ pipelineSlug: "storefront", branch: "main", state: "passed", limit: 1 });
 * const released = builds[0]?.commit;
 * ```
 */
export const getBuilds = getFunction<GetBuildsArgs | undefined, GetBuildsResult>(
  "getBuilds",
  async ({ get, organization }, args) => {
    const inAll = args.allOrganizations === true;
    const { pipelineSlug } = args;
    if (inAll && pipelineSlug !== undefined) {
      throw new LookupFailure(
        "give pipelineSlug or allOrganizations, not both: a pipeline is in one organization.",
      );
    }
    const pipeline = pipelineSlug === undefined ? undefined : text("pipelineSlug", pipelineSlug);
    const limit = positive("limit", args.limit ?? DEFAULT_LIMIT);
    const found = await get(list, inAll, pipeline, queryOf(args), limit);
    if (inAll) return { builds: found.map(read) };
    return { builds: found.map((each) => ({ organization, ...read(each) })), organization };
  },
);
