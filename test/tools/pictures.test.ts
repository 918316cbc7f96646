import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reported, states } from "../../tools/site/pictured.mjs";
import { documents } from "../examples/documents.js";
import { reportFrom } from "../review/report/reports.js";
import { CHECKOUT, read, testFolder } from "../support/checkout.js";
import { printed } from "../support/command.js";

/** What the documents say of each picture beside it. */
const captions = new Map(
  documents.flatMap(({ text }) => {
    const shown = [
      ...text.matchAll(/!\[([^\]]*)\]\((?:\.\.\/|docs\/)pictures\/([^)]+)\)/g),
      ...text.matchAll(/alt="([^"]*)"\s+src="docs\/pictures\/([^"]+)"/g),
    ];
    return shown.map(([, caption = "", name = ""]) => [name, caption] as const);
  }),
);
const captionsOf = (name: string) =>
  [...captions].flatMap(([file, caption]) => (file.startsWith(name) ? caption : []));

describe("A picture", () => {
  test("is shown by a page, with words about it", () => {
    const shown = readdirSync(join(CHECKOUT, "docs", "pictures")).map((file) =>
      file.replace("-dark.png", "-light.png"),
    );
    expect(new Set(captions.keys())).toEqual(new Set(shown));
    expect([...captions.values()].filter((caption) => caption.length < 10)).toEqual([]);
  });

  test.each(Object.keys(reported) as (keyof typeof reported)[])(
    "of the report %s shows a failure, or a report without an end, only if its words say so",
    (name) => {
      const { preview, state } = reported[name];
      const { failed, errors } = reportFrom(preview, state);
      const says = captionsOf(name);
      expect(says.length).toBeGreaterThan(0);
      const isFailure = says.every((caption) => /fail/i.test(caption));
      expect({ failed, errors: errors.length > 0 }).toEqual({ failed: isFailure, errors: isFailure });
    },
  );

  test.each(Object.entries(states))("of %s clusters is what the command draws today", async (size, state) => {
    const folder = testFolder();
    const drawn = await printed(["graph", "--format", "svg", "--stack-export", "-"], {
      input: JSON.stringify(state),
      cwd: folder,
    });
    expect(read("docs", "pictures", `topology-${size}.svg`)).toBe(drawn);
  });
});
