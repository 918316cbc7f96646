import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Reporter } from "../../../../src/provider/lifecycle/run/reporter.js";
import { foreignText, OBEYED, specials } from "../../../support/foreign-text.js";

afterEach(() => vi.restoreAllMocks());

describe("Where nobody takes messages", () => {
  test("a warning, a remark and a wait are lines on standard error", () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    const reporter = new Reporter({});
    reporter.warn("of two\nlines");
    reporter.inform("a remark\nof two lines");
    reporter.progress("a wait");
    expect(written).toEqual([
      expect.stringMatching(/^warning: of two[^\n]*lines\n$/),
      expect.stringMatching(/^a remark[^\n]*of two lines\n$/),
      "warning: a wait\n",
    ]);
  });
});

describe("Where somebody takes messages", () => {
  test("each goes where it belongs, and what concerns all resources goes once", () => {
    const taken: string[] = [];
    const reporter = new Reporter({
      warn: (text) => taken.push(`warn ${text}`),
      inform: (text) => taken.push(`inform ${text}`),
      progress: (text) => taken.push(`progress ${text}`),
    });
    reporter.warnOnce("a");
    reporter.warnOnce("b");
    reporter.warnOnce("a");
    reporter.warn("a");
    reporter.inform("c");
    reporter.progress("d");
    expect(taken).toEqual(["warn a", "warn b", "warn a", "inform c", "progress d"]);
  });
});

test("Whatever a message quotes, nothing obeys it: no terminal, no CI system, and not Pulumi's CLI", () => {
  const taken: string[] = [];
  const take = (text: string) => void taken.push(text);
  const reporter = new Reporter({ warn: take, inform: take, progress: take });
  fc.assert(
    fc.property(foreignText, (foreign) => {
      reporter.warn(foreign);
      reporter.inform(foreign);
      reporter.progress(foreign);
      for (const text of taken.splice(0)) expect(text).not.toMatch(OBEYED);
    }),
    { examples: specials.map((sign) => [sign]), numRuns: 200 },
  );
});
