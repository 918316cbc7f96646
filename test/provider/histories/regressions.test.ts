import { describe, expect, test } from "vitest";
import { misjudged } from "./misjudged.js";
import { play } from "./play.js";
import { regressions } from "./regressions.js";

describe("a history that once went wrong", () => {
  for (const { title, history } of [...regressions, ...misjudged]) {
    test(title, async () => {
      const { wrong } = await play(history);
      expect(wrong).toEqual([]);
    });
  }
});
