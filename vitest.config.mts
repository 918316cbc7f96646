import { defineConfig } from "vitest/config";

/**
 * Two projects: `fast` needs nothing but Node and finishes in seconds, `engine` drives the real Pulumi CLI.
 * Both test the package as users get it: the built output, by its public names.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: ["test/engine/**"],
          // Only against what hangs: the machine may be busy with the engine tests.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "engine",
          include: ["test/engine/**/*.test.ts"],
          testTimeout: 240_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          globalSetup: "test/engine/quick-start.ts",
        },
      },
    ],
  },
});
