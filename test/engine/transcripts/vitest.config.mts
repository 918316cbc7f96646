import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/engine/transcripts/record.ts"],
    globalSetup: "test/engine/quick-start.ts",
    setupFiles: "test/support/each-file.ts",
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
});
