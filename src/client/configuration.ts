import type { Dispatcher } from "undici";
import { type Clock, systemClock } from "./clock.js";
import { ConfigurationError } from "./errors/configuration-error.js";
import type { ClientEvent } from "./events.js";

/** How to reach the service, and how to behave. */
export interface BuildPipelineClientOptions {
  /** The API access token, sent as `Authorization: Bearer …` to `baseUrl`'s origin and nowhere else (section 5). */
  accessToken: string;
  /** Slug of the organization, as in its web addresses: `acme`. */
  organization: string;
  /** The service's base address, such as `https://api.example.com`; a slash or `/v2` at its end is ignored. */
  baseUrl: string;
  /** Allows plain http to other machines than this one. Default false: the access token would travel in the clear. */
  allowInsecureHttp?: boolean | undefined;
  /** Value of the `User-Agent` header. Default `pulumi-buildpipeline`. */
  userAgent?: string | undefined;
  /** Milliseconds one try of a request may take, from connecting to the last byte. Default 30 000. Measured in real time. */
  timeoutMs?: number | undefined;
  /**
   * How often a request that failed in a passing way is sent again. Default 4. Waits for the service's request limit
   * come on top; 0 turns those off, too.
   */
  maxRetries?: number | undefined;
  /** Requests on their way at once; others wait for their turn. Default 16. */
  concurrency?: number | undefined;
  /** The network: an undici dispatcher of your own, such as a proxy agent. It must not repeat or redirect requests, and you close it. */
  dispatcher?: Dispatcher | undefined;
  /** Time for waits between requests. Default real time. */
  clock?: Clock | undefined;
  /** Called for retries and rate limits, for progress output. What it throws ends the call. */
  onEvent?: ((event: ClientEvent) => void) | undefined;
}

/** Options with everything checked and filled in. */
export interface Configuration {
  accessToken: string;
  organization: string;
  base: { origin: string; prefix: string };
  userAgent: string;
  timeoutMs: number;
  maxRetries: number;
  concurrency: number;
  dispatcher: Dispatcher | undefined;
  clock: Clock;
  onEvent: (event: ClientEvent) => void;
}

const WHERE: Readonly<Record<string, string>> = {
  accessToken:
    "Set BUILDPIPELINE_ACCESS_TOKEN, or buildpipeline:accessToken in the stack's configuration, or pass accessToken.",
  organization:
    "Set BUILDPIPELINE_ORGANIZATION, or buildpipeline:organization in the stack's configuration, or pass organization.",
  baseUrl:
    "Set BUILDPIPELINE_BASE_URL, or buildpipeline:baseUrl in the stack's configuration, or pass baseUrl.",
};

/** Checks the options; throws {@link ConfigurationError}. */
export function configure(options: BuildPipelineClientOptions): Configuration {
  return {
    accessToken: accessToken(options.accessToken),
    organization: organization(options.organization),
    base: base(options.baseUrl, options.allowInsecureHttp === true),
    userAgent: userAgent(options.userAgent ?? "pulumi-buildpipeline"),
    timeoutMs: whole("timeoutMs", options.timeoutMs ?? 30_000, 1),
    maxRetries: whole("maxRetries", options.maxRetries ?? 4, 0),
    concurrency: whole("concurrency", options.concurrency ?? 16, 1),
    dispatcher: options.dispatcher,
    clock: options.clock ?? systemClock,
    onEvent: options.onEvent ?? (() => {}),
  };
}

function accessToken(value: unknown): string {
  const token = required("accessToken", value);
  if (/^bearer\s/i.test(token))
    throw wrong("accessToken", "must be the token alone, without the word Bearer.");
  // The value stays unquoted: it is secret even when it is malformed.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw wrong(
      "accessToken",
      "has blanks, line breaks or letters beyond ASCII in it, which no access token has.",
    );
  }
  return token;
}

function organization(value: unknown): string {
  const slug = required("organization", value);
  if (/[\s/?#:\\]/.test(slug) || /^\.+$/.test(slug)) {
    throw wrong(
      "organization",
      `must be the organization's slug alone, such as "acme", not an address or a name with blanks.`,
    );
  }
  return slug;
}

function base(value: unknown, allowInsecureHttp: boolean): { origin: string; prefix: string } {
  const text = required("baseUrl", value).trim();
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw wrong("baseUrl", "must be an address such as https://api.example.com.");
  }
  if (url.username || url.password) throw wrong("baseUrl", "must not have a user name or password in it.");
  if (url.search || url.hash) throw wrong("baseUrl", "must not have a query or fragment.");
  if (url.protocol === "http:" && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw wrong(
      "baseUrl",
      "would send the access token unencrypted. Use https, or set allowInsecureHttp to accept that.",
    );
  }
  return {
    origin: url.origin,
    prefix: url.pathname.replace(/\/+$/, "").replace(/\/v2$/, "").replace(/\/+$/, ""),
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}

function userAgent(value: string): string {
  if (/^[\x20-\x7e]+$/.test(value)) return value;
  throw new ConfigurationError("userAgent", "must be one line of ASCII text.");
}

function whole(setting: string, value: number, least: number): number {
  // setTimeout takes no more than 31 bits and would fire at once.
  if (Number.isSafeInteger(value) && value >= least && value < 2 ** 31) return value;
  throw new ConfigurationError(setting, `must be a whole number from ${least} to ${2 ** 31 - 1}.`);
}

function required(setting: string, value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw wrong(
    setting,
    value === undefined || value === null || typeof value === "string" ? "is missing." : "must be a string.",
  );
}

function wrong(setting: string, problem: string): ConfigurationError {
  return new ConfigurationError(setting, `${problem} ${WHERE[setting]}`);
}
