/** What a request that succeeds adds. */
const GAIN = 0.2;

/**
 * How many retries all calls of a client may make together, so that a service in trouble does not get each of many
 * requests five times: as many as the requests that may be on their way at once need, then one for every five requests
 * that succeed.
 */
export class RetryBudget {
  readonly #most: number;
  #left: number;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /** Takes one retry; false when there is none left. */
  take(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  succeeded(): void {
    this.#left = Math.min(this.#most, this.#left + GAIN);
  }
}
