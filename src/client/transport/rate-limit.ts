import { type RateLimit, withoutQuoted } from "../errors/api-errors.js";
import { type HttpHeaders, type HttpResponse, header, type ResponseBody } from "./exchange.js";

/** Seconds to wait after a 429 that says nothing. */
const DEFAULT_RESET = 10;

/** The year 2001 in seconds since 1970. No service asks for a wait of 31 years. */
const EARLIEST_EPOCH = 1_000_000_000;

const NAMES_LIMIT = /\brate[ -]?limit|\btoo many requests\b/i;

/** Checks whether a rate limit refused a request: with 429, or with a 403 that says when to come back or names a limit. */
export function isLimited({ status, headers, body }: HttpResponse): boolean {
  const saysWhen = readRetryAfter(headers) !== undefined || header(headers, "x-ratelimit-remaining") === "0";
  return status === 429 || (status === 403 && (saysWhen || NAMES_LIMIT.test(withoutQuoted(said(body)))));
}

function said(body: ResponseBody): string {
  if (body.kind === "json") return String(Object(body.value).message ?? "");
  return body.kind === "text" ? body.value : "";
}

/** Reads the headers of both limits, the organization's and the user's. A reset is in seconds from now. */
export function readWindows(headers: HttpHeaders) {
  return [
    windowOf(headers, "organization", "ratelimit", word(header(headers, "ratelimit-scope"))),
    windowOf(headers, "user", "ratelimit-user", "user"),
  ];
}

function windowOf(headers: HttpHeaders, name: string, prefix: string, scope: string | undefined) {
  return {
    name,
    scope,
    limit: number(header(headers, `${prefix}-limit`)),
    remaining: count(header(headers, `${prefix}-remaining`)),
    reset: secondsUntil(header(headers, `${prefix}-reset`), headers),
  };
}

/**
 * Reads a refusal by a limit: the body speaks of the limit that was met, the headers of both, or of GitHub's. The wait
 * ends when every window that is used up has ended.
 */
export function readRateLimit({ status, headers, body }: HttpResponse): RateLimit {
  const fields = new Map<string, unknown>(body.kind === "json" ? Object.entries(Object(body.value)) : []);
  const windows = readWindows(headers);
  const ofGitHub = windowOf(headers, "GitHub", "x-ratelimit", word(header(headers, "x-ratelimit-resource")));
  const usedUp = [...windows, ofGitHub].filter(({ remaining }) => remaining !== undefined && remaining <= 0);
  const reported = (resets: readonly (number | undefined)[]) => resets.filter((reset) => reset !== undefined);
  const resets = reported([secondsUntil(fields.get("reset"), headers), ...usedUp.map(({ reset }) => reset)]);
  // Nothing says which limit was met: all windows count. Retry-After is not the service's, but a proxy's, as a 403 is.
  const open = status === 403 ? [] : windows.map(({ reset }) => reset);
  const others = reported([...open, readRetryAfter(headers)]);
  const candidates = resets.length > 0 ? resets : others;
  return {
    scope: word(fields.get("scope")) ?? windows[0]?.scope,
    limit: number(fields.get("limit")) ?? usedUp[0]?.limit,
    current: number(fields.get("current")),
    reset: candidates.length > 0 ? Math.max(...candidates) : DEFAULT_RESET,
  };
}

/** Reads how many seconds a response asks to wait before the next try: a number, or a date (RFC 9110). */
export function readRetryAfter(headers: HttpHeaders): number | undefined {
  const asked = header(headers, "retry-after");
  // One of the three forms of a date lacks its time zone, which is always GMT.
  const date = /\d:\d\d:\d\d/.test(asked ?? "")
    ? Date.parse(`${asked?.replace(/ ?GMT$/, "")} GMT`)
    : Number.NaN;
  return Number.isNaN(date) ? secondsUntil(asked, headers) : secondsFromNow(date, headers);
}

/**
 * Returns a number of seconds from now. Gateways also report the end of a window as seconds or milliseconds since 1970,
 * which are compared with the time of the same response.
 */
function secondsUntil(value: unknown, headers: HttpHeaders): number | undefined {
  const read = number(value);
  if (read === undefined || read < EARLIEST_EPOCH) return read;
  return secondsFromNow(read < EARLIEST_EPOCH * 1000 ? read * 1000 : read, headers);
}

function secondsFromNow(end: number, headers: HttpHeaders): number {
  const date = Date.parse(header(headers, "date") ?? "");
  return Math.max(0, Math.ceil((end - (Number.isNaN(date) ? Date.now() : date)) / 1000));
}

function number(value: unknown): number | undefined {
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return undefined;
  const result = Number(value);
  return Number.isFinite(result) && result >= 0 ? result : undefined;
}

/** Buildkite counts on below zero. */
function count(value: string | undefined): number | undefined {
  return /^\s*-\d+\s*$/.test(value ?? "") ? 0 : number(value);
}

/** Returns a name such as `rest`; anything else the service may say goes no further. */
function word(value: unknown): string | undefined {
  return typeof value === "string" && /^[\w-]{1,50}$/.test(value) ? value : undefined;
}
