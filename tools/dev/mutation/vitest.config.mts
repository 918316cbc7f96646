import { join } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Vitest begins with the slowest file. Most mutants are noticed by many, and the first failure ends a run. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse();
  }
}

/** Tests run commands of the compiled package, in which no mutant is: here, they run those of the source. */
const commandsOfSource: Plugin = {
  name: "commands-of-source",
  enforce: "pre",
  transform: (code, id) =>
    id.endsWith("/test/support/command.ts")
      ? code
          .replace(/^const (\{ run \}).*$/m, 'import $1 from "../../src/commands/program.js";')
          .replace(/^const (\{ systemClock \}).*$/m, 'import $1 from "../../src/client/index.js";')
      : undefined,
};

/** The tests that have to notice a mutant: those of the lifecycle and of the client that need only Node. */
export default defineConfig({
  plugins: [commandsOfSource],
  test: {
    root: join(import.meta.dirname, "..", "..", ".."),
    include: process.env.TESTS?.split(" ") ?? [
      "test/{provider,client,stories,shared/protocol,commands/import,commands/adopt}/**/*.test.ts",
    ],
    setupFiles: [
      "tools/dev/mutation/working-folder.mjs",
      "test/support/seed.ts",
      "test/support/each-file.ts",
    ],
    exclude: [
      // It starts processes of the built package, in which no mutant is.
      "test/provider/lifecycle/run/engine-alive.test.ts",
      // It takes 40 seconds for each mutant that survives.
      "test/stories/fault-matrix.test.ts",
    ],
    isolate: false,
    env: { CASES: "all" },
    sequence: { sequencer: QuickestFirst },
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
