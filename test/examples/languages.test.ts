import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "../support/checkout.js";
import { documentAt, tableOf } from "./documents.js";

const rows = tableOf(documentAt("docs/guides/native.md").text, "<!-- languages -->");
const tests = readdirSync(join(CHECKOUT, "test"), { recursive: true, encoding: "utf8" }).map((file) =>
  basename(file).replace(/(?:\.long)?\.test\.ts$/, ""),
);
const COLUMNS = ["TypeScript, dynamic", "TypeScript, plugin", "Python", "Go", "YAML", "`pulumi do`"];

test("The table of languages names a test for each cell, or says that there is none", () => {
  expect(rows.length).toBeGreaterThan(10);
  for (const { "": capability, ...cells } of rows) {
    expect(Object.keys(cells), capability).toEqual(COLUMNS);
    for (const cell of Object.values(cells)) {
      const [, name] = /^yes: `(.+)`$/.exec(cell) ?? [];
      if (name === undefined) expect(cell, capability).toMatch(/^not: \w/);
      else expect(tests, capability).toContain(name);
    }
  }
});
