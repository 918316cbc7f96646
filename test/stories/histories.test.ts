import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../support/cases.js";
import { counted } from "./histories/count.js";
import { history } from "./histories/history.js";
import { type Count, noCount } from "./histories/life.js";
import { play } from "./histories/play.js";

const { count: COUNT, replay } = counted(cases(30), 20261121);

async function playAll(numRuns: number, faults: number): Promise<Count> {
  const total = noCount();
  await fc.assert(
    fc.asyncProperty(history(faults), async (one) => {
      const { wrong, count } = await play(one);
      for (const what of Object.keys(total) as (keyof Count)[]) total[what] += count[what];
      expect(wrong).toEqual([]);
    }),
    { numRuns, ...replay },
  );
  process.stdout.write(
    `${numRuns} histories with at most ${faults} faults a command: ${JSON.stringify(total)}\n`,
  );
  return total;
}

test(`while others act, nothing is lost, doubled or taken from others: ${Math.ceil(COUNT / 3)} histories`, async () => {
  const { faults } = await playAll(Math.ceil(COUNT / 3), 0);
  expect(faults).toBe(0);
}, 7_200_000);

test(`whatever goes wrong, nothing is lost, doubled or taken from others: ${COUNT} histories`, async () => {
  const { faults, meanwhile } = await playAll(COUNT, 6);
  // Histories without a fault or without others confirm little.
  if (COUNT >= 30 && replay.path === undefined) {
    expect(faults).toBeGreaterThan(COUNT);
    expect(meanwhile).toBeGreaterThan(COUNT);
  }
}, 7_200_000);
