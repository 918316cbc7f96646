import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHECKOUT, optionsOf, problemsOf } from "./compiler.js";
import { type Block, fencedBlocks } from "./fenced-blocks.js";
import { tableOf } from "./markdown-table.js";

const readme = readFileSync(join(CHECKOUT, "README.md"), "utf8");
const blocks = fencedBlocks(readme);
const scripts: Record<string, string> = JSON.parse(
  readFileSync(join(CHECKOUT, "package.json"), "utf8"),
).scripts;

/** Which blocks the tests on the real engine run: test/engine/readme.test.ts. */
const RUN_BY_ENGINE_TESTS = ["first-program", "agent-token", "emulator"];

/** Which blocks are run, in this process, by readme-code.test.ts. */
const DRIVEN = ["client", "emulator"];

function marked(verb: string | undefined): readonly Block[] {
  return blocks.filter((block) => block.verb === verb);
}

describe("The README", () => {
  test("shows nothing that no test runs, compiles or finds", () => {
    const checked = (block: Block) =>
      block.verb === "excerpt" ||
      block.verb === "type-checked" ||
      (block.verb === "driven" && DRIVEN.includes(block.object)) ||
      ((block.verb === "run" || block.verb === "file") &&
        RUN_BY_ENGINE_TESTS.includes(block.object.split("/")[0] ?? "")) ||
      (block.verb === undefined && block.language === "sh");
    expect(blocks.filter((block) => !checked(block)).map(({ place }) => place)).toEqual([]);
    expect(blocks.length).toBeGreaterThan(10);
  });

  test.each(marked("excerpt"))("$place is in the example $object as it stands", ({ text, object }) => {
    expect(readFileSync(join(CHECKOUT, object), "utf8")).toContain(text);
  });

  test("has TypeScript that compiles, strictly", () => {
    const programs = blocks.filter(({ verb, language }) => language === "ts" && verb !== "excerpt");
    const files = programs.map(({ text }, index): [string, string] => [
      `examples/quickstart/readme-${index}.ts`,
      text,
    ]);
    expect(files.length).toBeGreaterThan(0);
    const options = { ...optionsOf("tsconfig.json"), rootDir: CHECKOUT };
    expect(problemsOf(Object.fromEntries(files), options)).toEqual([]);
  });

  test("names commands and scripts that exist", () => {
    const commands = marked(undefined).flatMap(({ text }) => text.split("\n"));
    expect(commands).toEqual(["npm start", "npm test"]);
    const inText = [...readme.matchAll(/(?:^|`)npm (?:run )?(?:-s )?(?:--prefix \S+ )?([a-z:]+)/gm)].map(
      ([, name = ""]) => name,
    );
    const npmItself = new Set(["init", "install", "pack"]);
    expect(inText.filter((name) => !npmItself.has(name) && !(name in scripts))).toEqual([]);
  });

  test("links to what is there", () => {
    const targets = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    const anchors = readme
      .split("\n")
      .filter((line) => line.startsWith("## "))
      .map(
        (line) =>
          `#${line
            .slice(3)
            .toLowerCase()
            .replaceAll(/[^a-z -]/g, "")
            .replaceAll(" ", "-")}`,
      );
    const broken = targets.filter((target) => {
      if (target.startsWith("https://")) return false;
      return target.startsWith("#") ? !anchors.includes(target) : !existsSync(join(CHECKOUT, target));
    });
    expect(broken).toEqual([]);
    expect(targets.filter((target) => target.startsWith("#")).sort()).toEqual(
      expect.arrayContaining(anchors.sort()),
    );
  });

  test("lists every example", () => {
    const examples = readdirSync(join(CHECKOUT, "examples"));
    expect(examples.filter((name) => !readme.includes(`(examples/${name}/`))).toEqual([]);
  });

  test("quotes messages that the code has", () => {
    const messages = tableOf(readme, "## When something goes wrong").flatMap((row) =>
      [...(row["the message says"] ?? "").matchAll(/`([^`]+)`/g)].map(([, message = ""]) => message),
    );
    const source = readdirSync(join(CHECKOUT, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(join(CHECKOUT, "src", file), "utf8"))
      // A message may be put together from literals over several lines, with values in it.
      .map((text) => text.replaceAll(/["`]\s*\+\s*["`]/g, "").replaceAll(/\$\{[^}]*\}/g, ""))
      .join("\n");
    const known = (message: string) =>
      source.includes(message) || source.includes(message.replace(/ \d+$/, " "));
    expect(messages.filter((message) => !known(message))).toEqual([]);
    expect(messages.length).toBeGreaterThan(5);
  });

  test("names settings that exist", () => {
    const settings = readFileSync(join(CHECKOUT, "src/configuration/settings.ts"), "utf8");
    const named = [
      ...[...readme.matchAll(/BUILDPIPELINE_[A-Z_]+/g)].map(([name]) => name),
      ...[...readme.matchAll(/buildpipeline:(\w+)/g)].map(([, name = ""]) => name),
    ];
    expect([...new Set(named)].filter((name) => !settings.includes(name))).toEqual([]);
  });
});

describe("The other documents", () => {
  const documents = readdirSync(join(CHECKOUT, "docs")).filter((name) => name.endsWith(".md"));
  test.each(documents)("docs/%s links to what is there", (name) => {
    const text = readFileSync(join(CHECKOUT, "docs", name), "utf8");
    const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    const broken = targets.filter((target) => {
      if (/^https:/.test(target)) return false;
      const [file = "", anchor] = target.split("#");
      const path = file === "" ? join(CHECKOUT, "docs", name) : join(CHECKOUT, "docs", file);
      if (anchor === undefined || !existsSync(path)) return !existsSync(path);
      return !new RegExp(`^#+ ${anchor.replaceAll("-", " ")}$`, "im").test(readFileSync(path, "utf8"));
    });
    expect(broken).toEqual([]);
  });
});
