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
    for (const statement of ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements) {
      if (!ts.isVariableStatement(statement)) continue;
      if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (initializer === undefined || !ts.isNewExpression(initializer) || !ts.isIdentifier(name)) continue;
        const { expression, arguments: [logicalName] = [] } = initializer;
        const className = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
        if (logicalName === undefined || !ts.isStringLiteralLike(logicalName)) continue;
        if (!ts.isIdentifier(className)) continue;
        constants.set(keyOf(className.text, logicalName.text), { file, identifier: name.text });
      }
    }
  }
  return (className, logicalName) => constants.get(keyOf(className, logicalName));
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
