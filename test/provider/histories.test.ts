import fc from "fast-check";
import { expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { Driver, SimulatedClock } from "./driver.js";
import { type Chapter, history } from "./histories/history.js";
import { Life } from "./histories/live.js";
import { ModelEngine } from "./histories/model-engine.js";

/** How many histories are played; `npm run test:histories` plays 10,000. */
const COUNT = Number(process.env.HISTORIES ?? 300);
/** What a failure prints, to play the same again: `HISTORIES_SEED=… HISTORIES_PATH=… npm run test:histories`. */
const { HISTORIES_PATH: path } = process.env;
/** The same histories in every run of `npm test`; new ones where their number is given. */
const seed = process.env.HISTORIES_SEED ?? (process.env.HISTORIES === undefined ? "20261121" : undefined);

async function play(chapters: readonly Chapter[]): Promise<{ struck: number; wrong: string[] }> {
  const clock = new SimulatedClock();
  const emulator = await startEmulator({ seed: false, clock: () => new Date(clock.now()) });
  // When nothing goes wrong any more, a machine that is busy for a moment must not look as if something did.
  const patience = () => (life.atEnd ? { timeoutMs: 60_000 } : {});
  const life: Life = new Life(emulator, new ModelEngine(() => Driver.for(emulator, {}, clock, patience())));
  try {
    const wrong = await life.playAll(chapters);
    return { struck: life.struck, wrong };
  } finally {
    await emulator.close();
  }
}

/** Plays histories, and counts what really went wrong in them. */
async function playAll(count: number, troubles: number): Promise<number> {
  let struck = 0;
  await fc.assert(
    fc.asyncProperty(history(troubles), async (chapters) => {
      const end = await play(chapters);
      struck += end.struck;
      expect(end.wrong).toEqual([]);
    }),
    {
      numRuns: count,
      ...(seed === undefined ? {} : { seed: Number(seed) }),
      ...(path === undefined ? {} : { path }),
    },
  );
  return struck;
}

test(`whatever changes, nothing is lost and nothing doubled: ${Math.ceil(COUNT / 3)} histories`, async () => {
  expect(await playAll(Math.ceil(COUNT / 3), 0)).toBe(0);
}, 3_600_000);

test(`whatever goes wrong, nothing is lost and nothing doubled: ${COUNT} histories`, async () => {
  const struck = await playAll(COUNT, 6);
  process.stdout.write(`${COUNT} histories, in which ${struck} faults struck\n`);
  // A history without a fault proves little.
  if (path === undefined) expect(struck).toBeGreaterThan(COUNT);
}, 3_600_000);
