import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "./compiler.js";

const text = readFileSync(join(CHECKOUT, "docs/internals/where-to-change.md"), "utf8");

test("The page about where to change what names paths that exist, in at most 500 words", () => {
  const paths = [...text.matchAll(/`([\w./-]+\/[\w./-]+)`/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !existsSync(join(CHECKOUT, path)))).toEqual([]);
  expect(text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length).toBeLessThanOrEqual(500);
});

test.each([
  ...["an argument", "an output", "a kind", "a function", "a sentence of the report"],
  ...["a message", "a command", "a fault of the emulator", "a page"],
])("It has a row for %s", (what) => {
  expect(text).toContain(`| **${what}** |`);
});
