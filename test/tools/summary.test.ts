import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CHECKOUT, testFolder } from "../support/checkout.js";

type Outcome = "passed" | "failed" | "pending";

const file = (status: Outcome, ...tests: Outcome[]) => ({
  status,
  name: join(CHECKOUT, "test/some.test.ts"),
  message: status === "failed" ? "What could not be loaded" : "",
  assertionResults: tests.map((test, index) => ({
    status: test,
    fullName: `Test ${index + 1}`,
    failureMessages: test === "failed" ? ["Error: expected 1 to be 2\n    at some.test.ts:1"] : [],
  })),
});

const UNLOADED = "test/some.test.ts: failed outside of its tests\n    What could not be loaded";
const failed = (test: number) =>
  `test/some.test.ts > Test ${test}\n    Error: expected 1 to be 2\n        at some.test.ts:1`;

it.each<
  [
    what: string,
    files: Readonly<Record<string, object[]>>,
    outcomes: string[],
    line: string,
    failures?: string[],
  ]
>([
  [
    "every test that was run, and the check",
    { test: [file("passed", "passed", "passed"), file("passed", "passed", "pending")] },
    ["test=passed", "check=passed"],
    "4 passed, 0 failed",
  ],
  [
    "failed tests",
    { test: [file("failed", "passed", "failed", "failed")] },
    ["test=failed", "check=passed"],
    "2 passed, 2 failed",
    [`test: ${failed(2)}`, `test: ${failed(3)}`],
  ],
  [
    "a file that could not be loaded",
    { test: [file("passed", "passed"), file("failed")] },
    ["test=failed", "check=passed"],
    "2 passed, 1 failed",
    [`test: ${UNLOADED}`],
  ],
  [
    "tests that ended badly though none of them failed",
    { test: [file("passed", "passed")] },
    ["test=failed", "check=passed"],
    "2 passed, 1 failed",
    ["test: the step failed, and no test of it did."],
  ],
  [
    "a failed check",
    { test: [file("passed", "passed")] },
    ["test=passed", "check=failed"],
    "1 passed, 1 failed",
    ["check: the step failed, and no test of it did."],
  ],
  [
    "the tests of several steps",
    { test: [file("passed", "passed", "passed")], long: [file("failed", "passed", "failed")] },
    ["test=passed", "long=failed", "check=passed"],
    "4 passed, 1 failed",
    [`long: ${failed(2)}`],
  ],
  [
    "a run that ended before its first step as failed",
    {},
    [],
    "0 passed, 1 failed",
    ["The run was ended before its first step, and proves nothing."],
  ],
  [
    "everything as failed when no test was run",
    {},
    ["test=failed", "check=failed"],
    "0 passed, 2 failed",
    ["test: the step failed, and no test of it did.", "check: the step failed, and no test of it did."],
  ],
])(
  "The end of the continuous integration counts %s, and says what failed",
  (_, files, outcomes, line, failures = []) => {
    const directory = testFolder();
    for (const [step, testResults] of Object.entries(files))
      writeFileSync(join(directory, `${step}.json`), JSON.stringify({ testResults }));
    const script = join(CHECKOUT, ".ci/summary.mjs");
    const ended = spawnSync(process.execPath, [script, directory, ...outcomes], {
      encoding: "utf8",
      cwd: CHECKOUT,
    });
    const stdout = [...failures.map((failure) => `✗ ${failure}`), line, ""].join("\n");
    expect(ended).toMatchObject({ stdout, status: failures.length === 0 ? 0 : 1 });
  },
);
