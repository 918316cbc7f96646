import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { CHECKOUT } from "./compiler.js";

const files = readdirSync(join(CHECKOUT, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => join("src", file));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** Returns the files that a file imports, or exports from, wherever the statement or expression is. */
function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(CHECKOUT, file), "utf8"), true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith("."))
    .map(({ fileName }) => join(dirname(file), fileName.replace(/\.js$/, ".ts")));
}

/** Returns everything that can be reached from a file by imports; the file itself only if it is in a circle. */
function reachableFrom(start: string): Set<string> {
  const reached = new Set<string>();
  const next = [...(imports.get(start) ?? [])];
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    next.push(...(imports.get(file) ?? []));
  }
  return reached;
}

test("No file imports itself by way of others, not even for a type", () => {
  expect(imports.size).toBeGreaterThan(300);
  const inCircles = files.filter((file) => reachableFrom(file).has(file));
  expect(inCircles).toEqual([]);
});
