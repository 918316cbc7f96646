import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** The tests that have to notice a mutant: those of the lifecycle and of the client that need only Node. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, "..", ".."),
    include: ["test/{provider,client,plugin,protocol,resources}/**/*.test.ts"],
    // It starts processes of the built package, in which no mutant is.
    exclude: ["test/provider/engine-alive.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
