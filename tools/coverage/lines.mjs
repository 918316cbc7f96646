// Counts the lines of src that ran in tests, or in processes that recorder.cjs was preloaded into. Compilers differ in what
// they call a statement, so lines are what these can be compared by. Arguments: the JSON report of the tests, which has
// every file of src, and the folder that the processes wrote to.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { mergeProcessCovs } from "@bcoe/v8-coverage";
import { createCoverageMap } from "@vitest/istanbul-lib-coverage";
import { convert } from "ast-v8-to-istanbul";
import { parseAstAsync, transformWithOxc } from "vite";

/** @typedef {{ result: { scriptId: string, url: string, functions: object[] }[] }} ProcessCoverage */

const [report = "", processes = ""] = process.argv.slice(2);
const inTests = createCoverageMap(JSON.parse(readFileSync(report, "utf8")));
const inProcesses = new Set(await linesOfProcesses(processes));
const lines = [];
for (const file of inTests.files()) {
  const counts = inTests.fileCoverageFor(file).getLineCoverage();
  for (const line of await linesOf(file)) {
    lines.push((counts[line] ?? 0) > 0 || inProcesses.has(`${file}:${line}`));
  }
}
const covered = lines.filter(Boolean).length;
const percent = ((100 * covered) / lines.length).toFixed(1);
process.stdout.write(`\nLines of src that ran: ${covered} of ${lines.length}, ${percent} %\n`);

/**
 * The lines that have statements in the sources. What is built of them has more, such as those of imports.
 *
 * @param {string} file @returns {Promise<string[]>}
 */
async function linesOf(file) {
  const { code, map } = await transformWithOxc(readFileSync(file, "utf8"), file, { sourcemap: true });
  const coverage = { scriptId: "", url: pathToFileURL(file).href, functions: [] };
  const sourceMap = { ...map, sources: [file] };
  const found = createCoverageMap({});
  found.merge(await convert({ code, ast: parseAstAsync(code), coverage, sourceMap, wrapperLength: 0 }));
  return found.files().flatMap((source) => Object.keys(found.fileCoverageFor(source).getLineCoverage()));
}

/** @param {string} folder @returns {Promise<string[]>} */
async function linesOfProcesses(folder) {
  const found = [];
  for (const coverage of merged(folder).result) {
    const file = fileURLToPath(coverage.url);
    const code = readFileSync(file, "utf8");
    const sourceMap = JSON.parse(readFileSync(`${file}.map`, "utf8"));
    const sources = sourceMap.sources.map((/** @type {string} */ source) => resolve(dirname(file), source));
    const ast = parseAstAsync(code);
    const map = createCoverageMap({});
    map.merge(await convert({ code, ast, coverage, sourceMap: { ...sourceMap, sources }, wrapperLength: 0 }));
    for (const source of map.files()) {
      const counts = Object.entries(map.fileCoverageFor(source).getLineCoverage());
      for (const [line, count] of counts) if (count > 0) found.push(`${source}:${line}`);
    }
  }
  return found;
}

/** @param {string} folder @returns {ProcessCoverage} */
function merged(folder) {
  return readdirSync(folder)
    .map((name) => mergeProcessCovs(takes(join(folder, name))))
    .reduce((all, one) => mergeProcessCovs([all, one]), { result: [] });
}

/**
 * What was taken in one process, a line each. The last may be cut, because the process was killed.
 *
 * @param {string} file
 * @returns {ProcessCoverage[]}
 */
function takes(file) {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.slice(0, -1).map((line) => ({ result: JSON.parse(line) }));
}
