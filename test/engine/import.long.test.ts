import { expect, test } from "vitest";
import { COMMAND, PAIRS, projectForEach } from "./importing.js";

const started = projectForEach();

test("An import from a file goes on after an interruption", async () => {
  const project = started();
  const lines = PAIRS.trim().split("\n");
  project.write("first.txt", lines.slice(0, 3).join("\n"));
  project.write("pairs.txt", PAIRS);
  await project.shell(`${COMMAND} import --file first.txt --yes`);
  const rest = await project.shell(`${COMMAND} import --file pairs.txt --yes`);
  expect(rest).toContain("2 resources of the file are in state already.");
  expect(rest).toMatch(/= 4 imported/);
  const again = await project.shell(`${COMMAND} import --file pairs.txt --yes`);
  expect(again).toContain("6 resources of the file are in state already.");
  expect(again).not.toContain("imported");
  expect(project.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("A dry run says what an object is, and how it differs from the program", async () => {
  const project = started();
  const looked = await project.shell(`${COMMAND} import Queue linux-small Linux/small --dry-run`);
  expect(looked).toMatch(/Queue "linux-small" is [\w-]{36}\.\n.*description/);
});
