import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "./compiler.js";
import { tableOf } from "./markdown-table.js";

const SOURCES = ["released version", "tarball or archive", "fresh clone"];
const COMMANDS = "install, preview, up, refresh, import, destroy";

const typescript = (backend: string) => [
  ["install-typescript.long.test.ts", `${backend} from a released version: ${COMMANDS}`],
  ["install-typescript.long.test.ts", `${backend} from a tarball: ${COMMANDS}`],
  ["install-clone.long.test.ts", `Both backends from a fresh clone: ${COMMANDS}`],
];
/** The examples are used as they are, with an archive that is built here, as a clone would build it. */
const withPlugin = (language: string) => [
  ["install.long.test.ts", '"a released version"', `from %s: ${COMMANDS}`, `"${language}"`],
  ["install.long.test.ts", '"an archive, offline"', `from %s: ${COMMANDS}`, `"${language}"`],
  ["install.long.test.ts", '"an archive, offline"', `from %s: ${COMMANDS}`, `"${language}"`],
];

/** The tests of a language, one for each source: a file, and the parts of it that name the test. */
const tests: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "TypeScript, dynamic backend": typescript("The dynamic backend"),
  "TypeScript, plugin": typescript("The plugin"),
  YAML: withPlugin("yaml"),
  Python: withPlugin("python"),
  Go: withPlugin("go"),
};

test("docs/internals/releasing.md lists the installations that are tested, and a reason for each of the others", () => {
  const text = readFileSync(join(CHECKOUT, "docs", "internals", "releasing.md"), "utf8");
  const rows = tableOf(text, "## Tested installations");
  expect(Object.keys(rows[0] ?? {})).toEqual(["language", ...SOURCES]);
  for (const row of rows) {
    for (const [index, source] of SOURCES.entries()) {
      const [file, ...parts] = tests[row.language ?? ""]?.[index] ?? [];
      if (file === undefined) {
        expect(row[source]).toMatch(/\w/);
        continue;
      }
      expect(row[source]).toBe("✓");
      const written = readFileSync(join(CHECKOUT, "test", "engine", file), "utf8");
      for (const part of parts) expect(written).toContain(part);
    }
  }
  expect(rows.map(({ language }) => language)).toEqual(expect.arrayContaining(Object.keys(tests)));
});
