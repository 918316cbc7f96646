import { setTimeout as wait } from "node:timers/promises";

/** Time as the client sees it: hand in your own to run waits (retries, rate limits, following a build) without waiting. */
export interface Clock {
  /** Milliseconds since the epoch, or since any other fixed moment. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Real time. It never goes back, whatever is done to the machine's date. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      // Node rejects with its own AbortError; callers are promised the reason they gave.
      signal?.throwIfAborted();
      throw error;
    }
  },
};
