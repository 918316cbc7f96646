/** A resource that has declared something. */
export interface Claimant {
  /** Name of the resource in the program. */
  readonly resource: string;
  /** True if what it claims is secret. */
  readonly secret: boolean;
  /** True if it imports an object that is there. */
  readonly imports: boolean;
}

/** The declarations of a program that only one resource may make. */
export class Claims {
  readonly #claimants = new Map<string, Claimant>();
  readonly #numbers = new WeakMap<object, number>();
  #count = 0;

  /** @returns who has claimed the same before, if it is another one */
  claim(key: string, claimant: Claimant): Claimant | undefined {
    const first = this.#claimants.get(key);
    if (first === undefined) this.#claimants.set(key, claimant);
    return first === claimant ? undefined : first;
  }

  /** Returns a number for an object of this process, as a part of a key. */
  numberOf(thing: object): number {
    const number = this.#numbers.get(thing) ?? ++this.#count;
    this.#numbers.set(thing, number);
    return number;
  }
}
