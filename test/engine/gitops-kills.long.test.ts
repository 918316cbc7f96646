import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { kill } from "./killable-project.js";
import { descendants } from "./processes.js";
import { COMMAND, Project } from "./project.js";

const KILLS = Number(process.env.KILLS ?? 8);
const SIGNALS = ["SIGKILL", "SIGTERM", "SIGKILL", "SIGINT"] as const;

/** A number from 0 up to a bound, of a seed. */
function random(seed: number, below: number): number {
  const mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % below;
}

/**
 * Each generation of the program deletes two queues and a cluster of the one before it, and creates others. A kill begins
 * where the one before it ended.
 */
describe("A deployment of `ci deploy` that is killed", () => {
  let project: Project;
  let generation = 0;
  /** Requests of a deployment that nobody kills. */
  let requests = 0;

  beforeAll(async () => {
    project = await Project.start();
    declare();
    await project.newStack();
    await project.up();
    await pause("steady");
    generation = 1;
    declare();
    await ci("preview");
    project.emulator.clearRequests();
    expect(await ci("deploy")).toContain("exit code 0");
    requests = project.emulator.requests.length;
  });

  const declare = () =>
    project.declare(
      `const { Cluster, Queue } = require("pulumi-buildpipeline");
const clusterId = new Cluster("main", { name: "main" }).id;
for (const key of ["steady", "a${generation}", "b${generation}"]) new Queue(key, { clusterId, key });
new Cluster("c${generation}", { name: "c${generation}" });`,
      "killed",
    );
  const ci = (command: string) =>
    project.shell(`
      rm -f ../pid
      sh -c 'echo $$ > ../pid; exec ${COMMAND} ci ${command} --stack test' 2>&1 && echo "exit code 0" || echo "exit code $?"`);
  const inRoot = (...path: readonly string[]) => join(project.directory, "..", ...path);

  const clusters = () => project.colleague.list("/clusters");
  async function queues(): Promise<Record<string, unknown>[]> {
    const path = `/clusters/${(await clusters()).find(({ name }) => name === "main")?.id}/queues`;
    return (await project.colleague.list(path)).map((queue) => ({ ...queue, path: `${path}/${queue.id}` }));
  }
  const objects = async () =>
    [...(await clusters()).map(({ name }) => name), ...(await queues()).map(({ key }) => key)].sort();
  async function pause(key: string): Promise<void> {
    const queue = (await queues()).find((one) => one.key === key);
    await project.colleague.sends("POST", `${queue?.path}/pause_dispatch`, {
      dispatch_paused_note: "Incident",
    });
  }
  /** What the file backend keeps, without a run of the CLI. */
  const checkpoint = () =>
    JSON.parse(readFileSync(inRoot("state", ".pulumi", "stacks", "killed", "test.json"), "utf8")).checkpoint
      .latest;
  const recorded = (): unknown[] =>
    checkpoint()
      .resources.flatMap(({ outputs: { key, name } = {} as Record<string, string> }) => key ?? name ?? [])
      .sort();
  const planned = () => JSON.parse(project.read("review/killed.test/outcome.json")).savedAt;
  const locks = () => {
    const folder = inRoot("state", ".pulumi", "locks");
    return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  };

  /** Kills `ci deploy` when the service has had a number of requests. The host ends its whole process tree. */
  async function killedAfter(count: number, signal: (typeof SIGNALS)[number]): Promise<string> {
    project.emulator.clearRequests();
    rmSync(inRoot("pid"), { force: true });
    let isOver = false;
    const ended = ci("deploy").finally(() => {
      isOver = true;
    });
    while (!isOver && (!existsSync(inRoot("pid")) || project.emulator.requests.length < count))
      await setTimeout(3);
    const pid = Number(existsSync(inRoot("pid")) ? readFileSync(inRoot("pid"), "utf8") : 0);
    if (!isOver && pid > 0) {
      if (signal === "SIGKILL") await kill(pid, ...descendants(pid).map((one) => one.pid));
      else process.kill(pid, signal);
    }
    return ended;
  }

  test.each(Array.from({ length: KILLS }, (_, seed) => seed))(
    "%i loses nothing, leaves no pause of its own, and deploys no stale plan",
    async (seed) => {
      const signal = SIGNALS[seed % SIGNALS.length] ?? "SIGKILL";
      const wanted = [`a${generation}`, `b${generation}`, `c${generation}`, "main", "steady"];
      const isDeployed = (await objects()).join() === wanted.join();
      if (isDeployed) {
        // Somebody pauses a queue that is about to be deleted.
        if (random(seed + 1_000, 3) === 0) await pause(`a${generation}`);
        generation += 1;
        declare();
      }
      if (isDeployed || checkpoint().manifest.time !== planned())
        expect(await ci("preview")).toContain("exit code 0");
      const before = new Map((await queues()).map((queue) => [queue.key, queue.dispatch_paused]));
      const pausedByNobody = async () =>
        (await queues()).filter(({ key, dispatch_paused }) => dispatch_paused !== (before.get(key) ?? false));

      const output = await killedAfter(random(seed, requests + 1), signal);
      if (signal === "SIGKILL") {
        // What the guide says.
        if (locks().some((file) => file.endsWith(".json"))) await project.pulumi("cancel", "--yes");
        if (checkpoint().pending_operations?.length > 0) await project.shell(`${COMMAND} recover --yes`);
        const isStale = checkpoint().manifest.time !== planned();
        project.emulator.clearRequests();
        const next = await ci("deploy");
        expect(next).toContain(`exit code ${isStale ? 5 : 0}`);
        if (isStale)
          expect(project.writes().filter((write) => write !== "queues.resumeDispatch")).toEqual([]);
      }
      expect(await pausedByNobody(), output).toEqual([]);
      // A deletion that was killed is done by the next deployment.
      const { pending_operations: pending } = checkpoint();
      expect(pending?.filter(({ type }: { type: string }) => type === "creating") ?? []).toEqual([]);
      const lost = (await objects()).filter((name) => !recorded().includes(name));
      expect(lost, output).toEqual([]);
    },
  );

  test("is deployed completely by the next plan", async () => {
    await ci("preview");
    expect(await ci("deploy")).toContain("exit code 0");
    const incidents = (await queues()).filter(({ dispatch_paused: isPaused }) => isPaused);
    expect(incidents.map(({ key, dispatch_paused_note: note }) => [key, note])).toEqual([
      ["steady", "Incident"],
    ]);
    expect(await objects()).toEqual([`a${generation}`, `b${generation}`, `c${generation}`, "main", "steady"]);
    expect(recorded()).toEqual(await objects());
  });
});
