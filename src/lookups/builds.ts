import type * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import type { EmbeddedUser } from "../resources/embedded-user.js";
import { type InputsOf, instant, positive, text } from "./asking/arguments.js";
import { Obstacle } from "./asking/obstacle.js";
import { request } from "./asking/request.js";
import { each, entity, same, user } from "./entity-fields.js";
import { type GetBuildJob, readJob } from "./jobs.js";
import { Lookup } from "./lookup.js";
import { type GetBuildPipeline, readPipeline } from "./pipelines.js";

/** How many builds a list gives when it does not say. */
const DEFAULT_LIMIT = 100;

/** Which build. */
export interface GetBuildArgs {
  /** Slug of the pipeline. */
  pipelineSlug: string;
  /** Number of the build within the pipeline. Not its id: the API cannot find a build by that. */
  number: number;
  /** Whether `jobs` has every retried execution, not only the latest of each step. Default: false. */
  includeRetriedJobs?: boolean | undefined;
}

/** {@link GetBuildArgs}, where each may be an Output. */
export interface GetBuildOutputArgs extends InputsOf<GetBuildArgs> {}

/** The build that another one repeats. */
export interface GetBuildRebuiltFrom {
  /** UUID. */
  readonly id?: string;
  readonly number?: number;
  /** API URL. */
  readonly url?: string;
}

/**
 * A build, as the service has it (the API document, sections 2.11, 2.12 and 3.3). `env`, `metaData` and
 * `pullRequest` are as the service gives them, their keys included.
 */
export interface GetBuildResult {
  /** UUID, unique across the whole service. */
  readonly id: string;
  /** Unique within the pipeline, growing, with gaps. */
  readonly number: number;
  /**
   * Documented: `scheduled`, `running`, `failing`, `passed`, `failed`, `blocked`, `canceled`. The full list is not
   * documented.
   */
  readonly state: string;
  /** Slug of the organization the build is in, from its API URL. */
  readonly organization?: string;
  /** Whether it waits for a person; `state` then keeps its last value. */
  readonly blocked?: boolean;
  readonly cancelReason?: string;
  readonly message?: string;
  readonly commit?: string;
  readonly branch?: string;
  /** Environment variables of the build. Whoever starts builds can put anything there: take care where it goes. */
  readonly env?: { readonly [name: string]: string };
  /** What started it; the values are not documented. */
  readonly source?: string;
  /** Who started it. */
  readonly creator?: EmbeddedUser;
  readonly jobs?: GetBuildJob[];
  /** When the build was created, or its upload ran, ISO 8601 in UTC. */
  readonly createdAt?: string;
  /** When the build was created; copied from the uploading job for uploaded pipelines. */
  readonly scheduledAt?: string;
  /** When its first job was started; undefined before. */
  readonly startedAt?: string;
  /** When it was marked finished; undefined before. */
  readonly finishedAt?: string;
  readonly metaData?: { readonly [key: string]: unknown };
  /** Its form is not documented. */
  readonly pullRequest?: unknown;
  /** Undefined unless this is a rebuild. */
  readonly rebuiltFrom?: GetBuildRebuiltFrom;
  readonly pipeline?: GetBuildPipeline;
  /** Opaque id for the service's GraphQL interface. */
  readonly graphqlId?: string;
  /** API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
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
  /** Whether `jobs` has every retried execution, not only the latest of each step. Default: false. */
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

/** {@link GetBuildsArgs}, where each may be an Output. A Date is given as it is. */
export interface GetBuildsOutputArgs extends InputsOf<GetBuildsArgs> {}

/** Builds, the newest first, as many as the limit allows. */
export interface GetBuildsResult {
  readonly builds: GetBuildResult[];
  /** Slug of the organization that was asked; undefined for `allOrganizations`. */
  readonly organization?: string;
}

const fields = entity<wire.Build, GetBuildResult>({
  id: same,
  graphql_id: same,
  url: same,
  web_url: same,
  number: same,
  state: same,
  cancel_reason: same,
  blocked: same,
  message: same,
  commit: same,
  branch: same,
  env: same,
  source: same,
  creator: user,
  jobs: each(readJob),
  created_at: same,
  scheduled_at: same,
  started_at: same,
  finished_at: same,
  meta_data: same,
  pull_request: same,
  rebuilt_from: entity<wire.RebuiltFrom, GetBuildRebuiltFrom>({ id: same, number: same, url: same }),
  pipeline: readPipeline,
});

function read(build: wire.Build): GetBuildResult {
  const slug = /\/v2\/organizations\/([^/]+)\//.exec(build.url ?? "")?.[1];
  return { ...fields(build), ...(slug !== undefined && { organization: decodeURIComponent(slug) }) };
}

type Scope = { readonly all: true } | { readonly pipeline: string | undefined };

const buildByNumber = request("builds.get", (client, pipeline: string, number: number, retried: boolean) =>
  client.builds.get(pipeline, number, { include_retried_jobs: retried }),
);

const someBuilds = request(
  "builds.list",
  async (client, scope: Scope, query: wire.BuildQuery, limit: number) => {
    const { builds: api } = client;
    const list =
      "all" in scope
        ? api.listAll(query)
        : scope.pipeline === undefined
          ? api.list(query)
          : api.listForPipeline(scope.pipeline, query);
    const found: wire.Build[] = [];
    for await (const page of list.pages()) {
      found.push(...page.slice(0, limit - found.length));
      if (found.length >= limit) break;
    }
    return found;
  },
);

const build = new Lookup<GetBuildArgs, GetBuildResult>("getBuild", async (service, args) => {
  const pipeline = text("pipelineSlug", args.pipelineSlug);
  const number = positive("number", args.number);
  const { organization } = service;
  return {
    organization,
    ...read(await service.ask(buildByNumber, pipeline, number, args.includeRetriedJobs === true)),
  };
});

const builds = new Lookup<GetBuildsArgs, GetBuildsResult>("getBuilds", async (service, args) => {
  const { organization } = service;
  const scope = scopeOf(args);
  const limit = positive("limit", args.limit ?? DEFAULT_LIMIT);
  const found = await service.ask(someBuilds, scope, queryOf(args), limit);
  if ("all" in scope) return { builds: found.map(read) };
  return { builds: found.map((each) => ({ organization, ...read(each) })), organization };
});

function scopeOf({ pipelineSlug, allOrganizations }: GetBuildsArgs): Scope {
  if (allOrganizations !== true) {
    return { pipeline: pipelineSlug === undefined ? undefined : text("pipelineSlug", pipelineSlug) };
  }
  if (pipelineSlug === undefined) return { all: true };
  throw new Obstacle("give pipelineSlug or allOrganizations, not both: a pipeline is in one organization.");
}

function queryOf(args: GetBuildsArgs): wire.BuildQuery {
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

/**
 * Looks up a build by its number (the API document, section 4.11). Scope: `read_builds`.
 *
 * @throws LookupError if the pipeline or the build is not there.
 * @example
 * ```ts
 * const { state, jobs } = await getBuild({ pipelineSlug: "storefront", number: 42 });
 * ```
 */
export function getBuild(args: GetBuildArgs, opts?: pulumi.InvokeOptions): Promise<GetBuildResult> {
  return build.now(args, opts);
}

/**
 * {@link getBuild} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 */
export function getBuildOutput(
  args: GetBuildOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBuildResult> {
  return build.output(args, opts);
}

/**
 * Lists builds, the newest first: of the organization, of one pipeline, or of all organizations (the API document,
 * section 4.11). Scope: `read_builds`.
 *
 * @throws LookupError if the pipeline is not there, or the service cannot be asked.
 * @example
 * ```ts
 * const { builds } = await getBuilds({ pipelineSlug: "storefront", branch: "main", state: "passed", limit: 1 });
 * const released = builds[0]?.commit;
 * ```
 */
export function getBuilds(args: GetBuildsArgs = {}, opts?: pulumi.InvokeOptions): Promise<GetBuildsResult> {
  return builds.now(args, opts);
}

/**
 * {@link getBuilds} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is
 * not there yet.
 */
export function getBuildsOutput(
  args: GetBuildsOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetBuildsResult> {
  return builds.output(args, opts);
}
