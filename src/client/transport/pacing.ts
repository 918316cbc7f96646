import type { ExchangeOutcome, HttpResponse } from "./exchange.js";
import type { CheckedOptions } from "./options.js";
import { isLimited, readRateLimit, readWindows } from "./rate-limit.js";

export interface Pause {
  readonly waitMs: number;
  readonly endsAt: number;
  readonly scope: string | undefined;
  readonly limit: number | undefined;
}

interface Window extends Omit<Pause, "waitMs"> {
  readonly remaining: number;
  /** Added to the wait for its end: processes do not all come at once, and calls of one keep their order. */
  readonly spreadMs: number;
}

/** Responses have the reset in whole seconds and arrive late, so two give slightly different ends of one window. */
const SAME_WINDOW_MS = 2_000;
/** Requests at once, as a part of the window's rest: other processes with the same access token send some as well. */
const PART_OF_REMAINING = 1 / 4;
/** The pacer's own window after a refusal, because no header may report that limit. */
const REFUSED = "refused";

/**
 * Decides when a request may be sent: a few at once, and none that would exceed the limits in responses. One pacer
 * serves all calls of a client. Processes with the same access token need no contact, because the service counts for
 * all of them.
 */
export class Pacer {
  readonly #windows = new Map<string, Window>();
  readonly #waiting: (() => void)[] = [];
  #waitedUntil = Number.NEGATIVE_INFINITY;
  #onTheWay = 0;
  /** True if a window has just ended: then one request finds out what others have left of the new one. */
  #probing = false;

  constructor(private readonly options: CheckedOptions) {}

  /** Resolves when a request may be sent. One that doesn't wait a pause out (`waitOut` is false) still takes its turn. */
  async enter(waitOut: (pause: Pause) => Promise<boolean>, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      await this.#turn(signal);
      const pause = this.pause();
      if (pause === undefined) return;
      this.leave(undefined);
      if (!(await waitOut(pause))) return this.#turn(signal);
    }
  }

  leave(outcome: ExchangeOutcome | undefined): void {
    this.#onTheWay -= 1;
    if (outcome?.kind === "response") this.#note(outcome);
    this.#admit();
  }

  pause(): Pause | undefined {
    const usedUp = this.#openWindows().filter(isUsedUp);
    const last = usedUp.toSorted((a, b) => b.endsAt - a.endsAt)[0];
    if (last === undefined) return undefined;
    const { scope, limit, endsAt, spreadMs } = last;
    return { waitMs: Math.ceil(endsAt - this.#now()) + spreadMs, endsAt, scope, limit };
  }

  waited({ endsAt }: Pause): void {
    this.#waitedUntil = Math.max(this.#waitedUntil, endsAt);
  }

  /** A clock that is handed in may stand still; a window that was waited out has ended all the same. */
  #now(): number {
    return Math.max(this.options.clock.now(), this.#waitedUntil);
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(proceed), 1);
        reject(signal?.reason);
      };
      const proceed = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.push(proceed);
      this.#admit();
    });
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#onTheWay < this.#mostAtOnce()) {
      this.#onTheWay += 1;
      this.#waiting.shift()?.();
    }
  }

  #mostAtOnce(): number {
    const windows = this.#openWindows();
    // Requests that would be refused are let in as well: they learn how long to wait.
    if (windows.some(isUsedUp)) return this.options.concurrency;
    if (this.#probing) return 1;
    const parts = windows.map(({ remaining }) => Math.ceil(remaining * PART_OF_REMAINING));
    return Math.min(this.options.concurrency, ...parts);
  }

  #openWindows(): Window[] {
    for (const [name, window] of this.#windows) {
      if (window.endsAt > this.#now()) continue;
      this.#windows.delete(name);
      this.#probing ||= isUsedUp(window);
    }
    return [...this.#windows.values()];
  }

  #note(response: HttpResponse): void {
    const now = this.#now();
    const spreadMs = 100 + Math.floor(this.options.random() * 900);
    for (const { name, scope, limit, remaining, reset } of readWindows(response.headers)) {
      if (remaining === undefined || reset === undefined) continue;
      const reported: Window = { scope, limit, remaining, endsAt: now + reset * 1000, spreadMs };
      const known = this.#windows.get(name) ?? reported;
      const isSame = Math.abs(known.endsAt - reported.endsAt) <= SAME_WINDOW_MS;
      // Responses overtake each other: within a window, the lowest count and the earliest end apply.
      const merged = {
        ...reported,
        spreadMs: known.spreadMs,
        remaining: Math.min(reported.remaining, known.remaining),
        endsAt: Math.min(reported.endsAt, known.endsAt),
      };
      this.#windows.set(name, isSame ? merged : reported);
    }
    if (!isLimited(response)) {
      this.#probing = false;
      return;
    }
    const { scope, limit, reset } = readRateLimit(response);
    this.#windows.set(REFUSED, { scope, limit, remaining: 0, endsAt: now + reset * 1000, spreadMs });
  }
}

function isUsedUp({ remaining }: Window): boolean {
  return remaining <= 0;
}
