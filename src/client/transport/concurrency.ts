import type { Exchange } from "./exchange.js";

/** Lets at most `limit` requests be on their way at once; the others wait in order, and their time-outs wait too. */
export function limitConcurrency(exchange: Exchange, limit: number): Exchange {
  const waiting: (() => void)[] = [];
  let running = 0;

  const enter = (signal: AbortSignal | undefined): Promise<void> => {
    if (running < limit) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(proceed), 1);
        reject(signal?.reason);
      };
      const proceed = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      signal?.addEventListener("abort", leave, { once: true });
      waiting.push(proceed);
    });
  };

  return async (request, signal) => {
    signal?.throwIfAborted();
    await enter(signal);
    try {
      return await exchange(request, signal);
    } finally {
      // The place is handed on rather than given back, so that nobody can slip in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
