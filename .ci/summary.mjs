// The last line of .ci/run. Plain Node 20: it has to work when nothing could be installed.
//
//   node .ci/summary.mjs <vitest's JSON report> <passed|failed> <passed|failed>
//
// The two words tell how `npm test` and `npm run check` ended. Counts tests as they were run, and the check as one more.
import { readFileSync } from "node:fs";

const [report = "", tests, check] = process.argv.slice(2);

let [passed, failed] = countTests();
// The tests ended badly, and no single one is to blame: not installed, not compiled, crashed.
if (tests !== "passed" && failed === 0) failed += 1;
if (check === "passed") passed += 1;
else failed += 1;

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** @returns {[passed: number, failed: number]} */
function countTests() {
  /** @type {{ testResults?: { status: string, assertionResults: { status: string }[] }[] }} */
  let results;
  try {
    results = JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return [0, 1];
  }
  let [good, bad] = [0, 0];
  for (const file of results.testResults ?? []) {
    const failures = file.assertionResults.filter(({ status }) => status === "failed").length;
    good += file.assertionResults.filter(({ status }) => status === "passed").length;
    // A file that could not be loaded has no tests to count.
    bad += file.status === "failed" ? Math.max(1, failures) : failures;
  }
  return [good, bad];
}
