import fc from "fast-check";
import { expect, test } from "vitest";
import { history } from "./histories/history.js";
import { type Count, noCount } from "./histories/life.js";
import { play } from "./histories/play.js";

/** How many histories are played; `HISTORIES=10000` plays more. */
const COUNT = Number(process.env.HISTORIES ?? 60);
/** What a failure prints, to play the same again: `HISTORIES_SEED=… HISTORIES_PATH=… npm test -- fast histories`. */
const { HISTORIES_PATH: path } = process.env;
/** The same histories in every run of `npm test`; new ones where their number is given. */
const seed = process.env.HISTORIES_SEED ?? (process.env.HISTORIES === undefined ? "20261121" : undefined);

async function playAll(numRuns: number, faults: number): Promise<Count> {
  const total = noCount();
  await fc.assert(
    fc.asyncProperty(history(faults), async (one) => {
      const { wrong, count } = await play(one);
      for (const what of Object.keys(total) as (keyof Count)[]) total[what] += count[what];
      expect(wrong).toEqual([]);
    }),
    {
      numRuns,
      ...(seed === undefined ? {} : { seed: Number(seed) }),
      ...(path === undefined ? {} : { path }),
    },
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
  // A history without a fault or without others confirms little.
  if (path === undefined) {
    expect(faults).toBeGreaterThan(COUNT);
    expect(meanwhile).toBeGreaterThan(COUNT);
  }
}, 7_200_000);
