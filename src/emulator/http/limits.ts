import { Refusal } from "../model/refusals.js";

/** How many requests are let through. */
export interface RateLimits {
  /** Requests of all users together in one window. Default 200, as on the live service. */
  organizationPerMinute?: number;
  /** Requests of one user in one window. Default 50, as on the live service. */
  userPerMinute?: number;
  /** Length of a window in seconds. Default 60. A shorter one makes tests of waiting quick. */
  windowSeconds?: number;
}

interface Usage {
  readonly limit: number;
  readonly used: number;
  readonly resetSeconds: number;
}

/** Counts requests in windows of the emulator's clock, for the organization and for each user. */
export class RateLimiter {
  readonly #organizationLimit: number;
  readonly #userLimit: number;
  readonly #windowMs: number;
  readonly #clock: () => Date;
  /** The users' by their ids, the organization's by null. */
  readonly #windows = new Map<string | null, { readonly endsAt: number; used: number }>();

  constructor(limits: RateLimits, clock: () => Date) {
    this.#organizationLimit = limits.organizationPerMinute ?? 200;
    this.#userLimit = limits.userPerMinute ?? 50;
    this.#windowMs = (limits.windowSeconds ?? 60) * 1000;
    this.#clock = clock;
  }

  /** Counts one request of a user. Its headers go on the answer; `refusal` is set when a limit is used up. */
  take(userId: string): { headers: Record<string, string>; refusal: Refusal | undefined } {
    const now = this.#clock().getTime();
    const organization = this.#count(null, this.#organizationLimit, now);
    const user = this.#count(userId, this.#userLimit, now);
    const headers = rateLimitHeaders(organization, user);
    if (user.used > user.limit) return { headers, refusal: rateLimited("user", user) };
    const isUsedUp = organization.used > organization.limit;
    return { headers, refusal: isUsedUp ? rateLimited("rest", organization) : undefined };
  }

  reset(): void {
    this.#windows.clear();
  }

  #count(of: string | null, limit: number, now: number): Usage {
    let window = this.#windows.get(of);
    if (window === undefined || now >= window.endsAt) {
      window = { endsAt: now + this.#windowMs, used: 0 };
      this.#windows.set(of, window);
    }
    window.used += 1;
    return { limit, used: window.used, resetSeconds: Math.max(0, Math.ceil((window.endsAt - now) / 1000)) };
  }
}

/** Returns the headers every answer has while limits are on. Reset is seconds from now. */
export function rateLimitHeaders(organization: Usage, user: Usage): Record<string, string> {
  return {
    "RateLimit-Scope": "rest",
    "RateLimit-Remaining": String(Math.max(0, organization.limit - organization.used)),
    "RateLimit-Limit": String(organization.limit),
    "RateLimit-Reset": String(organization.resetSeconds),
    "RateLimit-User-Remaining": String(Math.max(0, user.limit - user.used)),
    "RateLimit-User-Limit": String(user.limit),
    "RateLimit-User-Reset": String(user.resetSeconds),
  };
}

export function rateLimited(scope: "rest" | "user", usage: Usage): Refusal {
  const whose = scope === "user" ? "your user's" : "your organization's";
  return new Refusal(
    429,
    `You have exceeded ${whose} API rate limit. Please wait ${usage.resetSeconds} seconds before making more requests.`,
    { scope, limit: usage.limit, current: usage.used, reset: usage.resetSeconds },
  );
}
