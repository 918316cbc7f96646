import type { RateLimit } from "../errors/rate-limit-error.js";
import { type HttpResponse, header } from "./exchange.js";

/**
 * Reads a 429: the body speaks of the limit that was met, the headers of both (the organization's and the user's).
 * The wait ends when every exhausted window has.
 */
export function readRateLimit({ headers, body }: HttpResponse): RateLimit {
  const said =
    body.kind === "json" && typeof body.value === "object" && body.value !== null ? body.value : {};
  const fields = new Map<string, unknown>(Object.entries(said));
  const read = (name: string) => number(header(headers, name));
  const windows = [
    {
      remaining: read("ratelimit-remaining"),
      limit: read("ratelimit-limit"),
      reset: read("ratelimit-reset"),
    },
    {
      remaining: read("ratelimit-user-remaining"),
      limit: read("ratelimit-user-limit"),
      reset: read("ratelimit-user-reset"),
    },
  ];
  const exhausted = windows.filter(({ remaining }) => remaining !== undefined && remaining <= 0);
  const told = number(fields.get("reset"));
  const resets = [told, ...exhausted.map(({ reset }) => reset)].filter((reset) => reset !== undefined);
  // Nothing says which limit was met: all windows count. Retry-After is not the service's, but a proxy's.
  const others = [...windows.map(({ reset }) => reset), read("retry-after")].filter(
    (reset) => reset !== undefined,
  );
  const candidates = resets.length > 0 ? resets : others;
  const scope = fields.get("scope") ?? header(headers, "ratelimit-scope");
  return {
    scope: typeof scope === "string" && /^[\w-]{1,50}$/.test(scope) ? scope : undefined,
    limit: number(fields.get("limit")) ?? exhausted[0]?.limit,
    current: number(fields.get("current")),
    reset: candidates.length > 0 ? Math.max(...candidates) : undefined,
  };
}

function number(value: unknown): number | undefined {
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return undefined;
  const result = Number(value);
  return Number.isFinite(result) && result >= 0 ? result : undefined;
}
