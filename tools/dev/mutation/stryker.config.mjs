// Runs as `npm test -- mutation`. SAMPLE=3/8 takes the third eighth. MUTATE and TESTS name other files:
// SAMPLE=3/40 MUTATE='src/review/report/**/*.ts' TESTS='test/review/report/*.test.ts' npm test -- mutation
// @ts-check
import { sampled } from "./sample.mjs";

const kept = ".buildpipeline/mutation";
const { SAMPLE, MUTATE } = process.env;
const mutated = MUTATE?.split(" ") ?? ["src/provider/**/*.ts", "src/client/transport/**/*.ts"];

export default {
  testRunner: "vitest",
  vitest: { configFile: "tools/dev/mutation/vitest.config.mts" },
  mutate: SAMPLE === undefined ? mutated : sampled(SAMPLE, mutated),
  coverageAnalysis: "perTest",
  // Their mutants run once for a module, not for a test: each would need all tests.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `${kept}/incremental.json`,
  tempDirName: `${kept}/sandbox`,
  ignorePatterns: [
    "/*",
    "!/src",
    "!/test",
    "!/tools",
    "!/docs",
    "!/dist",
    "!/package.json",
    "!/tsconfig*.json",
  ],
  reporters: ["progress-append-only", "clear-text", "html", "json"],
  htmlReporter: { fileName: `${kept}/report.html` },
  jsonReporter: { fileName: `${kept}/report.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  concurrency: 1,
  // The default of five minutes is too short on a busy machine.
  dryRunTimeoutMinutes: 30,
  thresholds: { high: 90, low: 85, break: null },
};
