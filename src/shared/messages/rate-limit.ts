export function rateLimitText(waitMs: number): string {
  return `Rate limit reached. Resuming in ${Math.ceil(waitMs / 1000)}s.`;
}

/** Announces waits for the rate limit, once for each limit: every request that waits reports it. */
export class RateLimitWaits {
  #until = 0;
  #totalMs = 0;

  /** @param now returns milliseconds */
  constructor(
    private readonly now: () => number,
    private readonly announce: (waitMs: number) => void,
  ) {}

  report(waitMs: number): void {
    const now = this.now();
    if (now < this.#until) return;
    this.#until = now + waitMs;
    this.#totalMs += waitMs;
    this.announce(waitMs);
  }

  get remainingMs(): number {
    return Math.max(0, this.#until - this.now());
  }

  /** The time, without all waits. It stands still during one. */
  get worked(): number {
    return Math.max(this.now(), this.#until) - this.#totalMs;
  }
}
