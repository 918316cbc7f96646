import { readdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { instantClock } from "../../client/service.js";
import { buildpipeline, buildpipelineProcess, Scratch, settingsOf } from "../../support/command.js";

let emulator: Emulator;
let scratch: Scratch;
beforeEach(async () => {
  emulator = await startEmulator({ variations: { colorCase: "lower" } });
  scratch = new Scratch();
});
afterEach(async () => {
  await emulator.close();
  scratch.remove();
});

const surroundings = () => ({ cwd: scratch.directory, env: settingsOf(emulator) });
const run = (...args: string[]) =>
  buildpipeline(["probe", ...args], { ...surroundings(), clock: instantClock() });

describe("`probe`", () => {
  test("reads without --write, and says what the other questions need", async () => {
    const { code, stdout, stderr } = await buildpipelineProcess(["probe"], surroundings());
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^Asks acme at http:\/\/127\.0\.0\.1:\d+, with at most \d+ requests\. It only reads\.\n/,
    );
    expect(stdout).toMatch(/agentPriority: "number"\n/);
    expect(stdout).toMatch(/colorCase: unknown: needs --write\n/);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("sends nothing with --write where nobody can confirm", async () => {
    const { code, stderr } = await run("--write");
    expect(code).toBe(2);
    expect(stderr).toContain("It makes and removes a cluster with three queues and an agent token");
    expect(stderr).toContain("Nothing was sent. To probe with --write without a terminal, add --yes.");
    expect(emulator.requests).toEqual([]);
  });

  test("writes a file that an emulator takes, with no secret in it, and leaves nothing", async () => {
    const { code, stdout, stderr } = await run("--write", "--yes", "--json");
    expect(code).toBe(0);
    const file = JSON.parse(stdout);
    expect(file).toMatchObject({
      answers: { colorCase: "lower", cancelState: null },
      reasons: { cancelState: "a probe cancels no builds" },
    });
    expect(stdout + stderr).not.toMatch(/bpct_|bpua_/);
    expect(readdirSync(scratch.directory)).toEqual([]);
    const other = await startEmulator({ like: file });
    const client = await fetch(`${other.url}/v2/organizations/acme/clusters`, {
      method: "POST",
      headers: { authorization: `Bearer ${other.accessToken}` },
      body: JSON.stringify({ name: "Linux", color: "#ABCDEF" }),
    });
    expect(await client.json()).toMatchObject({ color: "#abcdef" });
    await other.close();
  });

  test("ends with 1 if it is stopped, so that nobody takes its file for a whole one, and removes its objects", async () => {
    let writes = 0;
    emulator.onRequest(({ method }) => {
      if (method === "POST" && ++writes === 3) process.emit("SIGINT");
    });
    const { code, stdout, stderr } = await run("--write", "--yes", "--json");
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("stopped before its end") });
    expect(Object.values(JSON.parse(stdout).answers)).toContain(null);
    expect(readdirSync(scratch.directory)).toEqual([]);
  });

  test("--clean says so if there is nothing to clean", async () => {
    const { code, stderr } = await run("--clean");
    expect([code, stderr]).toEqual([0, "No file of a probe is in this directory.\n"]);
  });

  test("names a missing setting", async () => {
    const { code, stderr } = await buildpipeline(["probe"], { cwd: scratch.directory });
    expect([code, stderr]).toEqual([2, expect.stringContaining("accessToken is missing")]);
  });
});

test("`emulator --like` refuses what no probe wrote", async () => {
  writeFileSync(scratch.path("probe.json"), "[]");
  const refused = buildpipeline(["emulator", "--like", "probe.json"], { cwd: scratch.directory });
  const stderr = expect.stringContaining("--like probe.json is not a file that");
  expect(await refused).toMatchObject({ code: 1, stderr });
});
