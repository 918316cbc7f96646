import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "./compiler.js";
import { documentAt } from "./documents.js";

const PAGE = "docs/guides/native.md";
const [, table = ""] = /<!-- languages -->\n(.*?)<!-- end languages -->/s.exec(documentAt(PAGE).text) ?? [];
const tests = readdirSync(join(CHECKOUT, "test"), { recursive: true, encoding: "utf8" }).map((file) =>
  basename(file).replace(/(?:\.long)?\.test\.ts$/, ""),
);
const [header = [], , ...rows] = table
  .trim()
  .split("\n")
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

test("The table of languages names a test for each cell, or says that there is none", () => {
  expect(header).toEqual([
    "",
    "TypeScript, dynamic",
    "TypeScript, plugin",
    "Python",
    "Go",
    "YAML",
    "`pulumi do`",
  ]);
  expect(rows.length).toBeGreaterThan(10);
  for (const [capability, ...cells] of rows) {
    expect(cells, capability).toHaveLength(6);
    for (const cell of cells) {
      const [, name] = /^yes: `(.+)`$/.exec(cell) ?? [];
      if (name === undefined) expect(cell, capability).toMatch(/^not: \w/);
      else expect(tests, capability).toContain(name);
    }
  }
});
