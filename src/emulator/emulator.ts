import type { AgentRecord } from "./agents.js";
import type { BuildRecord } from "./builds/build.js";
import type { FinishedJobs } from "./builds/work.js";
import type { Fault, FaultRule, FaultTarget } from "./http/faults.js";
import type { RateLimits } from "./http/limits.js";
import type { RecordedRequest } from "./http/request-log.js";
import type { UserRecord } from "./model/entity.js";
import type { Variations } from "./model/variations.js";
import type { NewPipeline, PipelineRecord } from "./pipelines/record.js";
import type { RunRecord, TestResults } from "./runs.js";
import type { OrganizationData } from "./store/collection.js";
import type { Snapshot } from "./store/store.js";

/** How an emulator is started. Everything may be left out. */
export interface EmulatorOptions {
  /** A loopback address, because the emulator's access tokens don't protect it. Default `127.0.0.1`. */
  host?: string;
  /** 0 takes any free port. Default 0. */
  port?: number;
  /**
   * The file for the state, a SQLite database: made when it is not there, continued when it is. It holds secrets in
   * plain text. One emulator at a time. Without it everything is in memory.
   */
  data?: string;
  /**
   * True if a new organization starts with objects that the API can't create. These are a pipeline `storefront` and its
   * builds, three agents, a second member, and runs of a suite. Default true. The organization, its access tokens and
   * their user always exist.
   */
  seed?: boolean;
  /** The organization's slug: lower-case letters, digits and hyphens. Default `acme`, or what the file has. */
  organization?: string;
  /**
   * Rate limits: `real` is 200 a minute for the organization and 50 for a user. Default `off`, which also
   * leaves the rate-limit headers out.
   */
  limits?: "off" | "real" | RateLimits;
  /** Where all times and limit windows come from. Default: real time. */
  clock?: () => Date;
  /**
   * Has agents work by themselves: an idle agent takes the next job of its queue, and each job passes after this many
   * seconds of `clock`. Default: jobs move when a test says so (`dispatchJobs`, `finishJobs`, `moveJob`).
   */
  jobSeconds?: number;
  /**
   * For how many seconds of `clock` after a creation the reads and lists of objects lack the new one, and reads what is in
   * it, as those of a service do whose replicas lag behind. Default 0.
   */
  readLagSeconds?: number;
  /**
   * The address from which requests seem to come, so that the API settings' allowed addresses refuse them with 403 as a service
   * does. Default: none, and every list allows them, because they come from this machine.
   */
  callerAddress?: string;
  /** Answers to questions that the API's documentation leaves open. They come before those of `like`. */
  variations?: Partial<Variations>;
  /** What `buildpipeline probe --json` printed of a live service: the emulator then gives the same answers. */
  like?: { readonly answers: Readonly<Record<string, unknown>> };
}

/** A build by its id, or by pipeline and number as the API has it. */
export type BuildReference = string | { readonly pipeline: string; readonly number: number };

/** An access token to be made. */
export interface NewAccessToken {
  /** Scopes, such as `read_clusters`. */
  scopes: readonly string[];
  /** The id of its user. Default: the user of the emulator's own tokens. */
  userId?: string;
  /**
   * True if the user administers the organization. Other users can't read or manage unavailable pipeline templates, and
   * can't stop agents. They write a pipeline, team or cluster only with its full access, or as its maintainer. Default
   * true.
   */
  admin?: boolean;
  /** True if it can read secret teams without its user as a member. Default true. */
  seesSecretTeams?: boolean;
  /** True if it can read pipelines that none of its user's teams has. Default true. */
  seesAllPipelines?: boolean;
  /** When it ends, in ISO 8601. Default: never. */
  expiresAt?: string;
}

/** An operation that is carried out without a request. */
export interface PerformedCall {
  /** Values for the placeholders of its path, as `{ id: "…" }`. The organization's slug is known. */
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Access token of the creator. Default: the one with all scopes. */
  readonly accessToken?: string;
}

/**
 * The service, running on this machine. Everything the API does not offer and a test needs is here: what agents,
 * colleagues and the service's own machinery would do.
 *
 * @example
 * const emulator = await startEmulator();
 * const client = new BuildPipelineClient({
 *   baseUrl: emulator.url,
 *   accessToken: emulator.accessToken,
 *   organization: emulator.organization,
 * });
 * emulator.fault({ operation: "agentTokens.create", when: "after", action: "drop" });
 * await emulator.close();
 */
export interface Emulator {
  /** The base address: no slash and no `/v2` at its end. */
  readonly url: string;
  /** The address of the organization as a page. It has a secret, so that no other user of the machine can open it. */
  readonly pageUrl: string;
  /** The organization's slug. */
  readonly organization: string;
  /** An access token with all scopes. */
  readonly accessToken: string;
  /** An access token with the scopes that read, only. */
  readonly readOnlyAccessToken: string;
  /** One more access token with all scopes, to be revoked. */
  readonly spareAccessToken: string;

  /** The requests so far, oldest first (the latest 50,000 at most). */
  readonly requests: readonly RecordedRequest[];
  /** Forgets the requests so far. */
  clearRequests(): void;

  /** Makes requests go wrong. Without `times` it is the next matching one. */
  fault(rule: FaultRule): Fault;

  /**
   * Calls `listener` when a request with a valid access token arrives, before any work for it. A test can change
   * something between two requests this way. Returns a function that removes the listener.
   */
  onRequest(listener: (request: FaultTarget) => void): () => void;
  /**
   * Carries out an operation at once, as a colleague would: without the network, limits and faults. @throws if there is
   * no such operation
   */
  perform(operation: string, call?: PerformedCall): { readonly status: number; readonly body: unknown };
  /** Does all work that faults have postponed (`workAfterMs`). Returns how many requests that completes. */
  finishLateWork(): number;

  /** Data of the service, to read and to change without the API. */
  readonly organizationData: OrganizationData;

  /** Makes an access token and returns its secret. */
  createAccessToken(token: NewAccessToken): string;
  /** Has an access token rejected from now on. @throws when there is none with this secret. */
  revokeAccessToken(secret: string): void;
  /** Adds a member to the organization. */
  addMember(member: { name: string; email: string }): UserRecord;

  /** Adds a pipeline, for which builds can then be created. */
  createPipeline(pipeline: NewPipeline): PipelineRecord;
  /**
   * Brings a build to a state: `running`, `failing`, `passed`, `failed`, `blocked`, `canceled`, `scheduled`. Its
   * jobs, its times and the agents that run it follow. A blocked build keeps its last state and is `blocked`.
   * Any other word becomes the state and nothing else changes. @throws when there is no such build.
   */
  moveBuild(build: BuildReference, state: string): BuildRecord;
  /** Brings a job to a state (`running`, `passed`, `failed` …); its build follows. @throws when there is no such job. */
  moveJob(jobId: string, state: string): BuildRecord;
  /** Runs a finished job again, in addition to its first execution. @throws if there is no such finished job. */
  retryJob(jobId: string): BuildRecord;
  /**
   * Has each idle agent take a job that waits for its queue, the oldest first; agents of a paused queue take none. A
   * job's pipeline needs a `clusterId`; the job goes to the queue that its step's `agents` name (`queue=small`), else to
   * the cluster's default queue. Returns how many jobs started. With the option `jobSeconds` this happens by itself.
   */
  dispatchJobs(): number;
  /** Ends running jobs, those that started first at the front. Returns how many ended. */
  finishJobs(which?: FinishedJobs): number;

  /**
   * Adds a connected agent, or connects the one with this id again. Over HTTP, `POST /v3/register` of the agent API does it.
   * @throws if `token` is the secret of no agent token, or of a revoked one
   */
  connectAgent(agent?: {
    id?: string;
    name?: string;
    hostname?: string;
    version?: string;
    priority?: number;
    metaData?: readonly string[];
    /** The queue it takes jobs from. */
    queueId?: string;
    /** Secret of the agent token that it connects with. Default: it connects without a check. */
    token?: string;
  }): AgentRecord;
  /** Disconnects an agent. @throws when there is none with this id. */
  disconnectAgent(id: string): AgentRecord;

  /** Starts a run of a suite: `running`, with a result that is `pending`. @throws when there is no such suite. */
  createRun(suiteSlug: string, run?: { branch?: string; commitSha?: string; buildId?: string }): RunRecord;
  /** Has test results reach a run: it is running again, and its result follows. */
  uploadResults(runId: string, results: TestResults): RunRecord;
  /** Ends the processing of a run's uploads: it is `finished`. */
  finishRun(runId: string): RunRecord;
  /** Lets the time for results run out: a result that is `pending` becomes `stale`. */
  expireRun(runId: string): RunRecord;

  /** Everything the service remembers now, to come back to. */
  snapshot(): Snapshot;
  /** Comes back to a state. Requests and faults stay. */
  restore(snapshot: Snapshot): void;
  /**
   * Comes back to the state a new organization has, with the same access tokens (valid again). Faults, requests
   * and counted limits are cleared.
   */
  reset(): Promise<void>;
  /** Ends the emulator: all connections are closed at once, the data file is free again. */
  close(): Promise<void>;
}
