import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { buildpipeline, buildpipelineProcess, settingsOf } from "./command.js";

let emulator: Emulator;
beforeEach(async () => {
  emulator = await startEmulator();
});
afterEach(() => emulator.close());

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
