import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { Scratch, settingsOf } from "./command.js";
import { hasPseudoTerminal, onTerminal } from "./pseudo-terminal.js";
import { stackExport } from "./recording.js";

let emulator: Emulator;
let scratch: Scratch;
beforeEach(async () => {
  scratch = new Scratch();
  emulator = await startEmulator({ seed: false });
  const { url: baseUrl, accessToken, organization } = emulator;
  const client = new BuildPipelineClient({ baseUrl, accessToken, organization });
  for (const name of ["Linux", "Mac"]) {
    const cluster = await client.clusters.create({ name });
    await client.queues.create(cluster.id, { key: "small" });
  }
  await client.close();
  writeFileSync(scratch.path("export.json"), stackExport());
});
afterEach(async () => {
  scratch.remove();
  await emulator.close();
});

describe.runIf(hasPseudoTerminal)("On a terminal", () => {
  test.each([
    [["doctor"], /^✓ Node /],
    [["doctor", "--json"], /^\{$/],
    [["unmanaged", "--stack-export", "export.json"], /^The stack doesn't own 4:$/],
    [["unmanaged", "--stack-export", "export.json", "--json"], /^\{$/],
    [["graph"], /^flowchart /],
    [["graph", "--json"], /^\{$/],
    [["adopt", "ci", "--dry-run"], /^--- \/dev\/null$/],
    [["adopt", "ci", "--dry-run", "--json"], /^\{$/],
    [["drain", "Linux/small", "--json"], /^\{$/],
    [["drain", "Linux/small", "--resume", "--json"], /^\{$/],
  ])("%j shows its result on a line of its own, and no progress in the end", async (args, first) => {
    const { lines } = await onTerminal(args, {
      cwd: scratch.directory,
      env: { ...settingsOf(emulator), PULUMI_HOME: scratch.directory },
    });
    expect(lines).toContainEqual(expect.stringMatching(first));
    expect(lines.filter((line) => /…|read: \d+ of \d+/.test(line))).toEqual([]);
  });
});
