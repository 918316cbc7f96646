import { setTimeout as wait } from "node:timers/promises";

/**
 * Clock that the client uses for waits (retries, rate limits, following a build). Pass your own clock in tests, so that
 * the waits take no time.
 */
export interface Clock {
  /** Milliseconds since the epoch, or since any other fixed moment. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Real time, which never goes back, also if the machine's date is changed. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      // Node rejects with its own AbortError, but `sleep` rejects with the signal's reason.
      signal?.throwIfAborted();
      throw error;
    }
  },
};
