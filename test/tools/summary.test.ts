import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CHECKOUT, testFolder } from "../support/checkout.js";

type Outcome = "passed" | "failed" | "pending";

const file = (status: Outcome, ...tests: Outcome[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});

it.each<[what: string, files: Readonly<Record<string, object[]>>, outcomes: string[], line: string]>([
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
  ],
  [
    "a file that could not be loaded",
    { test: [file("passed", "passed"), file("failed")] },
    ["test=failed", "check=passed"],
    "2 passed, 1 failed",
  ],
  [
    "tests that ended badly though none of them failed",
    { test: [file("passed", "passed")] },
    ["test=failed", "check=passed"],
    "2 passed, 1 failed",
  ],
  [
    "a failed check",
    { test: [file("passed", "passed")] },
    ["test=passed", "check=failed"],
    "1 passed, 1 failed",
  ],
  [
    "the tests of several steps",
    { test: [file("passed", "passed", "passed")], long: [file("failed", "passed", "failed")] },
    ["test=passed", "long=failed", "check=passed"],
    "4 passed, 1 failed",
  ],
  ["a run that ended before its first step as failed", {}, [], "0 passed, 1 failed"],
  ["everything as failed when no test was run", {}, ["test=failed", "check=failed"], "0 passed, 2 failed"],
])("The last line of the continuous integration counts %s", (_, files, outcomes, line) => {
  const directory = testFolder();
  for (const [step, testResults] of Object.entries(files))
    writeFileSync(join(directory, `${step}.json`), JSON.stringify({ testResults }));
  const script = join(CHECKOUT, ".ci/summary.mjs");
  const ended = spawnSync(process.execPath, [script, directory, ...outcomes], { encoding: "utf8" });
  expect(ended).toMatchObject({ stdout: `${line}\n`, status: line.endsWith(" 0 failed") ? 0 : 1 });
});
