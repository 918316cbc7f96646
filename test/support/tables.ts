import { describe, test } from "vitest";
import { isShort, rowsOf } from "./cases.js";

/** Has `each` of Vitest play some rows of a table: each row shows the same sentence of another thing. */
function playSome(tests: { each: unknown }): void {
  const { each } = tests;
  if (typeof each !== "function") return;
  tests.each = function some(rows: readonly unknown[], ...template: readonly unknown[]): unknown {
    if (template.length > 0) return Reflect.apply(each, this, [rows, ...template]);
    return (title: string, ...rest: readonly unknown[]) =>
      Reflect.apply(each, this, [rowsOf(title, rows)])(title, ...rest);
  };
}

// Files that share a process share these as well.
const done = Symbol.for("buildpipeline.tables");
if (isShort && !Reflect.has(test, done)) {
  Reflect.set(test, done, true);
  playSome(describe);
  playSome(test);
}
