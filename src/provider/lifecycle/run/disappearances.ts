/** After this time without a further read, a refresh is complete. Only a kind's first missing object waits for it. */
const QUIET_MS = 1_000;

/**
 * The objects that reads found missing and a role may hide. One may have been deleted; several at once rather mean that
 * the user of the access token lost a role. Because the engine asks for one object at a time, from several workers, the
 * first one waits until no other read is under way.
 */
export class Disappearances {
  readonly #missing = new Map<string, Set<string>>();
  /** Each resolves when the read ended, or waits for the others. */
  readonly #underWay = new Set<Promise<void>>();
  #begun = 0;

  constructor(private readonly pause: (milliseconds: number) => Promise<void>) {}

  /** Does a read that others may wait for. It calls `waits` when it waits for the others from now on. */
  async reading<Result>(read: (waits: () => void) => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waits = () => {
      this.#underWay.delete(promise);
      resolve();
    };
    this.#begun += 1;
    this.#underWay.add(promise);
    try {
      return await read(waits);
    } finally {
      waits();
    }
  }

  /** Waits for the reads that belong to it. @returns the ids of all missing objects of the group, which vanish together */
  async with(waits: () => void, group: string, id: string): Promise<ReadonlySet<string>> {
    const missing = this.#missing.get(group) ?? new Set();
    this.#missing.set(group, missing.add(id));
    waits();
    for (;;) {
      await Promise.all(this.#underWay);
      const begun = this.#begun;
      if (missing.size === 1) await this.pause(QUIET_MS);
      if (missing.size > 1 || this.#begun === begun) return missing;
    }
  }
}
