// A preview without a refresh, with one, and with one that reads more objects at a time.
import { program } from "./engine.mjs";
import { dynamic, makeStack, openScene } from "./stack.mjs";

/**
 * @typedef {keyof typeof previews} Preview
 * @typedef {{ resources: number, latencyMs: number, previews: Record<Preview, { requests: number, seconds: number }> }}
 *   RefreshFigures
 */

/** Of each response of the API. */
const LATENCY_MS = 50;
/** The fastest of so many rounds counts, because other work on the machine only adds time. */
const ROUNDS = 3;
/** The state is written once: at each step, it takes minutes. */
const ONCE = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

const previews = {
  preview: { expectNoChanges: true },
  "preview --refresh": { expectNoChanges: true, refresh: true },
  "preview --refresh --parallel 32": { expectNoChanges: true, refresh: true, parallel: 32 },
};

/** @param {readonly number[]} sizes @returns {Promise<RefreshFigures[]>} */
export async function measureRefreshes(sizes) {
  const figures = [];
  for (const size of sizes) figures.push(await measureSize(size));
  return figures;
}

/** @param {number} resources @returns {Promise<RefreshFigures>} */
async function measureSize(resources) {
  const scene = await openScene();
  const { emulator } = scene;
  const never = { requests: 0, seconds: Number.POSITIVE_INFINITY };
  /** @type {RefreshFigures["previews"]} */
  const fastest = {
    preview: never,
    "preview --refresh": never,
    "preview --refresh --parallel 32": never,
  };
  try {
    const stack = await makeStack(scene, async () => program(resources, dynamic), ONCE);
    await stack.up();
    emulator.fault({ times: Number.POSITIVE_INFINITY, action: { delayMs: LATENCY_MS } });
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, options] of Object.entries(previews)) {
        emulator.clearRequests();
        const start = performance.now();
        await stack.preview(options);
        const seconds = (performance.now() - start) / 1000;
        const known = fastest[/** @type {Preview} */ (name)];
        if (seconds < known.seconds)
          fastest[/** @type {Preview} */ (name)] = { requests: emulator.requests.length, seconds };
      }
    }
    return { resources, latencyMs: LATENCY_MS, previews: fastest };
  } finally {
    await scene.close();
  }
}
