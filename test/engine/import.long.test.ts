import { expect, test } from "vitest";
import { PAIRS, startImporting } from "./importing.js";
import { COMMAND } from "./project.js";

test("An import from a file goes on after an interruption", async () => {
  const project = await startImporting();
  const lines = PAIRS.trim().split("\n");
  project.write("first.txt", lines.slice(0, 3).join("\n"));
  project.write("pairs.txt", PAIRS);
  await project.shell(`${COMMAND} import --file first.txt --yes`);
  const rest = await project.shell(`${COMMAND} import --file pairs.txt --yes`);
  expect(rest).toContain("2 resources of the file are in state already.");
  expect(rest).toMatch(/= 6 imported/);
  const again = await project.shell(`${COMMAND} import --file pairs.txt --yes`);
  expect(again).toContain("8 resources of the file are in state already.");
  expect(again).not.toContain("imported");
  expect(project.writes()).toEqual([]);
});

test("A dry run says what an object is, and how it differs from the program", async () => {
  const project = await startImporting();
  const looked = await project.shell(`${COMMAND} import Queue linux-small Linux/small --dry-run`);
  expect(looked).toMatch(/Queue "linux-small" is [\w-]{36}\.\n.*description/);
});

test("An import of a secret sends nothing and says what the next deployment sends", async () => {
  const project = await startImporting();
  await project.shell(`${COMMAND} import Cluster linux Linux --yes`);
  const imported = await project.shell(
    `${COMMAND} import ClusterSecret "deploy key" Linux/DEPLOY_KEY --yes 2>&1`,
  );
  expect(imported).toContain(
    "value: the API doesn't return it, so the next deployment sends what the program has.",
  );
  expect(imported).toMatch(/= 1 imported/);
  expect(project.writes()).toEqual([]);
});

/** A Pulumi CLI that sends a signal to the command when it is about to import. */
const ENDING = `#!/bin/sh
if [ "$1" = import ]; then kill -$SIGNAL $PPID; exit 1; fi
PATH="\${PATH#*:}" exec pulumi "$@"
`;

test.each(["KILL", "TERM"])("An import that ends by SIG%s leaves no secret on the disk", async (signal) => {
  const project = await startImporting();
  project.write("pairs.txt", PAIRS);
  project.write("ending", ENDING);
  await project.shell("mkdir bin temporary && mv ending bin/pulumi && chmod +x bin/pulumi");
  const command = `TMPDIR=$PWD/temporary SIGNAL=${signal} PATH="$PWD/bin:$PATH" ${COMMAND} import --file pairs.txt --yes`;
  expect(await project.shell(`${command} || echo ended with $?`)).toContain("ended with");
  expect(await project.shell("grep -rl 'Hidden words' temporary || true")).toBe("\n");
  if (signal !== "KILL")
    expect(await project.shell("find temporary -name 'buildpipeline-import-*'")).toBe("\n");
});
