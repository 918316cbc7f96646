import { Agent, type Dispatcher } from "undici";
import type { Clock } from "../../src/client/index.js";

/**
 * Time that passes only while everybody waits: the next wait ends when no request is on its way any more. Clients that
 * share it, with its network, and a service that goes by its date behave as in real time, in no time.
 */
export class Simulation implements Clock {
  readonly dispatcher: Dispatcher;
  readonly #agent = new Agent();
  readonly #sleepers: { end: number; wake: () => void }[] = [];
  #time = Date.parse("2030-01-01T00:00:00Z");
  #onTheWay = 0;
  #moving = false;

  constructor() {
    this.dispatcher = this.#agent.compose((dispatch) => (options, handler) => {
      this.#onTheWay += 1;
      const over = () => {
        this.#onTheWay -= 1;
        this.#move();
      };
      return dispatch(options, {
        onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
        onResponseStart: (...response) => handler.onResponseStart?.(...response),
        onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
        onResponseEnd: (controller, trailers) => {
          handler.onResponseEnd?.(controller, trailers);
          over();
        },
        onResponseError: (controller, error) => {
          handler.onResponseError?.(controller, error);
          over();
        },
      });
    });
  }

  now(): number {
    return this.#time;
  }

  /** The same time for a service. */
  readonly date = (): Date => new Date(this.#time);

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const woken = new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const sleeper = { end: this.#time + ms, wake };
      signal?.addEventListener("abort", leave, { once: true });
      this.#sleepers.push(sleeper);
    });
    this.#move();
    await woken;
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  /** Wakes the one that sleeps least, once all that follows from what just happened has been sent. */
  #move(): void {
    if (this.#moving) return;
    this.#moving = true;
    setImmediate(() => {
      this.#moving = false;
      if (this.#onTheWay > 0) return;
      const [next] = this.#sleepers.sort((a, b) => a.end - b.end);
      if (next === undefined) return;
      this.#sleepers.shift();
      this.#time = Math.max(this.#time, next.end);
      next.wake();
      this.#move();
    });
  }
}
