import { spawnSync } from "node:child_process";
import { once } from "node:events";
import fs, { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { clientOf, DIST, type Ended, type ServiceAddress, settingsOf } from "../../support/command.js";
import { client, emulator, scratch, serviceForEach } from "../../support/command-service.js";
import { createTeam } from "../organization.js";
import { adopt, adoptFrom, programs, read, refusal, write } from "./adopting.js";

serviceForEach();

const CHANGES = ["mkdirSync", "writeFileSync", "renameSync", "rmSync", "rmdirSync"] as const;

/** Runs `adopt`, which calls a function before a step. Undefined if it has fewer steps. */
async function disturbed(step: number, disturb: (at: number) => void, service: ServiceAddress = emulator) {
  let steps = 0;
  const spies = CHANGES.map((name) => {
    const own = fs[name];
    return vi.spyOn(fs, name).mockImplementation((...args: unknown[]) => {
      const [path] = args;
      // What it changes on the disk counts, without the contents of its temporary folder.
      const counts = `${path}`.startsWith(scratch.directory) && !/\.tmp\/(?!places)/.test(`${path}`);
      if (counts && ++steps >= step) disturb(steps);
      return Reflect.apply(own, fs, args);
    });
  });
  const ended = await adoptFrom(service, "--yes");
  for (const spy of spies) spy.mockRestore();
  return steps < step ? undefined : ended;
}

/** Runs `adopt`, which changes nothing from a step on, like a killed process. Undefined if it has fewer steps. */
const killed = (step: number): Promise<Ended | undefined> =>
  disturbed(step, () => {
    throw new Error("killed");
  });

/** Has a service of its own, and runs a command while the thread that asks for it waits. */
const THREAD = `
const { parentPort, workerData } = require("node:worker_threads");
const { run } = require(workerData + "/commands/program.js");
const { startEmulator } = require(workerData + "/emulator/index.js");
startEmulator({ seed: false }).then(({ url, accessToken, organization }) =>
  parentPort.postMessage({ url, accessToken, organization }));
parentPort.on("message", async ({ args, env, ended }) => {
  Object.assign(process.env, env);
  await run(args);
  Atomics.notify(ended, 0, Atomics.store(ended, 0, 1));
});
`;

/** Returns a run of `adopt` by somebody else, on the service of its thread. */
async function startOther() {
  const thread = new Worker(THREAD, { eval: true, workerData: DIST, stdout: true, stderr: true });
  onTestFinished(() => void thread.terminate());
  const [service]: ServiceAddress[] = await once(thread, "message");
  if (service === undefined) throw new Error("The thread has no service.");
  const run = () => {
    const ended = new Int32Array(new SharedArrayBuffer(4));
    const args = ["adopt", scratch.path("ci"), "--yes"];
    thread.postMessage({ args, env: settingsOf(service), ended });
    Atomics.wait(ended, 0, 0);
  };
  return { service, run };
}

/** What runs left beside the project's files, in its folder and around it. */
const leftovers = (): string[] =>
  [scratch.directory, scratch.path("ci")]
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
    .filter((name) => name.endsWith(".tmp") || name.startsWith(".buildpipeline"));

/** Everything in the project, by path. */
const project = (): Record<string, string | false> =>
  existsSync(scratch.path("ci"))
    ? { ...programs(), "import.json": existsSync(scratch.path("ci/import.json")) && read("import.json") }
    : {};

describe.each([
  ["a new folder", false],
  ["a project that gets more", true],
])("adopt into %s", (_, getsMore) => {
  /** What an undisturbed run makes of the situation, which is then there again. */
  async function expected(service: ServiceAddress = emulator) {
    const client = clientOf(service);
    onTestFinished(() => client.close());
    const { id } = await client.clusters.create({ name: "Linux" });
    await client.queues.create(id, { key: "small" });
    if (getsMore) {
      await createTeam("CI", {}, client);
      await adoptFrom(service, "--only", "Team");
      cpSync(scratch.path("ci"), scratch.path("before"), { recursive: true });
    }
    expect((await adoptFrom(service, "--yes")).code).toBe(0);
    const whole = project();
    const again = () => {
      rmSync(scratch.path("ci"), { recursive: true, force: true });
      if (getsMore) cpSync(scratch.path("before"), scratch.path("ci"), { recursive: true });
    };
    again();
    return { whole, again };
  }

  test("killed at any step leaves nothing, or what the next run completes", async () => {
    const { whole, again } = await expected();
    const { pid: ended } = spawnSync("true");
    let step = 1;
    for (; (await killed(step)) !== undefined; step++) {
      // An entry that names files is there only with them.
      if (existsSync(scratch.path("ci/index.ts")) && read("index.ts") === whole["index.ts"])
        expect(project(), `at step ${step}`).toEqual(whole);
      for (const name of leftovers().filter((one) => one.endsWith(".tmp")))
        fs.renameSync(scratch.path(`ci/${name}`), scratch.path(`ci/${name.replace(/\d+/, `${ended}`)}`));
      expect((await adopt("--yes")).code, `after step ${step}`).toBe(0);
      expect(project(), `after step ${step}`).toEqual(whole);
      expect(leftovers(), `after step ${step}`).toEqual([]);
      again();
    }
    expect(step).toBeGreaterThan(2);
  });

  test("by another run at any step, one of both is complete, and what a person adds stays", async () => {
    const other = await startOther();
    const { whole, again } = await expected(other.service);
    const interfere = () => {
      other.run();
      write("NOTES.md", "mine");
    };
    let step = 1;
    for (; ; step++) {
      const ended = await disturbed(step, (at) => at === step && interfere(), other.service);
      if (ended === undefined) break;
      if (ended.code !== 0) expect(ended.stderr).toContain("Nothing was written, because ");
      expect(project(), `step ${step}: ${ended.stderr}`).toEqual(whole);
      expect(read("NOTES.md")).toBe("mine");
      expect(leftovers(), `step ${step}`).toEqual([]);
      again();
    }
    expect(step).toBeGreaterThan(2);
  });
});

test("adopt after a kill overwrites no file that a person edited since, and says where the others are", async () => {
  await client.clusters.create({ name: "Linux" });
  await adopt();
  await client.clusters.create({ name: "Mac" });
  for (let step = 1; !existsSync(scratch.path("ci/.buildpipeline-adopt/places.json")); step++)
    await killed(step);
  write("index.ts", "mine");
  for (const flags of [[], ["--dry-run"]])
    expect(await refusal("--yes", ...flags)).toContain("was interrupted in ");
  expect(read("index.ts")).toBe("mine");
  expect(JSON.parse(read(".buildpipeline-adopt/places.json"))).toHaveLength(3);
});
