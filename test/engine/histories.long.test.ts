import fc from "fast-check";
import { expect, test } from "vitest";
import { shortHistory } from "../stories/histories/history.js";
import { backends } from "./backends.js";
import { playOnRealEngine } from "./histories/play.js";

/** How many histories are played; `HISTORIES=50` plays more. */
const COUNT = Number(process.env.HISTORIES ?? 2);
const SEED = Number(process.env.HISTORIES_SEED ?? 20261121);
/** What a failure prints, to play the same again. */
const { HISTORIES_PATH: path } = process.env;

test.each(backends)(
  `${COUNT} histories through the real engine lose nothing and duplicate nothing, %s backend`,
  async (backend) => {
    const total = { requests: 0, faults: 0, acts: 0 };
    await fc.assert(
      fc.asyncProperty(shortHistory, async (history) => {
        const { wrong, count } = await playOnRealEngine({ ...history, backend });
        total.requests += count.requests;
        total.faults += count.faults;
        total.acts += count.meanwhile + count.between;
        expect(wrong).toEqual([]);
      }),
      // Each try takes seconds, so a failure is reported as it is found.
      { numRuns: COUNT, seed: SEED, endOnFailure: true, ...(path === undefined ? {} : { path }) },
    );
    const { requests, faults, acts } = total;
    process.stdout.write(
      `${COUNT} histories through the real engine, ${backend} backend: ${requests} requests, ${faults} faults ` +
        `struck, others acted ${acts} times\n`,
    );
    expect(faults + acts).toBeGreaterThan(0);
  },
  7_200_000,
);
