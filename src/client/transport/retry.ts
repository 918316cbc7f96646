import type { Clock } from "../clock.js";
import type { Delivered } from "../errors/connection-error.js";
import type { RateLimit } from "../errors/rate-limit-error.js";
import type { ClientEvent, RetryEvent } from "../events.js";
import type { Attempted, Exchange, HttpRequest, Outcome } from "./exchange.js";
import { header } from "./exchange.js";
import { readRateLimit } from "./rate-limit.js";

/** The first wait after a failure, in milliseconds; each further one is twice as long, up to the longest. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 20_000;
/** A window of the service's limits is a minute: whoever says five has something else in mind. */
const LONGEST_RESET = 5 * 60_000;
/** Many requests may share one limit, so a request may have to wait for several windows; but not forever. */
const LONGEST_LIMITED = 15 * 60_000;

/** What retrying needs to know. */
export interface RetrySettings {
  clock: Clock;
  /** Failures after which a request is given up: with 4 it is sent 5 times. Waits for a rate limit do not count; 0 turns both off. */
  maxRetries: number;
  onEvent: (event: ClientEvent) => void;
}

/** Sends a request until it has an answer that stands. */
export type RetryingExchange = (request: HttpRequest, signal: AbortSignal | undefined) => Promise<Attempted>;

/** What may pass is tried again: a full limit always, a failure only where the request cannot be done twice by it. */
export function retrying(
  exchange: Exchange,
  { clock, maxRetries, onEvent }: RetrySettings,
): RetryingExchange {
  return async (request, signal) => {
    const [path = ""] = request.target.split("?");
    const { method } = request;
    let delivered: Delivered = "no";
    let failures = 0;
    let limitedMs = 0;
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      const outcome = await exchange(request, signal);
      if (mayHaveArrived(outcome)) delivered = "unknown";
      const limited = outcome.kind === "response" && outcome.status === 429;
      const rateLimit = limited ? readRateLimit(outcome) : undefined;
      const done: Attempted = { outcome, attempts: attempt, delivered, rateLimit };
      if (maxRetries === 0) return done;
      if (rateLimit) {
        const waitMs = limitWait(rateLimit);
        limitedMs += waitMs;
        if (waitMs > LONGEST_RESET || limitedMs > LONGEST_LIMITED) return done;
        onEvent({ type: "rateLimit", method, path, attempt, ...named(rateLimit), waitMs });
        await clock.sleep(waitMs, signal);
        continue;
      }
      const reason = failureOf(outcome, request);
      if (reason === undefined || failures >= maxRetries) return done;
      const waitMs = backOff(failures, outcome);
      failures += 1;
      const status = outcome.kind === "response" ? { status: outcome.status } : {};
      onEvent({ type: "retry", method, path, attempt, reason, ...status, waitMs });
      await clock.sleep(waitMs, signal);
    }
  };
}

/** Whether this try may have been carried out although it gave no usable answer. */
function mayHaveArrived(outcome: Outcome): boolean {
  if (outcome.kind === "response") return outcome.status < 300 || outcome.status >= 500;
  return outcome.delivered === "unknown";
}

/** Why this outcome may be tried again; undefined when it stands. */
function failureOf(outcome: Outcome, { resendable }: HttpRequest): RetryEvent["reason"] | undefined {
  switch (outcome.kind) {
    case "timedOut":
      return resendable || outcome.delivered === "no" ? "timeout" : undefined;
    case "lost":
      if (outcome.permanent) return undefined;
      return resendable || outcome.delivered === "no" ? "connection" : undefined;
    case "response":
      if (!resendable) return undefined;
      if (outcome.cutOff) return "connection";
      if (outcome.status >= 500) return "status";
      return outcome.status < 300 && outcome.body.kind === "broken" ? "answer" : undefined;
  }
}

/** The end of the window, and up to a second more so that those who wait do not all come at once. */
function limitWait({ reset = 10 }: RateLimit): number {
  return Math.ceil(reset * 1000 + 100 + Math.random() * 900);
}

function backOff(failures: number, outcome: Outcome): number {
  const longest = Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT);
  const wait = Math.ceil(longest * (0.5 + Math.random() * 0.5));
  const asked = outcome.kind === "response" ? Number(header(outcome.headers, "retry-after")) * 1000 : 0;
  return asked > wait ? Math.min(asked, LONGEST_WAIT) : wait;
}

function named({ scope, limit }: RateLimit): { scope?: string; limit?: number } {
  return { ...(scope === undefined ? {} : { scope }), ...(limit === undefined ? {} : { limit }) };
}
