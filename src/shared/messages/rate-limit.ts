/** A longer wait before a request is repeated is one that the API asks for. */
export const LONGEST_BACK_OFF_MS = 20_000;

/** An event of the client: it waits. */
interface Wait {
  readonly type: "rateLimit" | "retry";
  readonly waitMs: number;
  /** Of the response because of which it waits. */
  readonly status?: number;
}

export function rateLimitText({ type, waitMs, status }: Wait): string {
  const why =
    type === "rateLimit" ? "Rate limit reached." : `The API responded with ${status} and asked to wait.`;
  return `${why} Resuming in ${Math.ceil(waitMs / 1000)}s.`;
}

/** Announces waits that the API asks for, once for each: every request that waits reports it. */
export class RateLimitWaits<Event extends Wait = Wait> {
  #until = 0;
  #totalMs = 0;

  /** @param now returns milliseconds */
  constructor(
    private readonly now: () => number,
    private readonly announce: (wait: Event) => void,
  ) {}

  report(wait: Event): void {
    const { type, waitMs } = wait;
    const now = this.now();
    if (now < this.#until || (type === "retry" && waitMs <= LONGEST_BACK_OFF_MS)) return;
    this.#until = now + waitMs;
    this.#totalMs += waitMs;
    this.announce(wait);
  }

  get remainingMs(): number {
    return Math.max(0, this.#until - this.now());
  }

  /** The time, without all waits. It stands still during one. */
  get worked(): number {
    return Math.max(this.now(), this.#until) - this.#totalMs;
  }
}
