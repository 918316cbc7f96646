import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { CHECKOUT } from "../../support/checkout.js";

test("Each entry leaves the process as it was, because it belongs to the program and to other packages", () => {
  const args = ["test/tools/package/globals.cjs", CHECKOUT];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: CHECKOUT,
    env: {},
    encoding: "utf8",
  });
  expect({ stdout, stderr, status }).toEqual({ stdout: "", stderr: "", status: 0 });
});
