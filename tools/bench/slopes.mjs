// What one further resource costs: commands of the CLI with few resources and with many, beside the engine's floors.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pulumiEnvironment } from "../dev/pulumi-cli/locate.mjs";
import { bytesOf, keep } from "./beside.mjs";
import { measuring } from "./measured-command.mjs";
import { openScene } from "./stack.mjs";
import { delayResponses } from "./turns.mjs";

const LATENCY_MS = 50;
const ROUNDS = 2;
const FEWER = 5;
const PROVIDERS = /** @type {const} */ (["package", "floor", "floor that keeps and waits"]);
const MEASURED = ["time", "all", "program", "provider"];
const ALL = ["--yes", "--skip-preview"];
/** @type {Record<string, readonly string[]>} */
const COMMANDS = {
  create: ["up", ...ALL, "--refresh=false"],
  "unchanged preview": ["preview", "--refresh=false", "--expect-no-changes"],
  refresh: ["refresh", ...ALL],
  destroy: ["destroy", ...ALL, "--refresh=false"],
};

/**
 * @typedef {(typeof PROVIDERS)[number]} Provider
 * @typedef {{ sizes: readonly [number, number], latencyMs: number, stateBytes: Record<Provider, number>,
 *   slopes: { command: string, what: string, ms: Record<Provider, number> }[] }} SlopeFigures
 */

/** @param {number} most @returns {Promise<SlopeFigures>} */
export async function measureSlopes(most) {
  const sizes = /** @type {const} */ ([most / FEWER, most]);
  const shared = await openScene();
  const keptFile = join(shared.directory, "kept.json");
  writeFileSync(keptFile, "[]");
  /** @type {Map<import("./resources.cjs").Name, import("./resources.cjs").Kept>} */
  const kept = new Map();
  const stacks = [];
  for (const provider of PROVIDERS)
    for (const size of sizes) stacks.push(await open(provider, size, keptFile));
  const stateBytes = { package: 0, floor: 0, "floor that keeps and waits": 0 };
  /** What all rounds took, by the command, what was measured, the provider and the size. @type {Map<string, number>} */
  const sums = new Map();
  try {
    delayResponses(stacks, LATENCY_MS);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [command, args] of Object.entries(COMMANDS)) {
        for (const { provider, size, scene, run } of round % 2 === 0 ? stacks : stacks.toReversed()) {
          const { seconds, processorMs } = await run(args);
          for (const [what, ms] of Object.entries({ time: seconds * 1000, ...processorMs })) {
            const key = [command, what, provider, size].join("/");
            sums.set(key, (sums.get(key) ?? 0) + ms);
          }
          if (command !== "create" || round > 0) continue;
          const file = join(scene.directory, "exported.json");
          await run(["stack", "export", "--show-secrets", "--file", file]);
          const exported = JSON.parse(readFileSync(file, "utf8"));
          stateBytes[provider] = bytesOf(exported);
          if (provider !== "package") continue;
          keep(kept, exported, shared.directory);
          writeFileSync(keptFile, JSON.stringify([...kept]));
        }
      }
    }
  } finally {
    for (const { scene } of [...stacks, { scene: shared }]) await scene.close();
  }
  const slopes = Object.keys(COMMANDS).flatMap((command) =>
    MEASURED.map((what) => {
      const slope = (/** @type {Provider} */ provider) => {
        const [few, many] = sizes.map((size) => sums.get([command, what, provider, size].join("/")));
        return many === undefined || few === undefined
          ? Number.NaN
          : (many - few) / ROUNDS / (sizes[1] - sizes[0]);
      };
      const [own, floor, keeping] = PROVIDERS;
      return { command, what, ms: { [own]: slope(own), [floor]: slope(floor), [keeping]: slope(keeping) } };
    }),
  );
  return { sizes, latencyMs: LATENCY_MS, stateBytes, slopes };
}

/** @param {Provider} provider @param {number} size @param {string} keptFile */
async function open(provider, size, keptFile) {
  const scene = await openScene();
  const { directory, emulator } = scene;
  mkdirSync(join(directory, "state"));
  const backend = `file://${join(directory, "state")}`;
  writeFileSync(
    join(directory, "Pulumi.yaml"),
    `name: bench\nruntime: nodejs\nmain: index.cjs\nbackend:\n  url: ${backend}\n`,
  );
  const program = join(import.meta.dirname, "slope-program.cjs");
  writeFileSync(join(directory, "index.cjs"), `require(${JSON.stringify(program)});\n`);
  writeFileSync(join(directory, "package.json"), JSON.stringify({ name: "bench" }));
  const measured = measuring(emulator, {
    ...pulumiEnvironment(),
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_HOME: join(directory, "home"),
    BENCH_PROVIDER: provider,
    BENCH_RESOURCES: String(size),
    BENCH_KEPT: keptFile,
    BENCH_LATENCY_MS: String(LATENCY_MS),
  });
  const run = (/** @type {readonly string[]} */ args) =>
    measured(directory, "pulumi", [...args, "--non-interactive"]);
  await run(["stack", "init", "bench"]);
  return { name: provider, provider, size, scene, run };
}
