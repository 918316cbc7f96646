/** Requests that have to succeed for one retry more. */
const SUCCESSES = 5;

/**
 * How many retries all calls of a client may make together, so that a service in trouble does not get each of many
 * requests five times: as many as the requests that may be on their way at once need, then one for every five requests
 * that succeed.
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
