import { expect, test } from "vitest";
import { ENDS, exitCodeOf } from "../../../src/review/ci/outcome.js";
import { documentAt } from "../../examples/documents.js";
import { printed } from "../../support/command.js";

const codesIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^ {2}(\d+) +((?:\w+|, | or )+?)(?: {2}.*|)$/gm)].flatMap(([, code = "", ends = ""]) =>
      ends.split(/, | or /).map((end) => [end, Number(code)]),
    ),
  );
const { skipped, ...others } = ENDS;

test.each([
  ["the help", () => printed(["ci", "--help"])],
  [
    "the reference",
    async () => /^## ci$.*?(?=^## )/ms.exec(documentAt("docs/reference/commands.md").text)?.[0] ?? "",
  ],
])("%s names the exit code of every end of a stack", async (_, read) => {
  const text = await read();
  expect(codesIn(text)).toEqual(others);
  expect(text).toMatch(new RegExp(`^ {2}${skipped} +failed +or skipped,`, "m"));
});

test("the exit code of a run is that of its worst stack", () => {
  const ends = Object.keys(ENDS) as (keyof typeof ENDS)[]; // Its keys are all ends, by its type.
  const codes = ends.map((_, index) => exitCodeOf(ends.slice(index).map((end) => ({ end }))));
  expect(codes).toEqual([130, 2, 2, 4, 5, 1, 0, 0, 0]);
  expect(exitCodeOf([])).toBe(0);
});
