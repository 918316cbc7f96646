import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { buildpipeline, buildpipelineProcess, settingsOf } from "../support/command.js";
import { emulator, restart, serviceForEach } from "../support/command-service.js";

serviceForEach();
beforeEach(() => restart({ seed: true }));

/** The other tests run commands in their own process; these hold that a process of its own does the same. */
describe("A command as a process of its own", () => {
  test.each([
    ["ends with 0", ["doctor", "--json"]],
    ["ends with 1, for something found", ["unmanaged", "--json"]],
    ["ends with 2, for wrong arguments", ["graph", "--format", "gif"]],
    ["reads standard input", ["report", "-", "--json"]],
    ["draws", ["graph", "--format", "svg"]],
  ])("%s", async (_, args) => {
    const surroundings = { env: settingsOf(emulator), input: '{"steps":[]}' };
    const here = await buildpipeline(args, surroundings);
    expect(await buildpipelineProcess(args, surroundings)).toEqual(here);
  });
});

describe("A command that needs only the descriptions of resource types", () => {
  const LOADED = `
    const { basename } = require("node:path");
    const { run } = require("./dist/commands/program.js");
    run(process.argv.slice(1)).then(() => {
      const files = Object.keys(require.cache);
      const parts = files.flatMap((file) =>
        /node_modules\\/(@pulumi\\/pulumi\\/index|@pulumi\\/pulumi\\/automation|undici)/.exec(file)?.[1]
          ?? /dist\\/(client)\\/client\\.js$/.exec(file)?.[1] ?? []);
      console.log("\\n" + JSON.stringify([...new Set(parts)]));
    });`;

  test.each([
    ["report", ["report", "test/support/recorded/preview.json"]],
    ["graph of a stack", ["graph", "--stack-export", "test/support/recorded/stack-export.json"]],
  ])("%s loads neither the client nor the whole SDK", async (_, args) => {
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", LOADED, ...args], {
      cwd: join(__dirname, "..", ".."),
    });
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("[]");
  });
});
