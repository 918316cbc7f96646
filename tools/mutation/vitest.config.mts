import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** The tests that have to notice a mutant: those of the lifecycle and of the client that need only Node. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, "..", ".."),
    include: ["test/{provider,client}/**/*.test.ts"],
    // They compare a table in docs, start processes of the built package, or play thousands of steps.
    exclude: ["test/provider/{fault-matrix,engine-alive,histories}.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
