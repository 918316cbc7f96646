// A preview without a refresh, with one, and with one that reads more objects at a time.
import { program } from "./engine.mjs";
import { dynamic } from "./stack.mjs";
import { delayResponses, inTurns, openStack } from "./turns.mjs";

/** @typedef {{ resources: number, latencyMs: number, commands: import("./turns.mjs").Figures<"own"> }} RefreshFigures */

/** Of each response of the API. */
const LATENCY_MS = 50;
const ROUNDS = 3;
/** The state is written once: at each step, it takes minutes. */
const ONCE = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/** @type {Parameters<typeof inTurns>[1]} */
const PREVIEWS = {
  preview: (stack) => stack.preview({ expectNoChanges: true }),
  "preview --refresh": (stack) => stack.preview({ expectNoChanges: true, refresh: true }),
  "preview --refresh --parallel 32": (stack) =>
    stack.preview({ expectNoChanges: true, refresh: true, parallel: 32 }),
};

/** @param {readonly number[]} sizes @returns {Promise<RefreshFigures[]>} */
export async function measureRefreshes(sizes) {
  const figures = [];
  for (const resources of sizes) {
    const own = await openStack("own", () => program(resources, dynamic), ONCE);
    await own.stack.up();
    delayResponses([own], LATENCY_MS);
    figures.push({ resources, latencyMs: LATENCY_MS, commands: await inTurns([own], PREVIEWS, ROUNDS) });
  }
  return figures;
}
