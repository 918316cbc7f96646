// A sample of src: every nth function, class member and other statement of a module, from all files alike.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { checkout } from "../checkout.mjs";

/**
 * A new function moves those behind it to the next part.
 *
 * @param {string} part Which part of the whole: "3/8" takes the third eighth.
 * @param {readonly string[]} patterns of files
 * @returns {string[]} `file:line:column-line:column`, as Stryker's option `mutate` takes them
 */
export function sampled(part, patterns) {
  const [which = 0, parts = 0] = part.split("/").map(Number);
  if (!(which >= 1 && which <= parts)) throw new Error(`SAMPLE takes a part such as 3/8, not "${part}".`);
  const ranges = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: checkout }))
    .sort()
    .flatMap(rangesOf);
  return ranges.filter((_, index) => index % parts === which - 1);
}

/** @param {string} file */
function rangesOf(file) {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(checkout, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  return source.statements
    .flatMap(partsOf)
    .filter(hasCode)
    .map((part) => {
      const start = source.getLineAndCharacterOfPosition(part.getStart(source));
      const end = source.getLineAndCharacterOfPosition(part.getEnd());
      return `${file}:${start.line + 1}:${start.character}-${end.line + 1}:${end.character}`;
    });
}

/** @param {ts.Statement} statement @returns {readonly ts.Node[]} */
function partsOf(statement) {
  return ts.isClassDeclaration(statement) ? statement.members : [statement];
}

/** @param {ts.Node} part */
function hasCode(part) {
  return (
    !ts.isImportDeclaration(part) &&
    !ts.isExportDeclaration(part) &&
    !ts.isInterfaceDeclaration(part) &&
    !ts.isTypeAliasDeclaration(part)
  );
}
