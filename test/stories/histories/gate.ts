import { Agent, type Dispatcher } from "undici";
import type { History } from "./history.js";

export const GATEWAY = "https://gateway.example";

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
  #answers = 0;

  constructor(
    seed: number,
    { dates, target }: Partial<Pick<History, "dates">> & { readonly target: string },
  ) {
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
        const isGateway = options.origin?.toString() === GATEWAY;
        dispatch(
          { ...options, ...(isGateway && { origin: target }) },
          ending(handler, end, (headers) =>
            this.#dated(isGateway ? linked(headers, target) : headers, dates),
          ),
        );
      });
      this.#next();
      return true;
    });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #dated(headers: Headers, dates?: History["dates"]): Headers {
    const { date, ...others } = headers;
    this.#answers += 1;
    if (dates === "absent") return others;
    if (dates === undefined || this.#answers % dates.each !== 0) return headers;
    return { ...others, date: new Date(Date.parse(String(date)) + dates.ahead * 1_000).toUTCString() };
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

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

/** Pages follow each other through the gateway. */
function linked({ link, ...headers }: Headers, target: string): Headers {
  return link === undefined ? headers : { ...headers, link: String(link).replaceAll(target, GATEWAY) };
}

/** A handler that also notes when the response has ended, whatever way. */
function ending(
  handler: Dispatcher.DispatchHandler,
  end: () => void,
  rewritten: (headers: Headers) => Headers,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStart: (controller, status, headers, message) =>
      handler.onResponseStart?.(controller, status, rewritten(headers), message),
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
