import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import ts from "typescript";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { quoted } from "../../../../src/commands/adopt/languages/layout.js";
import { fileStem, identifier, slug } from "../../../../src/commands/adopt/languages/names.js";
import { textLiteral } from "../../../../src/commands/adopt/languages/typescript.js";
import { problemsOf } from "../../../examples/compiler.js";
import { isInstalled } from "../../../support/commands-on-path.js";
import { character } from "../../../support/foreign-text.js";

/** What has a meaning in a program, in some language. */
const PIECES = ["`", "${", "}", "\\", '"', "'", " ", "*/", "a", "\r\n", "\n", "\r", "\t", "\u2028", "\ud83d"];

/** Texts as people and machines write them, and any others. */
const texts = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: character }),
  fc.array(fc.constantFrom(...PIECES)).map((parts) => parts.join("")),
);

/** The value of the initializer of the only constant in a program. */
function initialValue(program: string): string | undefined {
  const source = ts.createSourceFile("a.ts", program, ts.ScriptTarget.ES2022);
  const diagnostics: unknown = Reflect.get(source, "parseDiagnostics");
  expect(diagnostics).toEqual([]);
  const [statement] = source.statements;
  if (source.statements.length !== 1 || statement === undefined || !ts.isVariableStatement(statement))
    return undefined;
  const initializer = statement.declarationList.declarations[0]?.initializer;
  return initializer !== undefined && ts.isStringLiteralLike(initializer) ? initializer.text : undefined;
}

/** Runs a list of literals as a program that prints them as JSON. */
function readBy(command: string, literals: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), "literals-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const isGo = command === "go";
  const file = join(folder, isGo ? "main.go" : "main.py");
  writeFileSync(
    file,
    isGo
      ? 'package main\nimport ("encoding/json"; "os")\n' +
          `func main() { json.NewEncoder(os.Stdout).Encode([]string{\n${literals},\n}) }\n`
      : `import json\nprint(json.dumps([\n${literals}\n]))\n`,
  );
  return JSON.parse(execFileSync(command, isGo ? ["run", file] : [file], { encoding: "utf8" }));
}

describe("A text of the service in a program", () => {
  test("is read by the compiler as what it was", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(initialValue(`const value = ${textLiteral(text)};`)).toBe(text.toWellFormed());
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(["1.1", "1.2"] as const)("is read by YAML %s as what it was", (version) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(parse(quoted(text), { version })).toBe(text.toWellFormed());
      }),
    );
  });

  test.each(["python3", "go"].filter(isInstalled))("is read by %s as what it was", (command) => {
    const some = fc.sample(texts, { numRuns: 1_000, seed: 35 });
    expect(readBy(command, some.map((text) => quoted(text)).join(",\n"))).toEqual(
      some.map((text) => text.toWellFormed()),
    );
  });

  test("shows all that it is: nothing turns, moves or ends a line, or is trimmed", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const literal = textLiteral(text);
        expect(literal.replace(/\u200d/g, "")).not.toMatch(/[\p{Zl}\p{Zp}\p{Cf}\p{Cs}\p{Cc}]/u);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("Names", () => {
  test("of files and resources have no character with a meaning of its own, and are short", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(slug(text)).toMatch(/^(?:[\p{L}\p{Nd}\p{M}]+(?:-[\p{L}\p{Nd}\p{M}]+)*)?$/u);
        expect(slug(text).length).toBeLessThanOrEqual(100);
        expect(slug(slug(text))).toBe(slug(text));
      }),
    );
    expect(["Linux", "Über groß!", "a_b  c", "CON", "日本語 Cluster", "🚀"].map(slug)).toEqual([
      "linux",
      "uber-groß",
      "a-b-c",
      "con",
      "日本語-cluster",
      "",
    ]);
    expect(fileStem("con", "cluster")).toBe("con-cluster");
  });

  test("are identifiers that a module can declare", () => {
    const words =
      "class default enum await let yield eval arguments undefined require exports module interface of";
    const stems = fc.oneof(
      texts.map((text) => slug(text) || "queue"),
      fc.constantFrom(...words.split(" "), "16-core"),
    );
    const program = fc
      .sample(stems, { numRuns: 400, seed: 12 })
      .map((stem) => `export const ${identifier(stem, "Queue")} = 1;`);
    const language = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext };
    const options = { ...language, strict: true, noLib: true, types: [] };
    const files = [...new Set(program)].map((text, index) => [`f${index}.ts`, text]);
    expect(problemsOf(Object.fromEntries(files), options)).toEqual([]);
  });

  test("of constants follow from what people call an object", () => {
    const constants = ["linux-large", "16-core", "default", "class"].map((stem) => identifier(stem, "Queue"));
    expect(constants).toEqual(["linuxLarge", "queue16Core", "defaultQueue", "classQueue"]);
  });
});
