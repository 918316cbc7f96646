import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { CHECKOUT, testFolder } from "../support/checkout.js";

const SOURCES = {
  "src/said.ts": ["export const said = { accessToken: 'No changes' };", 'const last = "Queue is deleted";'],
  "test/names.ts": ['export default "<script>";'],
  "test/recorded/a.json": ['["recorded-secret"]'],
};

/** A test in each line. */
const CAN_FAIL = {
  "by a text of src": 'expect(text).not.toContain("No changes");',
  "by each form of a pattern": "expect(text).not.toMatch(/^Queue is|deleted$/);",
  "by the name of a property": 'expect(text).toEqual({ a: expect.not.stringContaining("accessToken") });',
  "by its input": 'expect(report("hunter2")).not.toContain("hunter2");',
  "by what no literal forbids": "expect(text).not.toContain(secret);",
  "by what it imports": 'import "./names.js"; expect(text).not.toContain("<script");',
  "by a recording": 'expect(text).not.toContain("recorded-secret");',
  "by what only Node prints": "expect(text).not.toMatch(/\\n\\s+at /);",
};
const CAN_NOT_FAIL = {
  "because nothing says it any longer": 'expect(text).not.toContain("Nothing changes");',
  "because only its title says it": 'it("takes away", () => expect(text).not.toMatch(/takes away/));',
  "because only a variable is called so": "const isGone = 1; expect(text).not.toMatch(/isGone/);",
  "because only another test forbids it":
    'expect(a).not.toContain("loses"); expect(b).not.toContain("loses");',
  "in one of its forms": "expect(text).not.toMatch(/No changes|(a|b) gone/);",
};

it("The check of forbidden words finds each test that can't fail by them, and no other test", () => {
  const root = testFolder();
  const write = (file: string, ...lines: readonly string[]) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), lines.join("\n"));
  };
  for (const [file, lines] of Object.entries(SOURCES)) write(file, ...lines);
  for (const [name, code] of Object.entries({ ...CAN_FAIL, ...CAN_NOT_FAIL })) write(`test/${name}.ts`, code);
  const script = join(CHECKOUT, "tools/dev/absent-words.mjs");
  const { status, stdout } = spawnSync(process.execPath, [script, root], { encoding: "utf8" });
  const found = [...stdout.matchAll(/^test\/(.*)\.ts:1: nothing writes what .* forbids: (.*)$/gm)];
  expect(status).toBe(1);
  expect(new Set(found.map(([, name]) => name))).toEqual(new Set(Object.keys(CAN_NOT_FAIL)));
  expect(found.find(([, name]) => name === "in one of its forms")?.[2]).toBe("/(a|b) gone/m");
});
