import type { Clock } from "../clock.js";
import { type Exchange, header } from "./exchange.js";

/** The service's own clock, as its answers tell it: the moment of an answer cannot be judged by the clock of this machine. */
export class ServiceClock {
  readonly #clock: Clock;
  #ahead: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number | undefined {
    return this.#ahead === undefined ? undefined : this.#clock.now() + this.#ahead;
  }

  /** An exchange whose responses set this clock. */
  watching(exchange: Exchange): Exchange {
    return async (request, signal) => {
      const outcome = await exchange(request, signal);
      const told =
        outcome.kind === "response" ? Date.parse(header(outcome.headers, "date") ?? "") : Number.NaN;
      if (!Number.isNaN(told)) this.#ahead = told - this.#clock.now();
      return outcome;
    };
  }
}
