import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/**
 * Writes the classes and functions of the entry `./native`. A module's names must stand in it for the compiler and for
 * editors, so they are generated from those of the main entry.
 */

const HEADER = "// Generated from the main entry by `npm run write:exports`.\n";

/** Longest line of the formatter. */
const WIDTH = 110;

/** Returns the files of `src/native` that are generated, by their path in the checkout. */
export function nativeEntry(checkout: string): Record<string, string> {
  return { "src/native/resources.ts": resources(checkout), "src/native/functions.ts": functions(checkout) };
}

/** Lists the files that an index exports with `export * from`. */
function exportedFiles(checkout: string, folder: string): ts.SourceFile[] {
  return parse(checkout, `${folder}/index.ts`).statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) &&
    statement.exportClause === undefined &&
    statement.moduleSpecifier !== undefined &&
    ts.isStringLiteral(statement.moduleSpecifier)
      ? [parse(checkout, `${folder}/${statement.moduleSpecifier.text.slice(2).replace(/\.js$/, ".ts")}`)]
      : [],
  );
}

function parse(checkout: string, file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(join(checkout, file), "utf8"), ts.ScriptTarget.Latest, true);
}

function functions(checkout: string): string {
  const names = exportedFiles(checkout, "src/lookups").flatMap((file) =>
    file.statements
      .filter(ts.isVariableStatement)
      .filter(isExported)
      .flatMap(({ declarationList }) => declarationList.declarations.map(({ name }) => name.getText())),
  );
  const declared = names.map((name) => {
    const plain = name.replace(/Output$/, "");
    const make = name === plain ? "plain" : "output";
    const [left, right] = [`export const ${name}: typeof functions.${name} =`, `${make}("${plain}");`];
    const space = left.length + right.length < WIDTH ? " " : "\n  ";
    return `/** As {@link functions.${name}}. */\n${left}${space}${right}\n`;
  });
  return [
    HEADER,
    'import type * as functions from "../lookups/index.js";\n',
    'import { output, plain } from "./through-engine.js";\n\n',
    'export type * from "../lookups/index.js";\n\n',
    ...declared,
  ].join("");
}

function resources(checkout: string): string {
  const classes = exportedFiles(checkout, "src/resources").flatMap((file) =>
    file.statements.filter(ts.isClassDeclaration).filter(isExported),
  );
  const args = classes.map(({ name }) => `  ${name?.text}Args,\n`).sort();
  return [
    HEADER,
    'import * as pulumi from "@pulumi/pulumi";\n',
    `import type {\n${args.join("")}} from "../resources/index.js";\n`,
    'import * as dynamic from "../resources/index.js";\n',
    'import { lookup, type ResourceOptions, register } from "../resources/registration.js";\n\n',
    'export type * from "../resources/index.js";\n\n',
    classes.map(nativeClass).join("\n"),
  ].join("");
}

/**
 * Writes the class of the other backend: no subclass, because the SDK skips a fixed number of constructor frames to find
 * the user's line. The interface of the same name has the outputs, with their documentation.
 */
function nativeClass(resource: ts.ClassDeclaration): string {
  const name = resource.name?.text ?? "";
  const copied = resource.members.filter(
    (member) =>
      ts.isConstructorDeclaration(member) ||
      (ts.isMethodDeclaration(member) && member.name.getText() === "get"),
  );
  const members = copied.map((member) => member.getFullText());
  return [
    `/** {@link dynamic.${name}}, served by the plugin. */\n`,
    "// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: register lists every output.\n",
    `export class ${name} extends pulumi.CustomResource {\n`,
    "  /** @internal */\n",
    `  static readonly kind = dynamic.${name}.kind;\n`,
    "  /** @internal */\n",
    '  static readonly backend = "plugin";\n',
    members.join("").replace(/^\n/, ""),
    "\n}\n\n",
    `export interface ${name} extends dynamic.${name} {}\n`,
  ].join("");
}

function isExported(node: ts.Statement & { readonly modifiers?: ts.NodeArray<ts.ModifierLike> }): boolean {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}
