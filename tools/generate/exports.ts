import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";

/** Longest line of the formatter. */
const WIDTH = 110;

/** Returns the files that `npm run generate` generates, by their path in the checkout. */
export function generatedExports(checkout: string): Record<string, string> {
  return {
    "src/provider/native/resources.generated.ts": nativeResources(checkout),
    "src/provider/native/functions.generated.ts": nativeFunctions(checkout),
    "src/provider/functions/output-forms.generated.ts": outputForms(checkout),
    "src/provider/functions/results/entities.generated.ts": entityResults(checkout),
  };
}

// The classes and functions of the entry `./native`. A module's names must stand in it for the compiler and for editors,
// so they are generated from those of the main entry.

const NATIVE_HEADER = "// Generated from the main entry by `npm run generate`.\n";

/** Lists the files that an index exports with `export * from`. */
function exportedFiles(checkout: string, folder: string): ts.SourceFile[] {
  return parse(checkout, `${folder}/index.ts`).statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) &&
    !statement.isTypeOnly &&
    statement.moduleSpecifier !== undefined &&
    ts.isStringLiteral(statement.moduleSpecifier)
      ? [parse(checkout, `${folder}/${statement.moduleSpecifier.text.slice(2).replace(/\.js$/, ".ts")}`)]
      : [],
  );
}

function parse(checkout: string, file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(join(checkout, file), "utf8"), ts.ScriptTarget.Latest, true);
}

/** Lists the functions in their form for known arguments, each with the type of its arguments. */
function functionsIn(checkout: string) {
  return exportedFiles(checkout, "src/provider/functions").flatMap(({ fileName, text }) =>
    [...text.matchAll(/^export const (get\w+) = [\w.]+<\s*(\w+)( \| undefined)?/gm)]
      .map(([, name = "", args = "", optional = ""]) => ({
        name,
        args,
        optional,
        file: basename(fileName, ".ts"),
        text,
      }))
      .filter(({ name }) => !name.endsWith("Output")),
  );
}

/** Writes the `…Output` forms that need no words or example of their own, which would be in their function's file. */
function outputForms(checkout: string): string {
  const forms = functionsIn(checkout).filter(({ name, text }) => !text.includes(`${name}Output = `));
  const declared = forms.flatMap(({ name, args, optional, file }) => {
    const type = `G${name.slice(1)}`;
    const given = args === "NoArguments" ? args : `${type}OutputArgs`;
    const words = "In a preview, the result is unknown while an argument or `opts.dependsOn` is.";
    return [
      `import type { ${given === args ? "" : `${args}, `}${type}Result, ${name} } from "./${file}.js";\n`,
      given === args
        ? `export type { NoArguments as ${type}OutputArgs };\n`
        : `/** {@link ${args}}, each of which may be an Output. */\nexport interface ${given} extends OutputArguments<${args}> {}\n`,
      `/** {@link ${name}} for Outputs. ${words} */\n`,
      `export const ${name}Output = outputForm<${given}${optional}, ${type}Result>("${name}");\n\n`,
    ];
  });
  return formatted(checkout, [
    "// Generated from the functions of this folder by `npm run generate`.\n",
    'import type { NoArguments, OutputArguments } from "./invoke/arguments.js";\n',
    'import { outputForm } from "./invoke/function.js";\n\n',
    ...declared,
  ]);
}

function nativeFunctions(checkout: string): string {
  const names = functionsIn(checkout).flatMap(({ name }) => [name, `${name}Output`]);
  const declared = names.map((name) => {
    const plain = name.replace(/Output$/, "");
    const make = name === plain ? "plain" : "output";
    const [left, right] = [`export const ${name}: typeof functions.${name} =`, `${make}("${plain}");`];
    const space = left.length + right.length < WIDTH ? " " : "\n  ";
    return `/** As {@link functions.${name}}. */\n${left}${space}${right}\n`;
  });
  return [
    NATIVE_HEADER,
    'import type * as functions from "../functions/index.js";\n',
    'import { output, plain } from "../functions/invoke/engine.js";\n\n',
    'export type * from "../functions/index.js";\n\n',
    ...declared,
  ].join("");
}

function nativeResources(checkout: string): string {
  const names = exportedFiles(checkout, "src/provider/resources").flatMap((file) =>
    file.statements
      .filter(ts.isClassDeclaration)
      .filter(isExported)
      .map(({ name }) => name?.text),
  );
  return [
    NATIVE_HEADER,
    'import * as dynamic from "../resources/index.js";\n',
    'import { served } from "./served.js";\n\n',
    'export type * from "../resources/index.js";\n\n',
    names
      .map((name) =>
        [
          `/** {@link dynamic.${name}}, served by the plugin. */\n`,
          `export const ${name} = served(dynamic.${name});\n`,
          `export type ${name} = dynamic.${name};\n`,
        ].join(""),
      )
      .join(""),
  ].join("");
}

function isExported(node: ts.Statement & { readonly modifiers?: ts.NodeArray<ts.ModifierLike> }): boolean {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

/** The entities, and the name of each as a result. */
const RESULTS: Readonly<Record<string, string>> = {
  AccessTokenUser: "GetAccessTokenUser",
  AccessTokenDescription: "AccessTokenResult",
  Organization: "OrganizationResult",
  Member: "MemberResult",
  Run: "RunResult",
  JobSignature: "GetBuildJobStepSignature",
  JobStep: "GetBuildJobStep",
  JobAgent: "GetBuildJobAgent",
  Job: "GetBuildJob",
  PipelineProviderSettings: "GetBuildPipelineProviderSettings",
  PipelineProvider: "GetBuildPipelineProvider",
  BuildPipeline: "GetBuildPipeline",
  BuildAuthor: "GetBuildAuthor",
  RebuiltFrom: "GetBuildRebuiltFrom",
  Build: "BuildResult",
  Agent: "AgentResult",
};

/** Fields that no result has, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  webhook_url:
    "The API's `webhook_url` is left out. Anyone who has it can start builds, and a function's result may end up in state and logs.",
};

/**
 * Writes the results of functions that read an entity of the client: its fields in the spelling of programs, with their
 * documentation. They are generated, because editors show no documentation of a type that renames fields.
 */
function entityResults(checkout: string): string {
  const { config } = ts.readConfigFile(join(checkout, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, checkout);
  const entry = join(checkout, "src", "client", "index.ts");
  const program = ts.createProgram([entry], options);
  const checker = program.getTypeChecker();
  const module = program.getSourceFile(entry);
  const symbol = module && checker.getSymbolAtLocation(module);
  const exported = symbol === undefined ? [] : checker.getExportsOfModule(symbol);
  const entities = Object.keys(RESULTS).map((name) => {
    const found = exported.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`The client exports no ${name}.`);
    return checker.getAliasedSymbol(found);
  });
  const fieldsOf = (entity: ts.Symbol) => checker.getDeclaredTypeOfSymbol(entity).getProperties();
  const renamed = new Set(entities.flatMap(fieldsOf).map(({ name }) => name));

  /** Returns what a comment says, with the names of fields as programs spell them. */
  function documentation(of: ts.Symbol): string {
    return ts
      .displayPartsToString(of.getDocumentationComment(checker))
      .replaceAll(/\s+/g, " ")
      .replaceAll(/`(\w+)`/g, (quoted, name) => (renamed.has(name) ? `\`${camelCase(name)}\`` : quoted));
  }

  function resultOf(entity: ts.Symbol): string {
    const fields = fieldsOf(entity).filter(({ name }) => !(name in LEFT_OUT));
    const left = fieldsOf(entity).flatMap(({ name }) => LEFT_OUT[name] ?? []);
    const declared: string[] = [];
    const readers: string[] = [];
    for (const field of fields) {
      const given = checker.getTypeOfSymbol(field);
      const { type, reader } = inResults(checker.getNonNullableType(given));
      const optional =
        (field.flags & ts.SymbolFlags.Optional) !== 0 || checker.getNonNullableType(given) !== given;
      declared.push(comment("  ", documentation(field)));
      declared.push(`  readonly ${camelCase(field.name)}${optional ? "?" : ""}: ${type};\n`);
      if (reader !== undefined) readers.push(`${field.name}: ${reader}`);
    }
    const name = RESULTS[entity.name] ?? "";
    const names = filled(
      "    ",
      fields.map(({ name: field }) => field),
    );
    const own = readers.length === 0 ? "" : `, { ${readers.join(", ")} }`;
    return [
      comment("", [documentation(entity), ...left].join(" ")),
      `export interface ${name} {\n${declared.join("")}}\n\n`,
      `export const ${readerOf(name)} = reader<api.${entity.name}, ${name}>(\n`,
      `${names.length === 1 ? `"${names[0]?.trim()}"` : `\`\n${names.join("\n")}\n  \``}${own});\n`,
    ].join("");
  }

  /** The type of a value in results, and the function that makes it of the client's, if it is another one. */
  function inResults(type: ts.Type): { readonly type: string; readonly reader?: string } {
    const text = checker.typeToString(type);
    if (text === "{}") return { type: "unknown" };
    const [, name = text, list = ""] = /^(\w+)(\[\])?$/.exec(text) ?? [];
    const result = RESULTS[name];
    if (name === "User") return { type: "EmbeddedUser", reader: "user" };
    if (result === undefined) return { type: text };
    const reader = readerOf(result);
    return { type: result + list, reader: list === "" ? reader : `each(${reader})` };
  }

  return formatted(checkout, [
    "// Generated from the client's entities by `npm run generate`.\n",
    'import type * as api from "../../../client/index.js";\n',
    'import type { EmbeddedUser } from "../../kind/kind.js";\n',
    'import { each, reader, user } from "./result-fields.js";\n',
    ...entities.map((entity) => `\n${resultOf(entity)}`),
  ]);
}

function formatted(checkout: string, parts: readonly string[]): string {
  const biome = join(checkout, "node_modules", ".bin", "biome");
  const options = { cwd: checkout, input: parts.join(""), encoding: "utf8" } as const;
  return execFileSync(biome, ["check", "--write", "--stdin-file-path=generated.ts"], options);
}

function readerOf(result: string): string {
  return `read${result.replace(/^Get/, "")}`;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Writes a comment, broken where the formatter's lines end. */
function comment(indent: string, text: string): string {
  if (indent.length + text.length + "/**  */".length <= WIDTH) return `${indent}/** ${text} */\n`;
  const lines = filled(`${indent} *`, text.split(" "));
  return `${indent}/**\n${lines.join("\n")}\n${indent} */\n`;
}

/** Writes words in lines that begin alike. */
function filled(start: string, words: readonly string[]): string[] {
  const lines = [start];
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= WIDTH) lines[lines.length - 1] = line;
    else lines.push(`${start} ${word}`);
  }
  return lines;
}
