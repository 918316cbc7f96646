import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { fencedBlocks } from "../examples/documents.js";
import { buildpipeline, command, Scratch } from "../support/command.js";

const page = (name: string) => readFileSync(join(__dirname, "..", "..", "docs", name), "utf8");
const docs = page("reference/commands.md");

async function help(...command: readonly string[]): Promise<string> {
  const { code, stdout } = await buildpipeline([...command, "--help"]);
  expect(code).toBe(0);
  return stdout;
}

/** Each command, and its exit code for wrong arguments, which is the last one. */
const commands = [
  ..."doctor adopt import unmanaged graph report check drain probe projects recover docs"
    .split(" ")
    .map((name) => [name, 2] as const),
  ["emulator", 1] as const,
];

describe("The help", () => {
  test("lists every command, as the documentation does", async () => {
    const listed = [...(await help()).matchAll(/^ {2}(\w+) (?:\[| {2})/gm)].map(([, name]) => name);
    const [table = ""] = docs.split("\n## ");
    const documented = [...table.matchAll(/^\| \[?`(\w+)`/gm)].map(([, name]) => name);
    expect(documented).toEqual(expect.arrayContaining(commands.map(([name]) => name)));
    expect(documented.sort()).toEqual(listed.filter((name) => name !== "help").sort());
  });

  test.each(commands)(
    "of %s says how to run it in a project, and has examples, exit codes, and every option of the documentation's examples",
    async (name, last) => {
      const text = await help(name);
      expect(text).toContain("`npx pulumi-buildpipeline`");
      expect(text).toMatch(/^Examples:\n {2}.*buildpipeline /m);
      expect(text).toMatch(new RegExp(`^Exit codes:\\n {2}0 [\\s\\S]*\\n {2}${last} `, "m"));
      const lines = fencedBlocks(docs).flatMap((block) =>
        block.language === "sh" ? block.text.split("\n") : [],
      );
      const calls = [...lines, ...text.split("\n")].flatMap((line) =>
        line.split(`buildpipeline ${name}`).slice(1),
      );
      expect(calls.length).toBeGreaterThan(2);
      const options = new Set(calls.flatMap((call) => call.match(/--[a-z-]+/g) ?? []));
      const described = text.match(/^ {2}(?:-\w)?--[a-z-]+/gm)?.map((one) => one.replace(/.*--/, "--"));
      expect(described).toEqual(expect.arrayContaining([...options]));
    },
  );

  test.each([
    "graph --json --format svg",
    "graph --format tree --access",
    "report preview.json --json --html",
    "report --html preview.json --json",
    "projects --json -- true",
  ])("lets no argument drop another one without a word: %s", async (line) => {
    const { code, stdout, stderr } = await buildpipeline(line.split(" "));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const given = line.match(/--(?:[a-z]+| true)/g)?.map((flag) => flag.replace("-- true", "a command"));
    for (const flag of given ?? []) expect(stderr).toContain(flag);
  });

  test.each([
    { args: ["mistyped"], last: 2 },
    ...commands.map(([name, last]) => ({ args: [name, "--mistyped"], last })),
  ])("is offered for wrong arguments: $args", async ({ args, last }) => {
    const { code, stdout, stderr } = await buildpipeline(args);
    expect({ code, stdout }).toEqual({ code: last, stdout: "" });
    expect(stderr).toMatch(/mistyped[\s\S]*--help/);
  });
});

test("A command that npx started is called by npx in its help and in its advice", () => {
  const scratch = new Scratch();
  const installed = scratch.path("node_modules/.bin/pulumi-buildpipeline");
  mkdirSync(dirname(installed), { recursive: true });
  symlinkSync(command, installed);
  const ended = (...args: readonly string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, [installed, ...args], { encoding: "utf8" });
    return stdout + stderr;
  };
  const text = ended("graph", "--help");
  expect(text).toContain("Usage: npx pulumi-buildpipeline graph");
  expect(text).not.toMatch(/(?<!npx pulumi-)buildpipeline graph/);
  expect(ended("docs", "recovr")).toContain("`npx pulumi-buildpipeline docs` lists all pages");
  scratch.remove();
});
