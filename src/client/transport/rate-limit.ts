import type { RateLimit } from "../errors/rate-limit-error.js";
import { type HttpHeaders, type HttpResponse, header } from "./exchange.js";

/** Seconds to wait after a 429 that says nothing. */
const DEFAULT_RESET = 10;

/** Window of one limit in a response. */
export interface ReportedWindow {
  readonly name: "organization" | "user";
  readonly scope: string | undefined;
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** Seconds from now. */
  readonly reset: number | undefined;
}

/** Reads the headers of both limits, the organization's and the user's. */
export function readWindows(headers: HttpHeaders): ReportedWindow[] {
  const read = (name: string) => number(header(headers, name));
  return [
    {
      name: "organization",
      scope: word(header(headers, "ratelimit-scope")),
      limit: read("ratelimit-limit"),
      remaining: read("ratelimit-remaining"),
      reset: read("ratelimit-reset"),
    },
    {
      name: "user",
      scope: "user",
      limit: read("ratelimit-user-limit"),
      remaining: read("ratelimit-user-remaining"),
      reset: read("ratelimit-user-reset"),
    },
  ];
}

/**
 * Reads a 429: the body speaks of the limit that was met, the headers of both. The wait ends when every window that is
 * used up has ended.
 */
export function readRateLimit({ headers, body }: HttpResponse): RateLimit & { reset: number } {
  const said =
    body.kind === "json" && typeof body.value === "object" && body.value !== null ? body.value : {};
  const fields = new Map<string, unknown>(Object.entries(said));
  const windows = readWindows(headers);
  const usedUp = windows.filter(({ remaining }) => remaining !== undefined && remaining <= 0);
  const resets = [number(fields.get("reset")), ...usedUp.map(({ reset }) => reset)].filter(isReported);
  // Nothing says which limit was met: all windows count. Retry-After is not the service's, but a proxy's.
  const others = [...windows.map(({ reset }) => reset), number(header(headers, "retry-after"))].filter(
    isReported,
  );
  const candidates = resets.length > 0 ? resets : others;
  return {
    scope: word(fields.get("scope")) ?? windows[0]?.scope,
    limit: number(fields.get("limit")) ?? usedUp[0]?.limit,
    current: number(fields.get("current")),
    reset: candidates.length > 0 ? Math.max(...candidates) : DEFAULT_RESET,
  };
}

function isReported(value: number | undefined): value is number {
  return value !== undefined;
}

function number(value: unknown): number | undefined {
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return undefined;
  const result = Number(value);
  return Number.isFinite(result) && result >= 0 ? result : undefined;
}

/** Returns a name such as `rest`; anything else the service may say goes no further. */
function word(value: unknown): string | undefined {
  return typeof value === "string" && /^[\w-]{1,50}$/.test(value) ? value : undefined;
}
