import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, systemClock } from "../client/index.js";
import { currentCall } from "./current-call.js";

/** Ends a call that was canceled before it changed anything. */
export class CancelledError extends Error {
  override readonly message = "The deployment was canceled. Nothing was sent.";
}

/**
 * The engine's wish to end. Nothing is written from then on, and waits end at once. Only a call that has already
 * written goes on until it knows what came of it: otherwise no state would record what it made.
 */
export class Cancellation {
  readonly #controller = new AbortController();
  readonly #cancelled: Promise<never>;
  /** Clock with waits that end at the cancellation. */
  readonly clock: Clock = {
    now: () => systemClock.now(),
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds, this.#either(signal)),
  };

  constructor() {
    const { signal } = this.#controller;
    this.#cancelled = new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    // No caller may be waiting.
    this.#cancelled.catch(() => {});
  }

  cancel(): void {
    this.#controller.abort(new CancelledError());
  }

  /** Waits, but not after a cancellation. */
  async pause(milliseconds: number): Promise<void> {
    const { signal } = this.#controller;
    await sleep(milliseconds, undefined, { signal }).catch(() => {});
  }

  /** Comes before each request that changes something. */
  beforeWrite(): void {
    this.#controller.signal.throwIfAborted();
    const call = currentCall();
    call?.deadline?.throwIfAborted();
    if (call !== undefined) call.wrote = true;
  }

  /** Returns the result of a call's work, or ends it at the cancellation. */
  async endWith<Result>(work: Promise<Result>): Promise<Result> {
    const call = currentCall();
    const ended = this.#cancelled.catch((reason) => {
      if (call?.wrote) return work;
      throw reason;
    });
    return Promise.race([work, ended]);
  }

  #either(signal: AbortSignal | undefined): AbortSignal {
    const call = currentCall();
    // Reads after a write find out what became of it.
    const deadline = call?.wrote && call.waiting === "GET" ? undefined : call?.deadline;
    return AbortSignal.any([this.#controller.signal, signal, deadline].filter((one) => one !== undefined));
  }
}
