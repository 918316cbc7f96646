import { describe, expect, test } from "vitest";
import { play } from "./play.js";
import { regressions } from "./regressions.js";

describe("a history that once went wrong", () => {
  test.each(regressions)("$title", async ({ history }) => {
    const { wrong } = await play(history);
    expect(wrong).toEqual([]);
  });
});
