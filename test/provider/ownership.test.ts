import { describe, expect, test } from "vitest";
import { type Driver, serviceForEach } from "./driver.js";

const service = serviceForEach();

/** Two entries of the state for one queue: a rename with the option `import`, interrupted before its deletion. */
async function twoEntries() {
  const cluster = await service.driver.create("Cluster", { name: "Linux" });
  const args = { clusterId: cluster.id, key: "large" };
  const old = await service.driver.create("Queue", args);
  const renamed = await service.newRun().create("Queue", { ...args, import: "Linux/large" });
  service.emulator.clearRequests();
  return { clusterId: cluster.id, old, renamed };
}

async function remove(run: Driver, kind: string, { id, outs }: { id: string; outs: object }): Promise<void> {
  await (await run.kind(kind)).delete(id, { ...outs });
}

const sent = () => service.emulator.requests.map(({ method, operation }) => `${method} ${operation}`);

describe("A queue that was imported in an earlier run", () => {
  test("is deleted once its option is gone, also after the program said that it has it", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    await service.colleague.sends("POST", `/clusters/${cluster.id}/queues`, { key: "large" });
    const args = { clusterId: cluster.id, key: "large" };
    const imported = await service.driver.create("Queue", { ...args, import: "Linux/large" });
    const { import: _, ...owned } = imported.outs;
    const run = service.newRun();
    const provider = await run.kind("Queue");
    const { inputs = {} } = await provider.check(owned, args);
    await provider.diff(imported.id, owned, inputs);
    service.emulator.clearRequests();
    await provider.delete(imported.id, owned);
    expect(sent()).toEqual(["DELETE queues.delete"]);
    expect(run.warnings).toEqual([]);
  });
});

describe("A destroy after an interrupted rename with import", () => {
  test("deletes what the entry without the option owns, and waits for nothing", async () => {
    const { old, renamed } = await twoEntries();
    const run = service.newRun();
    await remove(run, "Queue", renamed);
    await remove(run, "Queue", old);
    expect(sent()).toEqual(["DELETE queues.delete"]);
    expect(run.warnings).toEqual([expect.stringContaining(`nothing was sent for the queue ${renamed.id}`)]);
    expect(run.warnings.join()).not.toContain("stays");
  });

  test("deletes it in the other order as well", async () => {
    const { old, renamed } = await twoEntries();
    const run = service.newRun();
    await Promise.all([remove(run, "Queue", old), remove(run, "Queue", renamed)]);
    expect(sent()).toEqual(["DELETE queues.delete"]);
    expect(run.warnings).toEqual([expect.stringContaining(`nothing was sent for the queue ${renamed.id}`)]);
  });

  test("needs no list where both entries own the object: this process deleted it", async () => {
    const { old, renamed } = await twoEntries();
    const { import: _, ...owned } = renamed.outs;
    const run = service.newRun();
    await Promise.all([remove(run, "Queue", old), remove(run, "Queue", { id: renamed.id, outs: owned })]);
    expect(sent().filter((request) => request.startsWith("GET"))).toEqual([]);
    expect(await service.colleague.list(`/clusters/${old.outs.clusterId}/queues`)).toEqual([]);
  });
});

describe("An update after an interrupted rename with import", () => {
  test("sends nothing for the old entry, whatever diffs a refresh asks for in between", async () => {
    const { clusterId, old, renamed } = await twoEntries();
    const other = await service.driver.create("Queue", { clusterId, key: "small" });
    const run = service.newRun();
    const provider = await run.kind("Queue");
    const { inputs = {} } = await provider.check(renamed.inputs, renamed.inputs);
    await provider.diff(other.id, other.outs, other.inputs);
    await provider.diff(renamed.id, renamed.outs, inputs);
    service.emulator.clearRequests();
    await remove(run, "Queue", old);
    expect(sent()).toEqual([]);
    expect(run.warnings).toEqual([expect.stringContaining(`nothing was sent for the queue ${old.id}`)]);
    expect(run.warnings.join()).toContain("{ aliases: ");
  });

  test("after a refresh in the same process deletes what only the old entry owns", async () => {
    const { old, renamed } = await twoEntries();
    const run = service.newRun();
    const provider = await run.kind("Queue");
    // `pulumi destroy --refresh`: diffs without a check.
    for (const entry of [old, renamed]) await provider.diff(entry.id, entry.outs, entry.inputs);
    service.emulator.clearRequests();
    await remove(run, "Queue", old);
    expect(sent()).toEqual(["DELETE queues.delete"]);
  });
});

describe("A diff belongs to the check that returned its inputs", () => {
  test("so a second import of an object is refused, whatever diffs a refresh asks for in between", async () => {
    const one = await service.driver.create("Cluster", { name: "Linux" });
    const two = await service.driver.create("Cluster", { name: "Mac" });
    const run = service.newRun();
    const provider = await run.kind("Cluster");
    const { inputs = {} } = await provider.check(one.inputs, { name: "Linux" });
    await provider.diff(two.id, two.outs, two.inputs);
    await provider.diff(one.id, one.outs, inputs);
    const [reason] = await run.failures("Cluster", { name: "Linux", import: "Linux" });
    expect(reason).toContain("which another resource of this program");
  });

  test("so an object that only a refresh asked about can be imported", async () => {
    const one = await service.driver.create("Cluster", { name: "Linux" });
    const two = await service.driver.create("Cluster", { name: "Mac" });
    const run = service.newRun();
    const provider = await run.kind("Cluster");
    await provider.check(one.inputs, { name: "Linux" });
    await provider.diff(two.id, two.outs, two.inputs);
    expect(await run.failures("Cluster", { name: "Mac", import: "Mac" })).toEqual([]);
  });
});

describe("An update of an object that was deleted out of band", () => {
  test.each([
    ["Cluster", { name: "Linux" }, { name: "Mac" }],
    ["Suite", { name: "Unit", defaultBranch: "main" }, { name: "Unit", defaultBranch: "trunk" }],
    ["Team", { name: "Core" }, { name: "Core", description: "All" }],
    [
      "PipelineTemplate",
      { name: "n", configuration: "steps: []" },
      { name: "m", configuration: "steps: []" },
    ],
  ])("says so, and how to create it again: %s", async (kind, args, next) => {
    const made = await service.driver.create(kind, args);
    await remove(service.newRun(), kind, made);
    const provider = await service.newRun().kind(kind);
    const { inputs = {} } = await provider.check(made.inputs, next);
    await expect(provider.update(made.id, made.outs, inputs)).rejects.toThrow(
      new RegExp(`^${kind}: the .* ${made.id} .*probably deleted.*pulumi up --refresh`),
    );
  });
});
