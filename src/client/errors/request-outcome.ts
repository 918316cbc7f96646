/**
 * Result of a failed request. `not sent`: it never left this machine, so nothing was changed. `rejected`: the service
 * refused it. `unknown`: its response was lost, unreadable or a 5xx, so it may have been carried out.
 */
export type RequestOutcome = "not sent" | "rejected" | "unknown";

const outcomes = new WeakMap<object, RequestOutcome>();

/** Records the outcome of a request that ended with an error from outside: an abort reason, or what a hook threw. */
export function noteOutcome(error: unknown, outcome: RequestOutcome): void {
  if (typeof error !== "object" || error === null) return;
  // One reason may end several calls, and it doesn't name one of them.
  if (outcomes.get(error) !== "unknown") outcomes.set(error, outcome);
}

/** Returns the outcome recorded by {@link noteOutcome}. */
export function notedOutcome(error: unknown): RequestOutcome | undefined {
  return typeof error === "object" && error !== null ? outcomes.get(error) : undefined;
}
