import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Vitest begins with the slowest file. Most mutants are noticed by many, and the first failure ends a run. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse();
  }
}

/** The tests that have to notice a mutant: those of the lifecycle and of the client that need only Node. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, "..", "..", ".."),
    include: [
      "test/{provider,client,stories,shared/protocol,commands/import,commands/adopt}/**/*.test.ts",
      "test/examples/error-messages.test.ts",
    ],
    exclude: [
      // It starts processes of the built package, in which no mutant is.
      "test/provider/lifecycle/run/engine-alive.test.ts",
      // It takes 40 seconds for each mutant that survives.
      "test/stories/fault-matrix.test.ts",
    ],
    isolate: false,
    sequence: { sequencer: QuickestFirst },
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
