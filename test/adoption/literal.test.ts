import fc from "fast-check";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { textLiteral } from "../../src/adoption/literal.js";
import { fileStem, identifier, slug } from "../../src/adoption/names.js";
import { declarationStatement, expressionOf } from "../../src/adoption/statement.js";

/** Texts as people and machines write them, and any others. */
const texts = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "`",
        "${",
        "}",
        "\\",
        "\r\n",
        "\n",
        "\r",
        '"',
        "'",
        " ",
        "\t",
        "\u2028",
        "\ud83d",
        "*/",
        "a",
      ),
    )
    .map((parts) => parts.join("")),
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

describe("A text of the service in a program", () => {
  test("is read by the compiler as what it was", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(initialValue(`const value = ${textLiteral(text)};`)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  test("shows all that it is: nothing turns, moves or ends a line, or is trimmed", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const literal = textLiteral(text);
        expect(literal.replace(/\u200d/g, "")).not.toMatch(
          /[\p{Zl}\p{Zp}\p{Cf}\p{Cs}]|[^\P{Cc}\n]| (?:\n|`$)/u,
        );
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
    const options = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      strict: true,
      noLib: true,
      types: [],
    };
    const host = ts.createCompilerHost(options);
    const files = new Map([...new Set(program)].map((text, index) => [`/f${index}.ts`, text]));
    host.getSourceFile = (name, version) => {
      const text = files.get(name);
      return text === undefined ? undefined : ts.createSourceFile(name, text, version);
    };
    host.fileExists = (name) => files.has(name);
    const compiled = ts.createProgram([...files.keys()], options, host);
    const found = [...files.keys()].flatMap((name) => {
      const source = compiled.getSourceFile(name);
      return source === undefined
        ? [name]
        : [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)].map(
            ({ messageText }) => `${files.get(name)} ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
          );
    });
    expect(found).toEqual([]);
  });

  test("of constants follow from what people call an object", () => {
    expect(["linux-large", "16-core", "default", "class"].map((stem) => identifier(stem, "Queue"))).toEqual([
      "linuxLarge",
      "queue16Core",
      "defaultQueue",
      "classQueue",
    ]);
  });
});

test("Values of every shape stand in a program", () => {
  const value = {
    steps: [{ label: ":node: test", command: "npm test", env: { CI: "true", "NODE-ENV": "test" } }, "wait"],
    retries: 3,
    strict: true,
    nothing: null,
    empty: {},
  };
  const args = { minutes: expressionOf(90), configuration: expressionOf(value), lines: "a\nb" };
  const options = { ignoreChanges: ["name"] };
  const declaration = { identifier: undefined, className: "Thing", logicalName: "a", args, options };
  expect(declarationStatement(declaration)).toBe(
    `new Thing("a", {
  minutes: 90,
  configuration: {
    steps: [
      {
        label: ":node: test",
        command: "npm test",
        env: { CI: "true", "NODE-ENV": "test" },
      },
      "wait",
    ],
    retries: 3,
    strict: true,
    nothing: null,
    empty: {},
  },
  lines: \`a
b\`,
}, {
  ignoreChanges: ["name"],
});`,
  );
  expect(() => expressionOf(() => "code")).toThrow("no way to write function");
});

test("A resource and a list stand on one line if they fit, and have a line for each part if not", () => {
  const [short, long] = [["10.0.0.0/8"], Array.from({ length: 9 }, (_, index) => `10.0.${index}.0/24`)];
  const statement = (args: Record<string, string[]>) =>
    declarationStatement({ identifier: "a", className: "Thing", logicalName: "a", args });
  expect(statement({ short })).toBe('export const a = new Thing("a", { short: ["10.0.0.0/8"] });');
  expect(statement({ long }).split("\n")).toHaveLength(2 + 2 + long.length);
});
