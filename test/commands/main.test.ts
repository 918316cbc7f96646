import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { someOf } from "../support/cases.js";
import { buildpipeline, buildpipelineProcess, clientOf, command, settingsOf } from "../support/command.js";
import { emulator, restart, scratch, serviceForEach } from "../support/command-service.js";
import { environment } from "../support/environment.mjs";

serviceForEach();
beforeEach(() => restart({ seed: true }));

/** The other tests run commands in their own process; these hold that a process of its own does the same. */
describe("A command as a process of its own", () => {
  test.each(
    someOf([
      ["ends with 0", ["doctor", "--json"]],
      ["ends with 1, for something found", ["unmanaged", "--json"]],
      ["ends with 2, for wrong arguments", ["graph", "--format", "gif"]],
      ["reads standard input", ["report", "-", "--json"]],
      ["draws", ["graph", "--format", "svg"]],
    ]),
  )("%s", async (_, args) => {
    const surroundings = { env: settingsOf(emulator), input: '{"steps":[]}' };
    const here = await buildpipeline(args, surroundings);
    expect(await buildpipelineProcess(args, surroundings)).toEqual(here);
  });
});

/** Runs a command whose output a disk or a reader doesn't take. */
async function undelivered(args: readonly string[], stdout: "full" | "closed") {
  const disk = stdout === "full" ? openSync("/dev/full", "w") : undefined;
  const child = spawn(process.execPath, [command, ...args], {
    cwd: tmpdir(),
    env: environment(settingsOf(emulator)),
    stdio: ["ignore", disk ?? "pipe", "pipe"],
  });
  if (disk !== undefined) closeSync(disk);
  child.stdout?.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr as Readable), once(child, "close")]);
  return { code, said: said.split("\n").filter((line) => line.startsWith("buildpipeline: ")) };
}

const COMMANDS =
  "doctor adopt import unmanaged graph report projects ci drain probe recover emulator docs".split(" ");

const recorded = (name: string) => join(__dirname, "..", "support", "recorded", `${name}.json`);

describe("Output that can't be delivered is exit code 2, in one line", () => {
  test.each(
    someOf([
      ["report", recorded("preview")],
      ...COMMANDS.map((name) => [name, "--help"]),
      ["doctor", "--json"],
      ["graph", "--format", "svg"],
    ]),
  )("of %s %s", async (...args) => {
    const why = (reason: string) => ({
      code: 2,
      said: [`buildpipeline: Standard output cannot be written: ${reason}.`],
    });
    expect(await undelivered(args, "full")).toEqual(why("ENOSPC: no space left on device, write"));
    expect(await undelivered(args, "closed")).toEqual(why("write EPIPE"));
  });
});

test("A found object that can't be printed is exit code 2, because 1 says that it was printed", async () => {
  await clientOf(emulator).clusters.create({ name: "Unmanaged" });
  writeFileSync(scratch.path("state.json"), JSON.stringify({ version: 3, deployment: { resources: [] } }));
  const args = ["unmanaged", "--json", "--stack-export", scratch.path("state.json")];
  expect(await buildpipeline(args, { env: settingsOf(emulator) })).toMatchObject({ code: 1 });
  expect(await undelivered(args, "full")).toMatchObject({ code: 2 });
});

describe("A command loads only what it works with", () => {
  const LOADED = `
    const { run } = require("./dist/commands/program.js");
    run(process.argv.slice(1)).then(() => {
      const parts = Object.keys(require.cache).flatMap((file) =>
        /node_modules\\/(@pulumi\\/pulumi\\/(?:resource|index|automation)|undici|zod)/.exec(file)?.[1]
          ?? /dist\\/(client)\\/client\\.js$/.exec(file)?.[1] ?? []);
      console.log("\\n" + JSON.stringify([...new Set(parts)].sort()));
    });`;

  test.each([
    ["help", ["adopt", "--help"], []],
    ["report", ["report", "test/support/recorded/preview.json"], ["@pulumi/pulumi/resource", "zod"]],
    [
      "graph of a stack",
      ["graph", "--stack-export", "test/support/recorded/stack-export.json"],
      ["@pulumi/pulumi/resource", "zod"],
    ],
  ])("%s", async (_, args, parts) => {
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", LOADED, ...args], {
      cwd: join(__dirname, "..", ".."),
    });
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toEqual(parts);
  });
});
