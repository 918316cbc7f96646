import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/engine/states/record.ts"],
    globalSetup: "test/engine/quick-start.ts",
    setupFiles: "test/support/each-file.ts",
  },
});
