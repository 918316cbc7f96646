import { createRequire } from "node:module";
import { join } from "node:path";
import type * as TypeScript from "typescript";

export interface ExportedConstant {
  readonly file: string;
  readonly identifier: string;
}

/**
 * Returns how to find the exported constant with the resource of a class and a name. The TypeScript that the project
 * has installed reads the program; without it, no constants are found.
 */
export function exportedConstants(
  folder: string,
  files: ReadonlyMap<string, string>,
): (className: string, logicalName: string) => ExportedConstant | undefined {
  const ts = typescriptOf(folder);
  const constants = new Map<string, ExportedConstant>();
  if (ts === undefined) return () => undefined;
  for (const [file, text] of files) {
    if (!file.endsWith(".ts")) continue;
    const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
    const makers = makersIn(ts, statements);
    for (const statement of statements) {
      if (!ts.isVariableStatement(statement)) continue;
      if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (initializer === undefined || !ts.isIdentifier(name)) continue;
        if (!ts.isNewExpression(initializer) && !ts.isCallExpression(initializer)) continue;
        const { expression, arguments: [word] = [] } = initializer;
        if (word === undefined || !ts.isStringLiteralLike(word)) continue;
        const callee = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
        if (!ts.isIdentifier(callee)) continue;
        const isMade = ts.isCallExpression(initializer);
        const {
          className,
          around: [before, after],
        } = (isMade ? makers.get(callee.text) : undefined) ?? {
          className: isMade ? "" : callee.text,
          around: ["", ""],
        };
        constants.set(keyOf(className, `${before}${word.text}${after}`), { file, identifier: name.text });
      }
    }
  }
  return (className, logicalName) => constants.get(keyOf(className, logicalName));
}

/** A function that returns a new resource, whose logical name is its first parameter with texts around it. */
interface FoundMaker {
  readonly className: string;
  readonly around: readonly [before: string, after: string];
}

/** Returns the functions of a program that `adopt` writes where resources differ in little. */
function makersIn(
  ts: typeof TypeScript,
  statements: readonly TypeScript.Statement[],
): ReadonlyMap<string, FoundMaker> {
  const found = new Map<string, FoundMaker>();
  for (const statement of statements) {
    if (!ts.isFunctionDeclaration(statement)) continue;
    const returned = statement.body?.statements.find(ts.isReturnStatement)?.expression;
    if (statement.name === undefined || returned === undefined || !ts.isNewExpression(returned)) continue;
    const { expression, arguments: [name] = [] } = returned;
    if (!ts.isIdentifier(expression) || name === undefined) continue;
    const span = ts.isTemplateExpression(name) && name.templateSpans.length === 1 && name.templateSpans[0];
    if (!span && !ts.isIdentifier(name)) continue;
    const around =
      span && ts.isTemplateExpression(name)
        ? ([name.head.text, span.literal.text] as const)
        : (["", ""] as const);
    found.set(statement.name.text, { className: expression.text, around });
  }
  return found;
}

function keyOf(className: string, logicalName: string): string {
  return `${className} ${logicalName}`;
}

function typescriptOf(folder: string): typeof TypeScript | undefined {
  try {
    return createRequire(join(folder, "index.js"))("typescript");
  } catch {
    return undefined;
  }
}
