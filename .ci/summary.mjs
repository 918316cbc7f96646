// The last line of .ci/run. Plain Node 20: it has to work when nothing could be installed.
//
//   node .ci/summary.mjs <directory of reports> <step>=<passed|failed> …
//
// Counts the tests of each step that left a report of Vitest, and every other step as one.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [directory = "", ...outcomes] = process.argv.slice(2);

let [passed, failed] = [0, 0];
for (const outcome of outcomes) {
  const [step = "", ended] = outcome.split("=");
  const [good, bad] = countTests(join(directory, `${step}.json`)) ?? (ended === "passed" ? [1, 0] : [0, 1]);
  passed += good;
  failed += bad;
  // The step failed and no test of it did: not installed, not compiled, crashed.
  if (ended !== "passed" && bad === 0) failed += 1;
}
// A run that was ended before its first step proves nothing.
if (outcomes.length === 0) failed += 1;

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * @param {string} file
 * @returns {[passed: number, failed: number] | undefined} Undefined where the step left no report.
 */
function countTests(file) {
  if (!existsSync(file)) return undefined;
  /** @type {{ testResults?: { status: string, assertionResults: { status: string }[] }[] }} */
  let results;
  try {
    results = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return [0, 1];
  }
  let [good, bad] = [0, 0];
  for (const tested of results.testResults ?? []) {
    const failures = tested.assertionResults.filter(({ status }) => status === "failed").length;
    good += tested.assertionResults.filter(({ status }) => status === "passed").length;
    // A file that could not be loaded has no tests to count.
    bad += tested.status === "failed" ? Math.max(1, failures) : failures;
  }
  return [good, bad];
}
