import type * as pulumi from "@pulumi/pulumi";
import type * as wire from "../client/index.js";
import { type InputsOf, text } from "./asking/arguments.js";
import { request } from "./asking/request.js";
import { entity, same } from "./entity-fields.js";
import { Lookup } from "./lookup.js";

/** Which run of a test suite. */
export interface GetRunArgs {
  /** Slug of the suite. */
  suiteSlug: string;
  /** UUID of the run. */
  id: string;
}

/** {@link GetRunArgs}, where each may be an Output. */
export interface GetRunOutputArgs extends InputsOf<GetRunArgs> {}

/** A run of a test suite, as the service has it (the API document, sections 2.8 and 3.2). */
export interface GetRunResult {
  /** UUID. */
  readonly id: string;
  /** Slug of the suite. */
  readonly suiteSlug: string;
  /** Slug of the organization the suite is in. */
  readonly organization: string;
  /** `running` or `finished`. A finished run is running again when more results arrive. */
  readonly state?: string;
  /** `pending`, `passed`, `failed` or `stale`. `passed` does not mean that processing is complete. */
  readonly result?: string;
  /** Branch. */
  readonly branch?: string;
  /** Full commit hash. */
  readonly commitSha?: string;
  /** API URL. */
  readonly url?: string;
  /** Address in the web interface. */
  readonly webUrl?: string;
  /** When it was created, ISO 8601 in UTC. */
  readonly createdAt?: string;
}

/** Which runs. */
export interface GetRunsArgs {
  /** Slug of the suite. */
  suiteSlug: string;
  /** Only runs of the build with this UUID. Default: all runs. */
  buildId?: string | undefined;
}

/** {@link GetRunsArgs}, where each may be an Output. */
export interface GetRunsOutputArgs extends InputsOf<GetRunsArgs> {}

/** The runs of a test suite. */
export interface GetRunsResult {
  readonly runs: GetRunResult[];
  /** Slug of the suite. */
  readonly suiteSlug: string;
  /** Slug of the organization. */
  readonly organization: string;
}

const read = entity<wire.Run, GetRunResult>({
  id: same,
  branch: same,
  commit_sha: same,
  state: same,
  result: same,
  url: same,
  web_url: same,
  created_at: same,
});

const runById = request("runs.get", (client, suite: string, id: string) => client.runs.get(suite, id));
const runsOf = request("runs.list", (client, suite: string, buildId: string | undefined) =>
  client.runs.list(suite, { build_id: buildId }).all(),
);

const run = new Lookup<GetRunArgs, GetRunResult>("getRun", async (service, args) => {
  const suiteSlug = text("suiteSlug", args.suiteSlug);
  const found = await service.ask(runById, suiteSlug, text("id", args.id));
  return { ...read(found), suiteSlug, organization: service.organization };
});

const runs = new Lookup<GetRunsArgs, GetRunsResult>("getRuns", async (service, { buildId, ...args }) => {
  const { organization } = service;
  const suiteSlug = text("suiteSlug", args.suiteSlug);
  const found = await service.ask(
    runsOf,
    suiteSlug,
    buildId === undefined ? undefined : text("buildId", buildId),
  );
  return { runs: found.map((each) => ({ ...read(each), suiteSlug, organization })), suiteSlug, organization };
});

/**
 * Looks up a run of a test suite (the API document, section 4.7). Scope: `read_suites`.
 *
 * @throws LookupError if the suite or the run is not there.
 * @example
 * ```ts
 * const { result } = await getRun({ suiteSlug: "unit-tests", id: runUuid });
 * ```
 */
export function getRun(args: GetRunArgs, opts?: pulumi.InvokeOptions): Promise<GetRunResult> {
  return run.now(args, opts);
}

/**
 * {@link getRun} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 */
export function getRunOutput(
  args: GetRunOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetRunResult> {
  return run.output(args, opts);
}

/**
 * Lists the runs of a test suite, or those of one build (the API document, section 4.7). Scope: `read_suites`.
 *
 * @throws LookupError if the service cannot be asked.
 * @example
 * ```ts
 * const { runs } = await getRuns({ suiteSlug: "unit-tests", buildId });
 * const failed = runs.filter(({ result }) => result === "failed");
 * ```
 */
export function getRuns(args: GetRunsArgs, opts?: pulumi.InvokeOptions): Promise<GetRunsResult> {
  return runs.now(args, opts);
}

/**
 * {@link getRuns} for arguments that are Outputs: unknown at preview as long as they are, or `opts.dependsOn` is not
 * there yet.
 * @example
 * ```ts
 * const { runs } = getRunsOutput({ suiteSlug: unit.slug });
 * ```
 */
export function getRunsOutput(
  args: GetRunsOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetRunsResult> {
  return runs.output(args, opts);
}
