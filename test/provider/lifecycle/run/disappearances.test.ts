import { describe, expect, test } from "vitest";
import { Disappearances } from "../../../../src/provider/lifecycle/run/disappearances.js";

/** Pauses that last until a test ends them. */
class Pauses {
  readonly #ends: (() => void)[] = [];
  count = 0;

  readonly pause = (): Promise<void> => {
    this.count += 1;
    return new Promise((resolve) => this.#ends.push(resolve));
  };

  end(): void {
    for (const resolve of this.#ends.splice(0)) resolve();
  }
}

/** Lets everything run that waits for nothing outside. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function begun() {
  const pauses = new Pauses();
  const disappearances = new Disappearances(pauses.pause);
  const ended: Record<string, string[]> = {};
  const missing = (id: string, group = "teams") =>
    disappearances.reading(async (waits) => {
      ended[id] = [...(await disappearances.with(waits, group, id))];
    });
  return { pauses, disappearances, ended, missing };
}

describe("An object that a read found missing", () => {
  test("waits for a read that is under way, and learns that its object is missing as well", async () => {
    const { pauses, disappearances, ended, missing } = begun();
    let proceed = () => {};
    const other = disappearances.reading(async (waits) => {
      await new Promise((resolve) => {
        proceed = () => resolve(undefined);
      });
      ended.b = [...(await disappearances.with(waits, "teams", "b"))];
    });
    const work = missing("a");
    await settled();
    expect({ pauses: pauses.count, ended }).toEqual({ pauses: 0, ended: {} });
    proceed();
    await Promise.all([work, other]);
    expect(ended).toEqual({ a: ["a", "b"], b: ["a", "b"] });
    expect(pauses.count).toBe(0);
  });

  test("pauses again after a read that began in the pause and found its object", async () => {
    const { pauses, disappearances, ended, missing } = begun();
    const work = missing("a");
    await settled();
    await disappearances.reading(async () => undefined);
    pauses.end();
    await settled();
    expect({ pauses: pauses.count, ended }).toEqual({ pauses: 2, ended: {} });
    pauses.end();
    await work;
    expect(ended).toEqual({ a: ["a"] });
  });

  test("learns of an object that was found missing in the pause", async () => {
    const { pauses, ended, missing } = begun();
    const work = missing("a");
    await settled();
    await missing("b");
    expect(ended).toEqual({ b: ["a", "b"] });
    pauses.end();
    await work;
    expect(ended).toEqual({ a: ["a", "b"], b: ["a", "b"] });
    expect(pauses.count).toBe(1);
  });

  test("does not count in another group", async () => {
    const { pauses, ended, missing } = begun();
    const work = Promise.all([missing("a"), missing("b", "templates")]);
    await settled();
    pauses.end();
    await work;
    expect(ended).toEqual({ a: ["a"], b: ["b"] });
  });

  test("does not wait for a read that failed", async () => {
    const { pauses, disappearances, ended, missing } = begun();
    await expect(disappearances.reading(() => Promise.reject(new Error("No")))).rejects.toThrow("No");
    const work = missing("a");
    await settled();
    expect(pauses.count).toBe(1);
    pauses.end();
    await work;
    expect(ended).toEqual({ a: ["a"] });
  });
});
