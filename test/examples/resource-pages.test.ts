import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { importForm, kinds } from "../../src/provider/for-commands/kinds.js";
import { pageOf } from "../../tools/generate/resource-pages.js";
import { someOf } from "../support/cases.js";
import { optionsOf, problemsOf } from "./compiler.js";
import { type Block, documentAt } from "./documents.js";

import "../../src/provider/resources/index.js";

const directory = mkdtempSync(join(tmpdir(), "buildpipeline-pages-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** Stands in for the SDK that Pulumi generates, and prints what a program declares. */
const PYTHON_MODULE = `
import types
def __getattr__(kind):
    def declare(resource_name, **inputs):
        print(kind, resource_name)
        return types.SimpleNamespace(id=resource_name)
    return declare
`;
writeFileSync(join(directory, "pulumi_buildpipeline.py"), PYTHON_MODULE);
writeFileSync(
  join(directory, "pulumi.py"),
  "class Config:\n    def require_secret(self, key):\n        return key\n",
);

/** What a program in each language declares, as "Cluster linux". */
const DECLARED: Readonly<Record<string, (text: string) => string[]>> = {
  ts: (text) => [...text.matchAll(/new (\w+)\("(.+?)"/g)].map(([, kind, name]) => `${kind} ${name}`),
  go: (text) => [...text.matchAll(/\.New(\w+)\(ctx, "(.+?)"/g)].map(([, kind, name]) => `${kind} ${name}`),
  yaml: (text) =>
    Object.entries<{ type: string }>(parse(text).resources).map(
      ([name, { type }]) => `${type.replace("buildpipeline:index:", "")} ${name}`,
    ),
  python: (text) => {
    writeFileSync(join(directory, "program.py"), text);
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
    const printed = execFileSync("python3", ["program.py"], { cwd: directory, encoding: "utf8", env });
    return printed.trim().split("\n");
  },
};

const isMissing = (name: string) => spawnSync("which", [name]).status !== 0;

const names = [...kinds.keys(), "RotatingAgentToken"];

test.each([...kinds.keys()])(
  "The page of %s says what a deletion does, because its reader is about to see one in a preview",
  (name) => {
    const [summary = "", ...sections] = documentAt(`docs/reference/${pageOf({ name })}.md`).text.split(
      /^## /m,
    );
    const behavior = sections.find((section) => section.startsWith("Behavior")) ?? "";
    expect(summary + behavior).toMatch(/deletion|delet(?:e|es|ing) /i);
  },
);

const pages = new Map(
  names.map((name) => [name, documentAt(`docs/reference/${pageOf({ name })}.md`)] as const),
);
const blocksOf = (name: string): readonly Block[] => pages.get(name)?.blocks ?? [];
const textIn = (name: string, language: string) =>
  blocksOf(name).find((block) => block.language === language)?.text ?? "";

test("The TypeScript on the pages compiles as it stands, in a project with the package", () => {
  const programs = names.flatMap((name) =>
    blocksOf(name)
      .filter(({ language }) => language === "ts")
      .map(({ text }, index) => [`examples/quickstart/${name}-${index}.ts`, `${text}\nexport {};\n`]),
  );
  expect(programs).toHaveLength(2 * names.length - 1);
  expect(problemsOf(Object.fromEntries(programs), optionsOf("examples/quickstart/tsconfig.json"))).toEqual(
    [],
  );
}, 60_000);

describe.each([...kinds])("The page of %s", (name, kind) => {
  const declared = DECLARED.ts?.(textIn(name, "ts"));

  // Python starts for each page.
  const inPython = someOf([...kinds.keys()]).includes(name) ? ["python"] : [];
  test.for(["go", "yaml", ...inPython])(
    "declares in %s what it declares in TypeScript",
    (language, { skip }) => {
      skip(language === "python" && isMissing("python3"), "there is no python3");
      expect(declared?.at(-1)).toMatch(`${name} `);
      expect(DECLARED[language]?.(textIn(name, language))).toEqual(declared);
    },
  );

  test("has a program in Go without an unused variable", () => {
    const text = textIn(name, "go");
    const variables = [...text.matchAll(/(\w+), err :=/g)].map(([, variable = ""]) => variable);
    const unused = variables.filter((variable) => variable !== "_" && !text.includes(`${variable}.ID()`));
    expect(unused).toEqual([]);
  });

  test("has a program in Go as gofmt formats it", ({ skip }) => {
    skip(isMissing("gofmt"), "there is no gofmt");
    const input = `${textIn(name, "go")}\n`;
    expect(execFileSync("gofmt", { input, encoding: "utf8" })).toBe(input);
  });

  test("has commands that import by a name of the right form", () => {
    const [own, plugin] = textIn(name, "sh").split("\n");
    const [, words, object] = /^npx pulumi-buildpipeline import (\w+ [\w-]+) (.+)$/.exec(own ?? "") ?? [];
    const form = importForm(kind) ?? "<cluster>";
    expect(object?.split("/")).toHaveLength(form.split("/").length);
    expect(object).not.toMatch(/[<>]/);
    expect(plugin).toBe(`pulumi import buildpipeline:index:${words} ${object}`);
  });
});
