import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "./compiler.js";
import { tableOf } from "./markdown-table.js";

test("The table of commands has every engine test of `npm test`, and their sum", () => {
  const page = readFileSync(join(CHECKOUT, "docs", "internals", "tests.md"), "utf8");
  const rows = tableOf(page, "## Commands of the Pulumi CLI");
  const files = readdirSync(join(CHECKOUT, "test", "engine"), { recursive: true, encoding: "utf8" });
  const tests = files.filter((file) => file.endsWith(".test.ts") && !file.endsWith(".long.test.ts"));
  expect(rows.map((row) => row["file below `test/engine`"]).sort()).toEqual(
    tests.map((file) => `\`${file}\``).sort(),
  );
  const sum = rows.reduce((total, { commands = "" }) => total + Number(commands), 0);
  expect(page).toContain(`\`npm test\` runs ${sum} commands.`);
});
