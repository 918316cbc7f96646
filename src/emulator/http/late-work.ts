interface Due {
  readonly at: number;
  readonly work: (at: Date) => void;
}

/** Work that the service finishes after it has answered, or after the caller has given up. */
export class LateWork {
  #waiting: Due[] = [];
  readonly #clock: () => Date;

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  /** Plans work; it runs with the time at which it is due. */
  plan(afterMs: number, work: (at: Date) => void): void {
    this.#waiting.push({ at: this.#clock().getTime() + afterMs, work });
    this.#waiting.sort((one, other) => one.at - other.at);
  }

  /** Does the work that is due. */
  catchUp(): void {
    this.#doUntil(this.#clock().getTime());
  }

  /** Does everything that waits. Returns how many pieces of work that was. */
  finish(): number {
    return this.#doUntil(Number.POSITIVE_INFINITY);
  }

  clear(): void {
    this.#waiting = [];
  }

  #doUntil(time: number): number {
    let done = 0;
    while (this.#waiting[0] !== undefined && this.#waiting[0].at <= time) {
      const [due] = this.#waiting.splice(0, 1);
      due?.work(new Date(due.at));
      done += 1;
    }
    return done;
  }
}
