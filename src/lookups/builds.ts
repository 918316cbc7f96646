import type * as api from "../client/index.js";
import { instant, type OutputArguments, optionalText, positive, text } from "./invoke/arguments.js";
import { getFunction } from "./invoke/function.js";
import { LookupFailure } from "./invoke/lookup-error.js";
import { type BuildResult, readBuildResult } from "./results/entities.js";

/** How many builds a list gives when it does not say. */
const DEFAULT_LIMIT = 100;

/** Which build. */
export interface GetBuildArgs {
  /** Slug of the pipeline. */
  pipelineSlug: string;
  /** Number of the build within the pipeline. Not its id: the API cannot find a build by that. */
  number: number;
  /** True if `jobs` has every retried execution, not only the latest of each step. Default: false. */
  includeRetriedJobs?: boolean | undefined;
}

/** {@link GetBuildArgs}, where each may be an Output. */
export interface GetBuildOutputArgs extends OutputArguments<GetBuildArgs> {}

/**
 * A build, as the service has it. `env`, `metaData` and
 * `pullRequest` are as the service gives them, their keys included.
 */
export interface GetBuildResult extends BuildResult {
  /** Slug of the organization the build is in, from its API URL. */
  readonly organization?: string;
}

/** Which builds. Without `pipelineSlug` and `allOrganizations`: those of the organization. */
export interface GetBuildsArgs {
  /** Only builds of this pipeline. Not together with `allOrganizations`. */
  pipelineSlug?: string | undefined;
  /** Builds of every organization that the access token can reach. Default: false. */
  allOrganizations?: boolean | undefined;
  /** One branch, or several. */
  branch?: string | readonly string[] | undefined;
  /** A full commit hash: shortened ones match nothing. */
  commit?: string | undefined;
  /** Builds created at this time or later: a Date, or ISO 8601 text. */
  createdFrom?: Date | string | undefined;
  /** Builds created before this time: a Date, or ISO 8601 text. */
  createdTo?: Date | string | undefined;
  /** Builds finished at this time or later: a Date, or ISO 8601 text. */
  finishedFrom?: Date | string | undefined;
  /** The user who created the build; its form is not documented, so it is passed on as given. */
  creator?: string | undefined;
  /** True if `jobs` has every retried execution, not only the latest of each step. Default: false. */
  includeRetriedJobs?: boolean | undefined;
  /** Builds with this meta-data, by key. */
  metaData?: { readonly [key: string]: string } | undefined;
  /** One state, or several. `finished` stands for `passed`, `failed`, `blocked` and `canceled`. */
  state?: string | readonly string[] | undefined;
  /**
   * How many builds at most, the newest first; each hundred is one request. An organization has years of builds, so
   * there is no way to ask for all. Default: 100.
   */
  limit?: number | undefined;
}

/** {@link GetBuildsArgs}, where each may be an Output. */
export interface GetBuildsOutputArgs extends OutputArguments<GetBuildsArgs> {}

/** Builds, the newest first, as many as the limit allows. */
export interface GetBuildsResult {
  /** The newest first. */
  readonly builds: GetBuildResult[];
  /** Slug of the organization that was asked; undefined for `allOrganizations`. */
  readonly organization?: string;
}

const byNumber = (client: api.BuildPipelineClient, pipeline: string, number: number, retried: boolean) =>
  client.builds.get(pipeline, number, { include_retried_jobs: retried });

/** The builds of all organizations, of a pipeline, or of the organization. */
interface Scope {
  readonly all: boolean;
  readonly pipeline: string | undefined;
}

async function list(client: api.BuildPipelineClient, scope: Scope, query: api.BuildQuery, limit: number) {
  const { all, pipeline } = scope;
  const { builds } = client;
  const ofOne = pipeline === undefined ? builds.list(query) : builds.listForPipeline(pipeline, query);
  const found: api.Build[] = [];
  for await (const page of (all ? builds.listAll(query) : ofOne).pages()) {
    found.push(...page.slice(0, limit - found.length));
    if (found.length >= limit) break;
  }
  return found;
}

const build = getFunction<GetBuildArgs, GetBuildOutputArgs, GetBuildResult>(
  "getBuild",
  async ({ get, organization }, args) => {
    const pipeline = text("pipelineSlug", args.pipelineSlug);
    const number = positive("number", args.number);
    return { organization, ...read(await get(byNumber, pipeline, number, args.includeRetriedJobs === true)) };
  },
);

const builds = getFunction<GetBuildsArgs | undefined, GetBuildsOutputArgs | undefined, GetBuildsResult>(
  "getBuilds",
  async ({ get, organization }, args) => {
    const scope = scopeOf(args);
    const limit = positive("limit", args.limit ?? DEFAULT_LIMIT);
    const found = await get(list, scope, queryOf(args), limit);
    if (scope.all) return { builds: found.map(read) };
    return { builds: found.map((each) => ({ organization, ...read(each) })), organization };
  },
);

function read(build: api.Build): GetBuildResult {
  const slug = /\/v2\/organizations\/([^/]+)\//.exec(build.url ?? "")?.[1];
  return { ...readBuildResult(build), ...(slug !== undefined && { organization: decodeURIComponent(slug) }) };
}

function scopeOf({ pipelineSlug, allOrganizations }: GetBuildsArgs): Scope {
  const all = allOrganizations === true;
  if (all && pipelineSlug !== undefined) {
    throw new LookupFailure(
      "give pipelineSlug or allOrganizations, not both: a pipeline is in one organization.",
    );
  }
  return { all, pipeline: optionalText("pipelineSlug", pipelineSlug) };
}

function queryOf(args: GetBuildsArgs): api.BuildQuery {
  const time = (name: "createdFrom" | "createdTo" | "finishedFrom") => {
    const given = args[name];
    return given === undefined ? undefined : instant(name, given);
  };
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

export default [build, builds];

/**
 * Looks up a build by its number. Scope: `read_builds`.
 *
 * @throws LookupError if the pipeline or the build is not there.
 * @example
 * ```ts
 * const { state, jobs } = await getBuild({ pipelineSlug: "storefront", number: 42 });
 * ```
 */
export const getBuild = build.plain;

/** {@link getBuild} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is. */
export const getBuildOutput = build.output;

/**
 * Lists builds, the newest first: of the organization, of one pipeline, or of all organizations. Scope: `read_builds`.
 *
 * @throws LookupError if the pipeline is not there, or the service cannot be asked.
 * @example
 * ```ts
 * const { builds } = await getBuilds({ pipelineSlug: "storefront", branch: "main", state: "passed", limit: 1 });
 * const released = builds[0]?.commit;
 * ```
 */
export const getBuilds = builds.plain;

/** {@link getBuilds} for Outputs: unknown in a preview as long as an argument or `opts.dependsOn` is. */
export const getBuildsOutput = builds.output;
