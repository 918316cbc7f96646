import { setTimeout as wait } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { CONFIG_NAMESPACE, ENVIRONMENT, parseConnection } from "../../shared/configuration/settings.js";
import { ConfigurationError } from "../errors/build-pipeline-error.js";
import type { HttpRequest, HttpResponse, Method } from "./exchange.js";
import { type ProxyServer, proxyFor } from "./proxy.js";
import { Redactor } from "./redaction.js";
import { Agent, Pool, ProxyAgent } from "./undici.js";

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
   * A dispatcher of undici 7 or 8. It must not repeat or redirect requests. The client never closes it. Default: the
   * client's own connections, through the proxy of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`).
   */
  dispatcher?: Dispatcher | undefined;
  /**
   * Maximum time that one call waits for rate limits, in milliseconds, and because a response asks to wait for more than
   * 20 seconds. A call that needs a longer wait fails, after a 429 with a {@link RateLimitError}. Default: 900,000 (15
   * minutes).
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
  /** @internal Hides further secrets in what the service says, and in the ids of a path, before they are part of an error. */
  hide?: ((text: string) => string) | undefined;
  /**
   * @internal Returns the milliseconds until a 404 for a path counts, because the service may not show yet what was just
   * made. The request is repeated then.
   */
  settlesIn?: ((path: string) => number) | undefined;
  /** @internal Called with each request and its response, with their bodies. */
  onExchange?: ((request: HttpRequest, response: HttpResponse) => void) | undefined;
}

/** Reports that a request failed temporarily and that the client repeats it after a wait. */
export interface RetryEvent {
  type: "retry";
  method: string;
  /** Path of the request, without its query. */
  path: string;
  /** How many times the request has been sent so far. */
  attempt: number;
  /**
   * `connection`: lost or refused. `timeout`: no complete response in time. `status`: a 5xx, or a refusal for the moment,
   * such as 423. `answer`: cut off or unreadable. `absent`: a 404 for what was just made.
   */
  reason: "connection" | "timeout" | "status" | "answer" | "absent";
  /** Status of the response, if there was one. */
  status?: number;
  /** Milliseconds until the request is sent again. */
  waitMs: number;
}

/** Reports that the rate limit is reached. The client sends the request after the limit's window has passed. */
export interface RateLimitEvent {
  type: "rateLimit";
  method: string;
  /** Path of the request, without its query. */
  path: string;
  /** How many times the request has been sent so far; 0 if it waits because other requests have used up the limit. */
  attempt: number;
  /** Name of the limit as the API spells it, such as `rest` or `user`. */
  scope?: string;
  /** Requests allowed in one window. */
  limit?: number;
  /** Milliseconds until the request is sent. */
  waitMs: number;
}

/** A request that is about to be sent. */
export interface OutgoingRequest {
  readonly method: Method;
  /** Path of the request, without its query. */
  readonly path: string;
  /** Number of this attempt of the request, from 1. */
  readonly attempt: number;
}

/** A response of the API with any status. */
export interface IncomingResponse extends OutgoingRequest {
  readonly status: number;
  /** Headers by their lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Events that the client reports for progress output. They never contain secrets. */
export type ClientEvent = RetryEvent | RateLimitEvent;

/**
 * Clock that the client uses for waits (retries, rate limits, following a build). Pass your own clock in tests, so that
 * the waits take no time.
 */
export interface Clock {
  /** Milliseconds since the epoch, or since any other fixed moment. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Real time, which never goes back, also if the machine's date is changed. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      // Node rejects with its own AbortError, but `sleep` rejects with the signal's reason.
      signal?.throwIfAborted();
      throw error;
    }
  },
};

export type CheckedOptions = ReturnType<typeof checkOptions>;

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
  const { accessToken, baseUrl } = connection;
  const address = new URL(baseUrl);
  const { origin } = address;
  const { dispatcher } = options;
  if (dispatcher !== undefined) requireUsable(dispatcher);
  const proxy = dispatcher === undefined ? proxyFor(address, process.env) : undefined;
  const timeoutMs = integer("timeoutMs", options.timeoutMs ?? 30_000, 1);
  const concurrency = integer("concurrency", options.concurrency ?? 16, 1);
  return {
    ...connection,
    origin,
    /** Path in front of `/v2`, without a slash at its end. */
    prefix: baseUrl.slice(origin.length),
    redactor: new Redactor([accessToken, ...(proxy?.secrets ?? [])], options.hide),
    proxy,
    userAgent: line("userAgent", options.userAgent ?? "pulumi-buildpipeline"),
    timeoutMs,
    maxRetries: integer("maxRetries", options.maxRetries ?? 4, 0),
    concurrency,
    dispatcher: dispatcher ?? connections(concurrency, timeoutMs, proxy),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    maxRateLimitWaitMs: integer("maxRateLimitWaitMs", options.maxRateLimitWaitMs ?? 15 * 60_000, 0),
    beforeSend: options.beforeSend ?? (() => {}),
    onEvent: options.onEvent ?? (() => {}),
    onResponse: options.onResponse ?? (() => {}),
    settlesIn: options.settlesIn ?? (() => 0),
    onExchange: options.onExchange ?? (() => {}),
  };
}

const LONGEST_IDLE_MS = 1_000;

/** Returns connections on which it is certain whether a request was sent, and that none is sent twice. */
function connections(concurrency: number, timeoutMs: number, proxy: ProxyServer | undefined): Dispatcher {
  const options = {
    connections: concurrency,
    // HTTP/1.1 without pipelining ensures that a request that has not started was not sent.
    pipelining: 1,
    allowH2: false,
    connect: { timeout: timeoutMs },
    // If the API has closed an idle connection, a creation sent on it would look like a lost response.
    keepAliveTimeout: LONGEST_IDLE_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_MS,
  };
  if (proxy === undefined) return new Agent(options);
  const tls = { allowH2: false };
  return new ProxyAgent({
    ...options,
    uri: proxy.url.href,
    connectTimeout: timeoutMs,
    requestTls: tls,
    proxyTls: tls,
    // Plain http goes to the proxy in a pool that would otherwise have none of these options.
    factory: (origin, given) => new Pool(origin, { ...options, ...given }),
  });
}

export const OLD_DISPATCHER =
  "was made by undici 6 or older, which this client can't use. Make it with undici 7 or 8 (npm install undici@8).";

/** Undici 6 and older call a dispatcher's handler in another way, so that a request fails or gets no response. */
function requireUsable(dispatcher: Dispatcher): void {
  const problem = (words: string) => new ConfigurationError("dispatcher", words);
  if (typeof dispatcher.dispatch !== "function") throw problem("is not a dispatcher of undici 7 or 8.");
  const parts = Object.getOwnPropertySymbols(dispatcher).map((name) => Reflect.get(dispatcher, name));
  const isOld = [dispatcher, ...parts].some(
    (part) => typeof part === "object" && part !== null && "interceptors" in part,
  );
  if (isOld || dispatcher.constructor?.name === "ComposedDispatcher") throw problem(OLD_DISPATCHER);
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

export function integerProblem(value: number, least: number): string | undefined {
  if (Number.isSafeInteger(value) && value >= least && value <= MOST) return undefined;
  return `must be a whole number from ${least} to ${MOST}`;
}
