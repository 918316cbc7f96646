import fc from "fast-check";
import { expect, test } from "vitest";
import { type History, history } from "./histories/history.js";
import { type Count, noCount } from "./histories/life.js";
import { play } from "./histories/play.js";

/** How many histories are played; `npm run test:histories` plays 10,000. */
const COUNT = Number(process.env.HISTORIES ?? 60);
/** What a failure prints, to play the same again: `HISTORIES_SEED=… HISTORIES_PATH=… npm run test:histories`. */
const { HISTORIES_PATH: path } = process.env;
/** The same histories in every run of `npm test`; new ones where their number is given. */
const seed = process.env.HISTORIES_SEED ?? (process.env.HISTORIES === undefined ? "20261121" : undefined);

/** Plays histories. @returns what happened in all of them together */
async function playAll(count: number, histories: fc.Arbitrary<History>): Promise<Count> {
  const total = noCount();
  await fc.assert(
    fc.asyncProperty(histories, async (one) => {
      const { wrong, count } = await play(one);
      total.requests += count.requests;
      total.meanwhile += count.meanwhile;
      total.between += count.between;
      total.faults += count.faults;
      total.canceled += count.canceled;
      total.mistaken += count.mistaken;
      total.commands += count.commands;
      expect(wrong).toEqual([]);
    }),
    {
      numRuns: count,
      ...(seed === undefined ? {} : { seed: Number(seed) }),
      ...(path === undefined ? {} : { path }),
    },
  );
  return total;
}

function report(
  what: string,
  count: number,
  { commands, requests, faults, canceled, mistaken, meanwhile, between }: Count,
): void {
  process.stdout.write(
    `${count} histories ${what}: ${commands} commands, ${requests} moments between two requests, in which others ` +
      `acted ${meanwhile} times, and ${between} times between commands; ${faults} faults struck, ${canceled} ` +
      `commands were canceled during a rate-limit wait, and ${mistaken} times an equal object of others was ` +
      "recorded in the window of a lost response\n",
  );
}

test(`while others act, nothing is lost, doubled or taken from others: ${Math.ceil(COUNT / 3)} histories`, async () => {
  const quiet = await playAll(Math.ceil(COUNT / 3), history(0));
  report("without faults", Math.ceil(COUNT / 3), quiet);
  expect(quiet.faults).toBe(0);
}, 7_200_000);

test(`whatever goes wrong, nothing is lost, doubled or taken from others: ${COUNT} histories`, async () => {
  const total = await playAll(COUNT, history(6));
  report("with faults", COUNT, total);
  // A history without a fault or without others confirms little.
  if (path === undefined) {
    expect(total.faults).toBeGreaterThan(COUNT);
    expect(total.meanwhile).toBeGreaterThan(COUNT);
  }
}, 7_200_000);
