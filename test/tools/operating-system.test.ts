import { expect, test, vi } from "vitest";
import { commandFiles, startable } from "../../tools/operating-system.mjs";

test("Windows finds commands by their extensions", () => {
  expect(commandFiles("pulumi", "win32")).toEqual(["pulumi.exe", "pulumi.cmd"]);
  expect(commandFiles("pulumi", "linux")).toEqual(["pulumi"]);
});

test("Windows starts npm without a shell", () => {
  vi.stubEnv("npm_execpath", "C:\\npm\\npm-cli.js");
  expect(startable("npm", ["ci"], "win32")).toEqual([process.execPath, ["C:\\npm\\npm-cli.js", "ci"]]);
  expect(startable("npm", ["ci"], "darwin")).toEqual(["npm", ["ci"]]);
  expect(startable("go", ["version"], "win32")).toEqual(["go", ["version"]]);
  vi.unstubAllEnvs();
});
