import type { Dispatcher } from "undici";
import {
  CONFIG_NAMESPACE,
  type Connection,
  ENVIRONMENT,
  parseConnection,
} from "../configuration/settings.js";
import { type Clock, systemClock } from "./clock.js";
import { ConfigurationError } from "./errors/configuration-error.js";
import type { ClientEvent, IncomingResponse, OutgoingRequest } from "./events.js";
import { integerProblem } from "./integer.js";

/** How to reach the service, and how to behave. */
export interface BuildPipelineClientOptions {
  /**
   * The API access token, sent as `Authorization: Bearer …` to `baseUrl`'s origin and nowhere else (section 5).
   * Default: the environment's `BUILDPIPELINE_ACCESS_TOKEN`.
   */
  accessToken?: string | undefined;
  /** Slug of the organization, as in its web addresses: `acme`. Default: the environment's `BUILDPIPELINE_ORGANIZATION`. */
  organization?: string | undefined;
  /**
   * The service's base address, such as `https://api.example.com`; a slash or `/v2` at its end is ignored. Default:
   * the environment's `BUILDPIPELINE_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /** Allows plain http to other machines than this one. Default false: the access token would travel in the clear. */
  allowInsecureHttp?: boolean | undefined;
  /** Value of the `User-Agent` header. Default `pulumi-buildpipeline`. */
  userAgent?: string | undefined;
  /** Milliseconds one try of a request may take, from connecting to the last byte. Default 30 000. Measured in real time. */
  timeoutMs?: number | undefined;
  /**
   * How often a request that failed in a passing way is sent again. Default 4; fewer when many fail at once. Waits for
   * the service's request limit come on top; 0 also turns those off.
   */
  maxRetries?: number | undefined;
  /** Requests on their way at once; others wait for their turn. Default 16. */
  concurrency?: number | undefined;
  /** The network: an undici dispatcher of your own, such as a proxy agent. It must not repeat or redirect requests, and you close it. */
  dispatcher?: Dispatcher | undefined;
  /**
   * Milliseconds that one call waits altogether for the service's request limits; a call that would have to wait
   * longer ends with a {@link RateLimitError}. Default 900 000, a quarter of an hour.
   */
  maxRateLimitWaitMs?: number | undefined;
  /**
   * Called before each try of a request, after every wait for it and immediately before it is sent. If it throws or
   * rejects, nothing is sent and the call ends with that error.
   */
  beforeSend?: ((request: OutgoingRequest) => void | Promise<void>) | undefined;
  /** Called after each response, before the call continues: for each try and each page. An error that it throws ends the call. */
  onResponse?: ((response: IncomingResponse) => void) | undefined;
  /** Randomness of waits, from 0 to below 1. Default `Math.random`. */
  random?: (() => number) | undefined;
  /** Time for waits between requests. Default real time. */
  clock?: Clock | undefined;
  /** Called before waits (for a retry, for a request limit), for progress output. An error that it throws ends the call. */
  onEvent?: ((event: ClientEvent) => void) | undefined;
}

/** Options with everything checked and filled in. */
export interface CheckedOptions extends Connection {
  readonly userAgent: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly concurrency: number;
  readonly dispatcher: Dispatcher | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxRateLimitWaitMs: number;
  readonly onEvent: (event: ClientEvent) => void;
  readonly beforeSend: (request: OutgoingRequest) => void | Promise<void>;
  readonly onResponse: (response: IncomingResponse) => void;
}

/** Checks the options; throws {@link ConfigurationError}. */
export function checkOptions(options: BuildPipelineClientOptions): CheckedOptions {
  const { connection, problems } = parseConnection((name) => options[name], process.env, options);
  const [problem] = problems;
  if (problem !== undefined) {
    const { setting, kind, words } = problem;
    const insecurely = kind === "insecure" ? " Or set allowInsecureHttp to accept that." : "";
    throw new ConfigurationError(
      setting,
      `${words}.${insecurely} Set ${ENVIRONMENT[setting]}, or ${CONFIG_NAMESPACE}:${setting} in the stack's ` +
        `configuration, or pass ${setting}.`,
    );
  }
  return {
    ...connection,
    userAgent: line("userAgent", options.userAgent ?? "pulumi-buildpipeline"),
    timeoutMs: integer("timeoutMs", options.timeoutMs ?? 30_000, 1),
    maxRetries: integer("maxRetries", options.maxRetries ?? 4, 0),
    concurrency: integer("concurrency", options.concurrency ?? 16, 1),
    dispatcher: options.dispatcher,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    maxRateLimitWaitMs: integer("maxRateLimitWaitMs", options.maxRateLimitWaitMs ?? 15 * 60_000, 0),
    beforeSend: options.beforeSend ?? (() => {}),
    onEvent: options.onEvent ?? (() => {}),
    onResponse: options.onResponse ?? (() => {}),
  };
}

function line(option: string, value: string): string {
  if (/^[\x20-\x7e]+$/.test(value)) return value;
  throw new ConfigurationError(option, "must be one line of ASCII text.");
}

function integer(option: string, value: number, least: number): number {
  const problem = integerProblem(value, least);
  if (problem !== undefined) throw new ConfigurationError(option, `${problem}.`);
  return value;
}
