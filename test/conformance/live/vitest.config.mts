import { defineConfig } from "vitest/config";

/** Deploys to the service of the environment: a command of its own, `npm test -- live`. */
export default defineConfig({
  test: {
    name: "live",
    include: ["test/conformance/live/**/*.live.ts"],
    globalSetup: "test/engine/quick-start.ts",
    setupFiles: "test/support/each-file.ts",
    // A service may let requests wait for a minute.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
