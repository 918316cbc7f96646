import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Every file of tests is a process, and some start more: what they load is compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, ".buildpipeline", "compile-cache");

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
          // Two where there are two cores: by itself it leaves one of them to the machine.
          maxWorkers: 2,
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
