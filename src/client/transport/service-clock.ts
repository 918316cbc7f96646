import { type ExchangeOutcome, header, type OnTheWay } from "./exchange.js";

/** `Date` has whole seconds, and so may the times of objects. */
const SECOND = 1_000;
/** The latest responses with a `Date` that count: a clock is corrected now and then. */
const MOST_READINGS = 50;
/** Clocks of one service's machines differ by less. Otherwise some `Date` is wrong, and nobody knows which. */
const MOST_DIFFERENCE = 10 * SECOND;

interface ClockReading {
  readonly least: number;
  readonly most: number;
}

/**
 * The service's own clock, known within two bounds: how far it is ahead of this machine's at least and at most.
 *
 * A response was made between the moment its request left and the moment it arrived, and its `Date` is rounded down. One
 * response that contradicts all others doesn't count. If several contradict each other by much, and before the first
 * response with a `Date`, the clock is unknown.
 */
export class ServiceClock {
  readonly #readings: ClockReading[] = [];

  learn(outcome: ExchangeOutcome): void {
    if (outcome.kind !== "response") return;
    const date = Date.parse(header(outcome.headers, "date") ?? "");
    if (Number.isNaN(date)) return;
    // A response that comes from a cache was made before its request was sent.
    const isFresh = Number(header(outcome.headers, "age") ?? 0) === 0;
    const most =
      isFresh && outcome.sentAt !== undefined ? date + SECOND - outcome.sentAt : Number.POSITIVE_INFINITY;
    this.#readings.push({ least: date - outcome.endedAt, most });
    if (this.#readings.length > MOST_READINGS) this.#readings.shift();
  }

  /** False is certain, also where the clock is unknown or nothing was sent. True may be wrong by about a second. */
  mayHaveHappenedDuring({ sentAt, endedAt }: OnTheWay, reported: string): boolean {
    const ahead = this.#bounds();
    if (sentAt === undefined || ahead === undefined) return false;
    const earliest = sentAt + ahead.least;
    const latest = endedAt + ahead.most;
    const time = Date.parse(reported);
    const grain = /\.\d/.test(reported) ? 1 : SECOND;
    return time + grain > earliest && time <= latest;
  }

  /** Returns what the service's clock shows at a moment of this machine's: the same where that may be, or nothing is known. */
  at(moment: number): number {
    const ahead = this.#bounds();
    return ahead === undefined ? moment : moment + Math.min(Math.max(0, ahead.least), ahead.most);
  }

  /** Returns the earliest time that the service's clock may show at a moment of this machine's; undefined if it is unknown. */
  earliestAt(moment: number): number | undefined {
    const ahead = this.#bounds();
    return ahead && moment + ahead.least;
  }

  /** Whether responses have told the time. */
  get isTold(): boolean {
    return this.#bounds() !== undefined;
  }

  #bounds(): ClockReading | undefined {
    const all = this.#readings;
    const withoutOne = all.length < 3 ? [] : all.map((one) => all.filter((other) => other !== one));
    return [all, ...withoutOne].map(boundsOf).find((bounds) => bounds !== undefined);
  }
}

/** Returns the bounds of readings that agree; undefined where there are none, or they contradict each other. */
function boundsOf(readings: readonly ClockReading[]): ClockReading | undefined {
  const least = Math.max(...readings.map((reading) => reading.least));
  const most = Math.min(...readings.map((reading) => reading.most));
  if (!Number.isFinite(least) || !Number.isFinite(most) || least - most > MOST_DIFFERENCE) return undefined;
  // Machines of one service differ, so either bound may be the smaller one.
  return { least: Math.min(least, most), most: Math.max(least + SECOND, most) };
}
