/** Requests that have to succeed for one retry more. */
const SUCCESSES = 5;

/**
 * Limits the retries of all calls of a client together, so that a service in trouble doesn't get each request five
 * times. The budget starts with enough for the requests that may be on their way at once. Every five successful
 * requests add one retry.
 */
export class RetryBudget {
  readonly #most: number;
  #left: number;

  constructor(retries: number) {
    this.#most = retries * SUCCESSES;
    this.#left = this.#most;
  }

  /** Takes one retry; false when there is none left. */
  take(): boolean {
    if (this.#left < SUCCESSES) return false;
    this.#left -= SUCCESSES;
    return true;
  }

  succeeded(): void {
    this.#left = Math.min(this.#most, this.#left + 1);
  }
}
