// The end of .ci/run: what failed, because a log of 12,000 tests is often cut, and the last line. Plain Node 20: it has to
// work when nothing could be installed.
//
//   node .ci/summary.mjs <directory of reports> <step>=<passed|failed> …
//
// Counts the tests of each step that left a report of Vitest, and every other step as one.
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const [directory = "", ...outcomes] = process.argv.slice(2);

/** How much of a failure is shown: its message, and where it was thrown. */
const LINES = 12;

let passed = 0;
/** @type {string[]} */
const failures = [];
for (const outcome of outcomes) {
  const [step = "", ended] = outcome.split("=");
  const { good, bad } = testsOf(join(directory, `${step}.json`)) ?? {
    good: ended === "passed" ? 1 : 0,
    bad: [],
  };
  passed += good;
  failures.push(...bad.map((failure) => `${step}: ${failure}`));
  // The step failed and no test of it did: not installed, not compiled, crashed.
  if (ended !== "passed" && bad.length === 0)
    failures.push(`${step}: the step failed, and no test of it did.`);
}
if (outcomes.length === 0) failures.push("The run was ended before its first step, and proves nothing.");

for (const failure of failures) console.log(`✗ ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

/**
 * @param {string} file
 * @returns {{ good: number, bad: string[] } | undefined} How many passed, and what failed. Undefined where the step left no
 *   report.
 */
function testsOf(file) {
  if (!existsSync(file)) return undefined;
  /** @type {{ testResults?: Tested[] }} */
  let results;
  try {
    results = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { good: 0, bad: ["its report can't be read."] };
  }
  const tested = results.testResults ?? [];
  const tests = tested.flatMap(({ assertionResults }) => assertionResults);
  return { good: tests.filter(({ status }) => status === "passed").length, bad: tested.flatMap(failuresOf) };
}

/**
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} Test
 * @typedef {{ status: string, name: string, message?: string, assertionResults: Test[] }} Tested
 * @param {Tested} file
 * @returns {string[]} What failed in a file. One that could not be loaded has no tests, and counts as one.
 */
function failuresOf({ status, name, message = "", assertionResults }) {
  const place = relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (failed.length === 0)
    return status === "failed" ? [shown(`${place}: failed outside of its tests`, message)] : [];
  return failed.map(({ fullName, failureMessages = [] }) =>
    shown(`${place} > ${fullName}`, failureMessages.join("\n")),
  );
}

/**
 * @param {string} what
 * @param {string} message
 * @returns {string}
 */
function shown(what, message) {
  const lines = message.split("\n").slice(0, LINES);
  return [what, ...lines.filter(Boolean).map((line) => `    ${line}`)].join("\n");
}
