import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "summary-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

type Outcome = "passed" | "failed";

/** Returns the line after `npm test`, with this report and outcome, and `npm run check`. */
function summaryOf(report: unknown, tests: Outcome, check: Outcome): { line: string; code: number | null } {
  if (report !== undefined) writeFileSync(join(directory, "test.json"), JSON.stringify(report));
  return summarized(`test=${tests}`, `check=${check}`);
}

function summarized(...outcomes: readonly string[]): { line: string; code: number | null } {
  const script = join(__dirname, "../../.ci/summary.mjs");
  const result = spawnSync(process.execPath, [script, directory, ...outcomes], { encoding: "utf8" });
  return { line: result.stdout, code: result.status };
}

function file(status: Outcome, ...tests: string[]): unknown {
  return { status, assertionResults: tests.map((test) => ({ status: test })) };
}

describe("the last line of the continuous integration", () => {
  it("counts every test that was run, and the check", () => {
    const report = { testResults: [file("passed", "passed", "passed"), file("passed", "passed", "pending")] };
    expect(summaryOf(report, "passed", "passed")).toEqual({ line: "4 passed, 0 failed\n", code: 0 });
  });

  it("counts failed tests", () => {
    const report = { testResults: [file("failed", "passed", "failed", "failed")] };
    expect(summaryOf(report, "failed", "passed")).toEqual({ line: "2 passed, 2 failed\n", code: 1 });
  });

  it("counts a file that could not be loaded", () => {
    const report = { testResults: [file("passed", "passed"), file("failed")] };
    expect(summaryOf(report, "failed", "passed")).toEqual({ line: "2 passed, 1 failed\n", code: 1 });
  });

  it("counts tests that ended badly though none of them failed", () => {
    const report = { testResults: [file("passed", "passed")] };
    expect(summaryOf(report, "failed", "passed")).toEqual({ line: "2 passed, 1 failed\n", code: 1 });
  });

  it("counts a failed check", () => {
    const report = { testResults: [file("passed", "passed")] };
    expect(summaryOf(report, "passed", "failed")).toEqual({ line: "1 passed, 1 failed\n", code: 1 });
  });

  it("adds up the tests of several steps", () => {
    for (const [step, report] of Object.entries({
      test: { testResults: [file("passed", "passed", "passed")] },
      long: { testResults: [file("failed", "passed", "failed")] },
    })) {
      writeFileSync(join(directory, `${step}.json`), JSON.stringify(report));
    }
    expect(summarized("test=passed", "long=failed", "check=passed")).toEqual({
      line: "4 passed, 1 failed\n",
      code: 1,
    });
  });

  it("counts a run that ended before its first step as failed", () => {
    expect(summarized()).toEqual({ line: "0 passed, 1 failed\n", code: 1 });
  });

  it("says that everything failed when no test was run", () => {
    expect(summaryOf(undefined, "failed", "failed")).toEqual({ line: "0 passed, 2 failed\n", code: 1 });
  });
});
