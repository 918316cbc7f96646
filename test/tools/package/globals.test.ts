import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { someOf } from "../../support/cases.js";
import { CHECKOUT } from "../../support/checkout.js";

test.each(
  someOf([
    ["", []],
    [", also in a process that has not used Node's own fetch yet", ["--unused"]],
  ]),
)("Each entry leaves what belongs to the program and to other packages as it was%s", (_, mode) => {
  const args = ["test/tools/package/globals.cjs", CHECKOUT, ...mode];
  const options = { cwd: CHECKOUT, env: {}, encoding: "utf8" } as const;
  const { stdout, status } = spawnSync(process.execPath, args, options);
  expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
});
