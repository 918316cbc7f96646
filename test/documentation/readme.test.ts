import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LEAST_VERSION } from "../../tools/pulumi-cli/release.mjs";
import { CHECKOUT, optionsOf, problemsOf } from "./compiler.js";
import { anchorsOf, blockMarked, brokenLinks, documentAt, documents } from "./documents.js";
import type { Block } from "./fenced-blocks.js";
import { tableOf } from "./markdown-table.js";

const { text: readme, blocks } = documentAt("README.md");
const scripts: Record<string, string> = JSON.parse(
  readFileSync(join(CHECKOUT, "package.json"), "utf8"),
).scripts;

/** Which blocks the tests on the real engine run: test/engine/readme.test.ts. */
const RUN_BY_ENGINE_TESTS = ["first-program", "emulator"];

/** Which blocks are run, in this process, by code-blocks.test.ts. */
const DRIVEN = ["first-client"];

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

  test("names commands and scripts that exist", () => {
    const commands = marked(undefined).flatMap(({ text }) => text.split("\n"));
    expect(commands).toEqual(["npm start", "npm test"]);
    const inText = [...readme.matchAll(/(?:^|`)npm (?:run )?(?:-s )?(?:--prefix \S+ )?([a-z:]+)/gm)].map(
      ([, name = ""]) => name,
    );
    const npmItself = new Set(["init", "install", "pack"]);
    expect(inText.filter((name) => !npmItself.has(name) && !(name in scripts))).toEqual([]);
  });

  test("has each of its parts in its list of contents", () => {
    const parts = [...readme.matchAll(/^## (.+)$/gm)].map(([, part = ""]) => anchorsOf(`## ${part}`)[0]);
    expect(parts.filter((anchor) => !readme.includes(`](#${anchor})`))).toEqual([]);
  });

  test("lists every example", () => {
    const examples = readdirSync(join(CHECKOUT, "examples"));
    expect(examples.filter((name) => !readme.includes(`(examples/${name}/`))).toEqual([]);
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
  test("are in the README, those for users in its list of documents", () => {
    const named = documents.filter(({ path }) => path !== "README.md" && !readme.includes(`](${path}`));
    expect(named.map(({ path }) => path)).toEqual([]);
  });
});

describe.each(documents.map((document) => [document.path, document] as const))("%s", (_, document) => {
  test("links to what is there", () => {
    expect(brokenLinks(document)).toEqual([]);
  });

  test("quotes examples as they stand", () => {
    const excerpts = document.blocks.filter(({ verb }) => verb === "excerpt");
    const wrong = excerpts.filter(
      ({ text, object }) => !readFileSync(join(CHECKOUT, object), "utf8").includes(text),
    );
    expect(wrong.map(({ place, object }) => `${place}: ${object}`)).toEqual([]);
  });
});

test("The library of components in docs/programs.md takes the versions that the package does", () => {
  const library = JSON.parse(blockMarked("file", "library/package.json").text);
  const { version, peerDependencies } = JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8"));
  expect(library.peerDependencies).toEqual({ ...peerDependencies, "pulumi-buildpipeline": `^${version}` });
});

test("The versions that the documents ask for are those of the package", () => {
  const { engines, peerDependencies } = JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8"));
  const least = Object.fromEntries(
    tableOf(documentAt("docs/programs.md").text, "## Versions").map((row) => [row[""], row["at least"]]),
  );
  expect(`>=${least.Node}`).toBe(engines.node);
  expect(peerDependencies["@pulumi/pulumi"]).toBe(`>=${least["`@pulumi/pulumi`"]}.0 <4`);
  expect(LEAST_VERSION).toBe(`${least["Pulumi CLI"]}.0`);
  expect(readme).toContain(
    `Node ${least.Node} or later, the [Pulumi CLI](https://www.pulumi.com/docs/install/) (${least["Pulumi CLI"]} or later)`,
  );
});

test("TypeScript in all documents compiles, strictly, or is in an example", () => {
  // docs/adding-a-kind.md has a test of its own.
  const files = documents
    .filter(({ path }) => path !== "docs/adding-a-kind.md")
    .flatMap(({ path, blocks }) =>
      blocks
        .filter(({ verb, language }) => language === "ts" && verb !== "excerpt")
        .map(({ place, text }): [string, string] => [
          `examples/quickstart/${`${path} ${place}`.replaceAll(/\W/g, "-")}.ts`,
          text,
        ]),
    );
  expect(files.length).toBeGreaterThan(3);
  const options = { ...optionsOf("tsconfig.json"), rootDir: CHECKOUT };
  expect(problemsOf(Object.fromEntries(files), options)).toEqual([]);
});
