import fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "../support/cases.js";

test("random values are those of the commit, so that a failure repeats, unless a property has a seed of its own", () => {
  expect(fc.sample(fc.double(), 9)).toEqual(fc.sample(fc.double(), { numRuns: 9, seed }));
  expect(fc.sample(fc.double(), 9)).not.toEqual(fc.sample(fc.double(), { numRuns: 9, seed: seed + 1 }));
});
