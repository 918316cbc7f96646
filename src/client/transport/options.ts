import type { Dispatcher } from "undici";
import { CONFIG_NAMESPACE, ENVIRONMENT, parseConnection } from "../../shared/configuration/settings.js";
import { ConfigurationError } from "../errors/invalid-input.js";
import { type Clock, systemClock } from "./clock.js";
import type { ClientEvent, IncomingResponse, OutgoingRequest } from "./events.js";

/** Settings of a client. */
export interface BuildPipelineClientOptions {
  /**
   * The API access token, sent as `Authorization: Bearer …` to the origin of `baseUrl` only. Default: the environment's
   * `BUILDPIPELINE_ACCESS_TOKEN`.
   */
  accessToken?: string | undefined;
  /**
   * Slug of the organization, as in its web addresses: `acme`. Default: the environment's
   * `BUILDPIPELINE_ORGANIZATION`.
   */
  organization?: string | undefined;
  /**
   * The API's base address, such as `https://api.example.com`; a slash or `/v2` at its end is ignored. Default:
   * the environment's `BUILDPIPELINE_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /** Allows plain http to other machines, which sends the access token unencrypted. Default: false. */
  allowInsecureHttp?: boolean | undefined;
  /** Value of the `User-Agent` header. Default: `pulumi-buildpipeline`. */
  userAgent?: string | undefined;
  /**
   * Longest time for one attempt of a request, from connecting to the last byte, in real milliseconds. Default:
   * 30,000.
   */
  timeoutMs?: number | undefined;
  /**
   * Maximum number of times that the client repeats a request after temporary failures. Default: 4, and fewer if many
   * requests fail at the same time. Waits for the rate limit don't use up repetitions, but with 0 the client doesn't
   * wait for the rate limit either.
   */
  maxRetries?: number | undefined;
  /** Maximum number of concurrent requests. Default: 16. */
  concurrency?: number | undefined;
  /**
   * An undici dispatcher, such as a proxy agent. It must not repeat or redirect requests. The client never closes it.
   */
  dispatcher?: Dispatcher | undefined;
  /**
   * Maximum time that one call waits for rate limits, in milliseconds. A call that needs a longer wait fails with a
   * {@link RateLimitError}. Default: 900,000 (15 minutes).
   */
  maxRateLimitWaitMs?: number | undefined;
  /**
   * Called immediately before each attempt of a request is sent, after all waits. If this function throws or rejects,
   * the client sends nothing and the call fails with that error.
   */
  beforeSend?: ((request: OutgoingRequest) => void | Promise<void>) | undefined;
  /**
   * Called after the response to each attempt and for each page, before the call continues. If this function throws,
   * the call fails with that error.
   */
  onResponse?: ((response: IncomingResponse) => void) | undefined;
  /** Returns a random number from 0 to below 1, which varies the waits. Default: `Math.random`. */
  random?: (() => number) | undefined;
  /** Clock for waits between requests. Default: real time. */
  clock?: Clock | undefined;
  /**
   * Called before each wait for a retry or a rate limit, for progress output. If this function throws, the call fails
   * with that error.
   */
  onEvent?: ((event: ClientEvent) => void) | undefined;
  /** @internal Leaves out decorative fields of another type. Default: returns them as they came. */
  dropsUnexpected?: boolean | undefined;
}

/** Validated options with all defaults. */
export type CheckedOptions = ReturnType<typeof checkOptions>;

/** Checks the options; throws {@link ConfigurationError}. */
export function checkOptions(options: BuildPipelineClientOptions) {
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
    dropsUnexpected: options.dropsUnexpected ?? false,
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

// With a longer delay than 31 bits, setTimeout would fire immediately.
const MOST = 2 ** 31 - 1;

/** Describes why an option's value isn't a whole number in its range; undefined if it is one. */
export function integerProblem(value: number, least: number): string | undefined {
  if (Number.isSafeInteger(value) && value >= least && value <= MOST) return undefined;
  return `must be a whole number from ${least} to ${MOST}`;
}
