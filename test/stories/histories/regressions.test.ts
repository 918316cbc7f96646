import { expect, test } from "vitest";
import { play } from "./play.js";
import { misjudged, regressions } from "./regressions.js";

test.each(Object.entries({ ...regressions, ...misjudged }))(
  "a history that once went wrong: %s",
  async (_, history) => {
    expect(await play(history)).toMatchObject({ wrong: [] });
  },
);
