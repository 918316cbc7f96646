import { describe, expect, test } from "vitest";
import { buildpipeline } from "../support/command.js";
import { documentAt, targetsOf } from "./documents.js";

const { text } = documentAt("AGENTS.md");
/** Each command of the package that the page names, such as `ci init --host github`. */
const calls = [...text.matchAll(/npx pulumi-buildpipeline ([^`]+)`/g)].map(([, call = ""]) => call);

async function help(...names: readonly string[]): Promise<string> {
  const { code, stdout } = await buildpipeline([...names, "--help"]);
  expect(code).toBe(0);
  return stdout;
}

describe("AGENTS.md", () => {
  test("has at most 60 lines, because an agent reads it before every task", () => {
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
  });

  test("has a wish for every command, so that no agent writes a script in its place", async () => {
    const listed = [...(await help()).matchAll(/^ {2}(\w+) (?:\[| {2})/gm)].map(([, name]) => name);
    const named = new Set(calls.map((call) => call.split(" ")[0]));
    expect([...named].sort()).toEqual(listed.filter((name) => name !== "help").sort());
  });

  test.each(calls)("calls a command as its help describes it: %s", async (call) => {
    const words = call.split(" ");
    const names = words.slice(0, words[0] === "ci" ? 2 : 1);
    const described = await help(...names);
    for (const option of call.match(/--[a-z-]+/g) ?? [])
      expect(described).toMatch(new RegExp(`^ +${option}\\b`, "m"));
    for (const [operand] of call.matchAll(/<[^>]+>/g))
      expect(described.split("\n")[0]?.toLowerCase()).toContain(operand.slice(1, 4).toLowerCase());
  });

  test("leads to the index of all documents", () => {
    expect(targetsOf({ text })).toContain("llms.txt");
  });
});
