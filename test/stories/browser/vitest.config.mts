import { defineConfig } from "vitest/config";

/** Needs a Chromium, which a fresh machine may not have: a command of its own, `npm test -- browser`. */
export default defineConfig({
  test: {
    name: "browser",
    include: ["test/stories/browser/**/*.browser.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
