import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fencedBlocks } from "../documentation/documents.js";
import { buildpipeline } from "./command.js";

const page = (name: string) => readFileSync(join(__dirname, "..", "..", "docs", name), "utf8");
const overview = page("commands.md");
const docs = page("reference/commands.md");

async function help(...command: readonly string[]): Promise<string> {
  const { code, stdout } = await buildpipeline([...command, "--help"]);
  expect(code).toBe(0);
  return stdout;
}

const commands = ["doctor", "adopt", "import", "unmanaged", "graph", "report", "recover"];

describe("The help", () => {
  test("lists every command, as the documentation does", async () => {
    const listed = [...(await help()).matchAll(/^ {2}(\w+) \[/gm)].map(([, name]) => name);
    const [table = ""] = overview.split("\n## ");
    const documented = [...table.matchAll(/^\| \[?`(\w+)`/gm)].map(([, name]) => name);
    expect(documented).toEqual(expect.arrayContaining(commands));
    expect(documented.sort()).toEqual(listed.filter((name) => name !== "help").sort());
  });

  test.each([[], ["drain"], ["probe"], ["emulator"], ...commands.map((name) => [name])])(
    "%s says how to run the command in a project",
    async (...command) => {
      expect(await help(...command)).toContain("`npx pulumi-buildpipeline`");
    },
  );

  test.each(commands)(
    "of %s has examples, exit codes, and every option of the documentation's examples",
    async (name) => {
      const text = await help(name);
      expect(text).toMatch(/^Examples:\n {2}.*buildpipeline /m);
      expect(text).toMatch(/^Exit codes:\n {2}0 .*(?:\n {2}1 .*)?\n {2}2 /m);
      const lines = fencedBlocks(docs).flatMap((block) =>
        block.language === "sh" ? block.text.split("\n") : [],
      );
      const calls = [...lines, ...text.split("\n")].flatMap((line) =>
        line.split(`buildpipeline ${name}`).slice(1),
      );
      expect(calls.length).toBeGreaterThan(2);
      const options = new Set(calls.flatMap((call) => call.match(/--[a-z-]+/g) ?? []));
      const described = text
        .match(/^ {2}(?:-\w, )?--[a-z-]+/gm)
        ?.map((option) => option.replace(/.*--/, "--"));
      expect(described).toEqual(expect.arrayContaining([...options]));
    },
  );

  test("is offered, with exit code 2, for a command that does not exist", async () => {
    const { code, stdout, stderr } = await buildpipeline(["mistyped"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/mistyped[\s\S]*--help/);
  });

  test("of emulator has examples and exit codes, too", async () => {
    const text = await help("emulator");
    expect(text).toMatch(/^Examples:\n {2}buildpipeline emulator /m);
    expect(text).toMatch(/^Exit codes:\n {2}0 .*\n {2}1 /m);
  });

  test.each(commands)("is offered, with exit code 2, where %s is called wrongly", async (name) => {
    const { code, stdout, stderr } = await buildpipeline([name, "--mistyped"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/--mistyped[\s\S]*--help/);
  });
});
