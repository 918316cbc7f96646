import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, systemClock } from "../../client/index.js";

interface EngineCall {
  /** The resource that it is about; absent for the provider's own calls and for functions. */
  readonly urn: string | undefined;
  /** Aborted when the resource's timeout has passed. */
  readonly deadline: AbortSignal;
  wrote: boolean;
  /** Method of the request that waits for its turn or is going to be repeated. */
  waiting?: string;
}

const calls = new AsyncLocalStorage<EngineCall>();

/** Returns the call that the running code belongs to. Work that several calls share belongs to the first of them. */
export function currentCall(): EngineCall | undefined {
  return calls.getStore();
}

export class CancelledError extends Error {
  override readonly message = "The deployment was canceled. Nothing was sent.";
}

/** The time that a resource's option `customTimeouts` gives a call. */
export interface Limit {
  /** 0 or less for no limit. */
  readonly seconds: number;
  /** Returns how long requests still wait for the rate limit. */
  rateLimitWaitMs(): number;
  /** What a message says of a call that sent no change. Default: nothing was sent. */
  readonly withoutChange: string | undefined;
}

const LONGEST_MS = 2 ** 31 - 1;

/** The engine's calls, and its wish to end: nothing is written from then on. */
export class EngineCalls {
  readonly #cancellation = new AbortController();
  /** Clock with waits that end at the cancellation. */
  readonly clock: Clock = {
    now: () => systemClock.now(),
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds, this.#either(signal)),
  };

  cancel(): void {
    this.#cancellation.abort(new CancelledError());
  }

  async pause(milliseconds: number): Promise<void> {
    const { signal } = this.#cancellation;
    await sleep(milliseconds, undefined, { signal }).catch(() => {});
  }

  beforeWrite(): void {
    this.#cancellation.signal.throwIfAborted();
    const call = currentCall();
    call?.deadline.throwIfAborted();
    if (call !== undefined) call.wrote = true;
  }

  /**
   * At the cancellation, or after its time, a call that sent nothing ends at once, and so does the wait of a change that
   * the API refused so far. A change on its way is awaited, because its outcome must be recorded.
   */
  async run<Result>(urn: string | undefined, work: () => Promise<Result>, limit?: Limit): Promise<Result> {
    const deadline = new AbortController();
    const call: EngineCall = { urn, deadline: deadline.signal, wrote: false };
    const ended = AbortSignal.any([this.#cancellation.signal, deadline.signal]);
    const timer =
      limit !== undefined && limit.seconds > 0
        ? setTimeout(() => deadline.abort(passed(limit, call)), Math.min(limit.seconds * 1000, LONGEST_MS))
        : undefined;
    try {
      return await calls.run(call, () => {
        const working = work();
        return Promise.race([working, unlessWrote(call, working, ended)]);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #either(signal: AbortSignal | undefined): AbortSignal {
    const call = currentCall();
    // Reads after a write find out what became of it.
    const deadline = call?.wrote && call.waiting === "GET" ? undefined : call?.deadline;
    return AbortSignal.any([this.#cancellation.signal, signal, deadline].filter((one) => one !== undefined));
  }
}

/** Rejects with a signal's reason; after a change, becomes the call's own result. */
function unlessWrote<Result>(call: EngineCall, work: Promise<Result>, ended: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const end = () => (call.wrote ? resolve(work) : reject(ended.reason));
    if (ended.aborted) end();
    else ended.addEventListener("abort", end);
  });
}

function passed(
  { seconds, withoutChange = "and nothing was sent", rateLimitWaitMs }: Limit,
  { wrote }: EngineCall,
) {
  const when = wrote ? "before the API confirmed the change" : withoutChange;
  const waitMs = rateLimitWaitMs();
  const limit = waitMs > 0 ? ` Rate limit reached: requests resume in ${Math.ceil(waitMs / 1000)}s.` : "";
  return new Error(
    `The timeout of ${seconds}s (customTimeouts) has passed, ${when}.${limit} Raise it, or run the command again.`,
  );
}
