import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, systemClock } from "../client/index.js";

/** The engine's call that is being worked on. */
interface EngineCall {
  /** The resource that it is about; absent for the provider's own calls and for functions. */
  readonly urn: string | undefined;
  /** True once it sent a change: then it must end by itself, so that nothing is lost. */
  wrote: boolean;
  /** Aborted when the resource's timeout has passed. */
  deadline?: AbortSignal;
  /** Method of the request that waits for its turn or is going to be repeated. */
  waiting?: string;
}

const calls = new AsyncLocalStorage<EngineCall>();

/**
 * Returns the call that the running code belongs to. Work that several calls share belongs to the first of them.
 */
export function currentCall(): EngineCall | undefined {
  return calls.getStore();
}

/** Does the work of a call. */
export function within<Result>(call: EngineCall, work: () => Promise<Result>): Promise<Result> {
  return calls.run(call, work);
}

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
  readonly #cancelled = rejectionAt(this.#controller.signal);
  /** Clock with waits that end at the cancellation. */
  readonly clock: Clock = {
    now: () => systemClock.now(),
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds, this.#either(signal)),
  };

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
    return unlessWrote(work, this.#cancelled);
  }

  #either(signal: AbortSignal | undefined): AbortSignal {
    const call = currentCall();
    // Reads after a write find out what became of it.
    const deadline = call?.wrote && call.waiting === "GET" ? undefined : call?.deadline;
    return AbortSignal.any([this.#controller.signal, signal, deadline].filter((one) => one !== undefined));
  }
}

/** Longest time that a timer of Node takes. */
const LONGEST_MS = 2 ** 31 - 1;

/** Ends a call after the time in the resource's option `customTimeouts`. */
class DeadlineError extends Error {
  constructor(seconds: number, when: string, rateLimitWaitMs: number) {
    const limit =
      rateLimitWaitMs > 0
        ? ` Rate limit reached: requests resume in ${Math.ceil(rateLimitWaitMs / 1000)}s.`
        : "";
    super(
      `The timeout of ${seconds}s (customTimeouts) has passed, ${when}.${limit} Raise it, or run the command again.`,
    );
  }
}

/**
 * Does the work of a call within a time. After that, a call that sent nothing ends at once, and so does the wait of a
 * change that the API refused so far. A change on its way is awaited, because its outcome must be recorded.
 *
 * @param seconds 0 for no limit
 * @param rateLimitWaitMs returns how long requests still wait for the rate limit
 * @param withoutChange what a message says of a call that sent no change
 */
export async function withDeadline<Result>(
  seconds: number,
  rateLimitWaitMs: () => number,
  work: () => Promise<Result>,
  withoutChange = "and nothing was sent",
): Promise<Result> {
  const call = currentCall();
  if (call === undefined || seconds <= 0) return work();
  const controller = new AbortController();
  call.deadline = controller.signal;
  const end = () => {
    const when = call.wrote ? "before the API confirmed the change" : withoutChange;
    controller.abort(new DeadlineError(seconds, when, rateLimitWaitMs()));
  };
  const timer = setTimeout(end, Math.min(seconds * 1000, LONGEST_MS));
  try {
    return await unlessWrote(work(), rejectionAt(controller.signal));
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the result of a call's work, or ends it with a signal's reason unless the call has written. */
function unlessWrote<Result>(work: Promise<Result>, ended: Promise<never>): Promise<Result> {
  const call = currentCall();
  const end = ended.catch((reason) => {
    if (call?.wrote) return work;
    throw reason;
  });
  return Promise.race([work, end]);
}

/** Returns a promise that a signal rejects with its reason. */
function rejectionAt(signal: AbortSignal): Promise<never> {
  const rejection = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  // No caller may be waiting.
  rejection.catch(() => {});
  return rejection;
}
