import { Agent, type Dispatcher } from "undici";

/**
 * A network on which one request is under way at a time. Which of those that wait comes next is decided by a number, so
 * that parallel work meets the service in an order that a seed repeats.
 */
export class Gate {
  readonly dispatcher: Dispatcher;
  readonly #agent = new Agent({ connections: 1, pipelining: 1 });
  readonly #waiting: (() => void)[] = [];
  #busy = false;
  #random: number;

  constructor(seed: number) {
    this.#random = seed >>> 0;
    this.dispatcher = this.#agent.compose((dispatch) => (options, handler) => {
      this.#waiting.push(() => {
        let ended = false;
        const end = () => {
          if (ended) return;
          ended = true;
          this.#busy = false;
          this.#next();
        };
        dispatch(options, ending(handler, end));
      });
      this.#next();
      return true;
    });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #next(): void {
    if (this.#busy || this.#waiting.length === 0) return;
    this.#busy = true;
    // Whoever is about to ask as well has asked by then.
    setImmediate(() => {
      const [start] = this.#waiting.splice(this.#chosen(), 1);
      start?.();
    });
  }

  /** The first one with the seed 0, so that shrinking ends with the plainest order. */
  #chosen(): number {
    if (this.#random === 0) return 0;
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
    return (this.#random >>> 8) % this.#waiting.length;
  }
}

/** A handler that also notes when the response has ended, whatever way. */
function ending(handler: Dispatcher.DispatchHandler, end: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStart: (...start) => handler.onResponseStart?.(...start),
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => {
      handler.onResponseEnd?.(controller, trailers);
      end();
    },
    onResponseError: (controller, error) => {
      handler.onResponseError?.(controller, error);
      end();
    },
  };
}
