import { LONGEST_BACK_OFF_MS } from "../../shared/messages/rate-limit.js";
import { isPassing } from "../errors/api-errors.js";
import type { RequestOutcome } from "../errors/build-pipeline-error.js";
import { dispatch } from "./dispatch.js";
import { type ExchangeOutcome, type HttpRequest, requestOutcome } from "./exchange.js";
import type { CheckedOptions, RetryEvent } from "./options.js";
import { Pacer, type Pause } from "./pacing.js";
import { isLimited, readRateLimit, readRetryAfter } from "./rate-limit.js";
import type { ServiceClock } from "./service-clock.js";
import { readServiceMessage } from "./service-message.js";

/** The first wait after a failure, in milliseconds; each further one is twice as long, up to the longest. */
const FIRST_WAIT = 500;
/** A refused connection is mostly a wrong address, which should show soon. */
const FIRST_WAIT_WHEN_REFUSED = 100;
/** Retries that a client has at least, for all its calls together. */
const LEAST_BUDGET = 10;
/** What a retry costs of the budget. Each successful request adds 1 to it. */
const COST_OF_RETRY = 5;

/**
 * Returns a function that sends each request when the service's limits allow it, until it has a response that stands.
 * After a refusal by a rate limit it always retries. After a failure it retries only if the request can't be carried out twice, and after a
 * refusal for the moment also a creation, because a refused one made nothing.
 */
export function retrying(options: CheckedOptions, serviceClock: ServiceClock) {
  const { clock, random, concurrency, maxRateLimitWaitMs, onEvent, beforeSend, onResponse } = options;
  const pacer = new Pacer(options);
  // All calls share it, so that a service in trouble doesn't get each request five times. It is enough for the requests
  // that may be on their way at once.
  const wholeBudget = Math.max(LEAST_BUDGET, concurrency * options.maxRetries) * COST_OF_RETRY;
  let budget = wholeBudget;

  return async (request: HttpRequest, signal: AbortSignal | undefined) => {
    const [path = ""] = request.target.split("?");
    const { method, maxRetries } = request;
    // Of all tries together, where they failed.
    let failed: RequestOutcome = "not sent";
    let attempt = 0;
    let failures = 0;
    let overdue = 0;
    let limitedMs = 0;

    const waitOut = async (pause: Pause): Promise<boolean> => {
      const { waitMs, limit } = pause;
      const scope = pause.scope && options.redactor.text(pause.scope);
      if (maxRetries === 0 || limitedMs + waitMs > maxRateLimitWaitMs) return false;
      limitedMs += waitMs;
      const whose = { ...(scope === undefined ? {} : { scope }), ...(limit === undefined ? {} : { limit }) };
      onEvent({ type: "rateLimit", method, path, attempt, ...whose, waitMs });
      await clock.sleep(waitMs, signal);
      pacer.waited(pause);
      return true;
    };

    const sendOnce = async (): Promise<ExchangeOutcome> => {
      await pacer.enter(waitOut, signal);
      let outcome: ExchangeOutcome | undefined;
      try {
        await beforeSend({ method, path, attempt: attempt + 1 });
        outcome = await dispatch(options, request, signal);
        serviceClock.learn(outcome);
        return outcome;
      } finally {
        pacer.leave(outcome);
      }
    };

    try {
      for (;;) {
        const outcome = await sendOnce();
        attempt += 1;
        // Later tries don't undo a try with a lost response.
        if (failed !== "unknown") failed = requestOutcome(outcome);
        const done = { outcome, attempts: attempt, requestOutcome: failed };
        const response = outcome.kind === "response" ? outcome : undefined;
        if (response !== undefined) {
          const { status, headers } = response;
          onResponse({ method, path, attempt, status, headers });
          options.onExchange(request, response);
        }
        if (response !== undefined && isLimited(response)) {
          const { scope, limit } = readRateLimit(response);
          // A service that still refuses after the limit's end that it named is asked less and less often.
          const soon = () => {
            const waitMs = backOff(overdue++, outcome, random);
            return { waitMs, endsAt: clock.now(), scope, limit };
          };
          if (await waitOut(pacer.pause() ?? soon())) continue;
          return done;
        }
        const settlesMs = response?.status === 404 ? options.settlesIn(path) : 0;
        if (settlesMs > 0) {
          onEvent({ type: "retry", method, path, attempt, reason: "absent", status: 404, waitMs: settlesMs });
          await clock.sleep(settlesMs, signal);
          continue;
        }
        const reason = failureOf(outcome, request, options);
        if (reason === undefined && response !== undefined && response.status < 500)
          budget = Math.min(wholeBudget, budget + 1);
        if (reason === undefined || failures >= maxRetries || budget < COST_OF_RETRY) return done;
        const askedMs = ((response && readRetryAfter(response.headers)) ?? 0) * 1000;
        // Nothing is gained by asking earlier: such a wait counts as one for the rate limit.
        if (askedMs > LONGEST_BACK_OFF_MS) limitedMs += askedMs;
        if (limitedMs > maxRateLimitWaitMs) return done;
        budget -= COST_OF_RETRY;
        const waitMs = Math.max(askedMs, backOff(failures, outcome, random));
        failures += 1;
        const status = response === undefined ? {} : { status: response.status };
        onEvent({ type: "retry", method, path, attempt, reason, ...status, waitMs });
        await clock.sleep(waitMs, signal);
      }
    } catch (error) {
      // A hook or an aborted signal ended it between two tries.
      const outcome: ExchangeOutcome = {
        kind: "ended",
        sentAt: undefined,
        endedAt: clock.now(),
        reason: error,
      };
      return { outcome, attempts: attempt, requestOutcome: failed };
    }
  };
}

/** Why this outcome may be tried again; undefined when it stands. */
function failureOf(
  outcome: ExchangeOutcome,
  { resendable, method }: HttpRequest,
  { redactor }: CheckedOptions,
): RetryEvent["reason"] | undefined {
  if (outcome.kind === "response" && (resendable || method === "POST")) {
    const { status, body } = outcome;
    const { serviceMessage } = status === 422 ? readServiceMessage(body, redactor) : { serviceMessage: "" };
    if (isPassing({ status, serviceMessage })) return "status";
  }
  if (!resendable && (outcome.kind === "response" || outcome.sentAt !== undefined)) return undefined;
  if (outcome.kind === "ended") return undefined;
  if (outcome.kind === "timedOut") return "timeout";
  if (outcome.kind === "lost") return outcome.permanent ? undefined : "connection";
  if (outcome.cutOff) return "connection";
  if (outcome.status >= 500 || outcome.status === 408) return "status";
  return outcome.status < 300 && outcome.body.kind === "broken" ? "answer" : undefined;
}

function backOff(failures: number, outcome: ExchangeOutcome, random: () => number): number {
  const refused = outcome.kind === "lost" && outcome.cause.code === "ECONNREFUSED";
  const longest = Math.min(
    (refused ? FIRST_WAIT_WHEN_REFUSED : FIRST_WAIT) * 2 ** failures,
    LONGEST_BACK_OFF_MS,
  );
  return Math.ceil(longest * (0.5 + random() * 0.5));
}
