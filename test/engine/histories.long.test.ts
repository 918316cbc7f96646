import fc from "fast-check";
import { expect, test } from "vitest";
import { shortHistory } from "../provider/histories/history.js";
import { Life } from "../provider/histories/live.js";
import { backends, classesOf } from "./backends.js";
import { RealEngine } from "./histories/real-engine.js";
import { TestStack } from "./stack.js";

/** How many histories are played; `npm run test:histories:engine` plays more. */
const COUNT = Number(process.env.HISTORIES ?? 2);
const SEED = Number(process.env.HISTORIES_SEED ?? 20261121);
/** What a failure prints, to play the same again. */
const { HISTORIES_PATH: path } = process.env;

test.each(backends)(
  `${COUNT} histories through the real engine lose nothing and duplicate nothing, %s backend`,
  async (backend) => {
    let struck = 0;
    await fc.assert(
      fc.asyncProperty(shortHistory, async (chapters) => {
        const stack = await TestStack.start();
        try {
          const life = new Life(stack.emulator, new RealEngine(stack, classesOf[backend]));
          const wrong = await life.playAll(chapters);
          struck += life.struck;
          expect(wrong).toEqual([]);
        } finally {
          await stack.close();
        }
      }),
      // Each try takes seconds, so a failure is told as it is found.
      { numRuns: COUNT, seed: SEED, endOnFailure: true, ...(path === undefined ? {} : { path }) },
    );
    process.stdout.write(`${COUNT} histories through the real engine, in which ${struck} faults struck\n`);
    expect(struck).toBeGreaterThan(0);
  },
  7_200_000,
);
