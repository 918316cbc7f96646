import { type Exchange, header, type OnTheWay, type Outcome } from "./exchange.js";

/** `Date` has whole seconds, and so may the times of objects. */
const SECOND = 1_000;

/**
 * The service's own clock, known within two bounds: how far it is ahead of this machine's at least and at most.
 *
 * A response was made between the moment its request left and the moment it arrived, and its `Date` is rounded down.
 */
export class ServiceClock {
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;
  /** When the request was on its way that led to a result or an error. */
  readonly #stamps = new WeakMap<object, OnTheWay>();

  /** Wraps an exchange, so that its responses narrow the bounds. */
  watching(exchange: Exchange): Exchange {
    return async (request, signal) => {
      const outcome = await exchange(request, signal);
      this.#learn(outcome);
      return outcome;
    };
  }

  /** Remembers when the request was on its way that led to a result or an error. @returns the same result or error */
  stamped<Thing>(thing: Thing, { sentAt, endedAt }: OnTheWay): Thing {
    if (typeof thing === "object" && thing !== null) this.#stamps.set(thing, { sentAt, endedAt });
    return thing;
  }

  /** Checks whether something may have happened while the request was on its way that led to a result or an error. */
  mayHaveHappenedDuring(thing: object, reported: string): boolean {
    const { sentAt, endedAt } = this.#stamps.get(thing) ?? {};
    if (sentAt === undefined || endedAt === undefined) return false;
    // Machines of one service differ and are corrected, so either bound may be the smaller one.
    const earliest = sentAt + Math.min(this.#least, this.#most);
    const latest = endedAt + Math.max(this.#least + SECOND, this.#most);
    const time = Date.parse(reported);
    const grain = /\.\d/.test(reported) ? 1 : SECOND;
    return time + grain > earliest && time <= latest;
  }

  #learn(outcome: Outcome): void {
    if (outcome.kind !== "response") return;
    const date = Date.parse(header(outcome.headers, "date") ?? "");
    if (Number.isNaN(date)) return;
    this.#least = Math.max(this.#least, date - outcome.endedAt);
    // A response that comes from a cache was made before its request was sent.
    const isFresh = Number(header(outcome.headers, "age") ?? 0) === 0;
    if (isFresh && outcome.sentAt !== undefined) {
      this.#most = Math.min(this.#most, date + SECOND - outcome.sentAt);
    }
  }
}
