import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isShort, rowsOf, seed } from "../support/cases.js";

test("random values are those of the commit, so that a failure repeats, unless a property has a seed of its own", () => {
  expect(fc.sample(fc.double(), 9)).toEqual(fc.sample(fc.double(), { numRuns: 9, seed }));
  expect(fc.sample(fc.double(), 9)).not.toEqual(fc.sample(fc.double(), { numRuns: 9, seed: seed + 1 }));
});

describe("Of a table of tests, `npm test` without a path plays rows", () => {
  const rows = Array.from({ length: 9 }, (_, index) => index);
  const played: number[] = [];

  test.each(rows)("%i", (row) => expect(played.push(row)).toBeGreaterThan(0));

  test("of the commit, and everything else all of them", () => {
    expect(played).toEqual(isShort ? rowsOf("%i", rows) : rows);
  });

  test("other ones for the next seeds until each was played, at least one of them", () => {
    const turns = [0, 1, 2, 3].map((turn) => rowsOf("%i", rows, seed + turn));
    expect(turns.flat().sort()).toEqual(rows);
    expect(turns.every(({ length }) => length > 0)).toBe(true);
    expect(rowsOf("%i", [1, 2, 3])).toEqual([1, 2, 3]);
  });
});
