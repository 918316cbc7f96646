import { currentCall } from "./current-call.js";

/** Longest time that a timer of Node takes. */
const LONGEST_MS = 2 ** 31 - 1;

/** Ends a call after the time in the resource's option `customTimeouts`. */
export class DeadlineError extends Error {
  constructor(seconds: number, when: string, rateLimitWaitMs: number) {
    const limit =
      rateLimitWaitMs > 0
        ? ` Rate limit reached: requests resume in ${Math.ceil(rateLimitWaitMs / 1000)}s.`
        : "";
    super(
      `The timeout of ${seconds}s (customTimeouts) has passed, ${when}.${limit} Raise it, or run the command again.`,
    );
  }
}

/**
 * Does the work of a call within a time. After that, a call that sent nothing ends at once, and so does the wait of a
 * change that the API refused so far. A change on its way is awaited, because its outcome must be recorded.
 *
 * @param seconds 0 for no limit
 * @param rateLimitWaitMs returns how long requests still wait for the rate limit
 * @param withoutChange what a message says of a call that sent no change
 */
export async function withDeadline<Result>(
  seconds: number,
  rateLimitWaitMs: () => number,
  work: () => Promise<Result>,
  withoutChange = "and nothing was sent",
): Promise<Result> {
  const call = currentCall();
  if (call === undefined || seconds <= 0) return work();
  const controller = new AbortController();
  call.deadline = controller.signal;
  const passed = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => {
      if (!call.wrote) reject(controller.signal.reason);
    });
  });
  const end = () => {
    const when = call.wrote ? "before the API confirmed the change" : withoutChange;
    controller.abort(new DeadlineError(seconds, when, rateLimitWaitMs()));
  };
  const timer = setTimeout(end, Math.min(seconds * 1000, LONGEST_MS));
  try {
    return await Promise.race([work(), passed]);
  } finally {
    clearTimeout(timer);
  }
}
