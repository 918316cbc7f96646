import { describe, expect, test } from "vitest";
import { type Driver, failure, type Made, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

/** A run in which the program keeps some objects as they are. */
async function keeping(...kept: readonly Made[]) {
  const run = service.newRun();
  for (const made of kept) await run.plan(made);
  return run;
}

/** Two entries of the state for one queue: a rename with the option `import`, interrupted before its deletion. */
async function twoEntries() {
  const cluster = await service.driver.create("Cluster", { name: "Linux" });
  const args = { clusterId: cluster.id, key: "large" };
  const old = await service.driver.create("Queue", args);
  const renamed = await service.newRun().create("Queue", { ...args, import: "Linux/large" });
  service.emulator.clearRequests();
  return { clusterId: cluster.id, old, renamed };
}

describe("A queue that was imported in an earlier run", () => {
  test("is deleted once its option is gone, also after the program said that it has it", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    await service.colleague.sends("POST", `/clusters/${cluster.id}/queues`, { key: "large" });
    const args = { clusterId: cluster.id, key: "large" };
    const imported = await service.driver.create("Queue", { ...args, import: "Linux/large" });
    const { import: _, ...owned } = imported.outs;
    const entry = { ...imported, inputs: owned, outs: owned };
    const run = service.newRun();
    await run.plan(entry, args);
    service.emulator.clearRequests();
    await run.delete(entry);
    expect(service.operations).toEqual(["queues.delete"]);
    expect(run.warnings).toEqual([]);
  });
});

describe("A destroy after an interrupted rename with import", () => {
  test.each([
    ["at once", async (run: Driver, all: Made[]) => Promise.all(all.map((each) => run.delete(each)))],
    [
      "the new entry first",
      async (run: Driver, all: Made[]) => {
        for (const each of all.toReversed()) await run.delete(each);
      },
    ],
  ])("deletes what the entry without the option owns and waits for nothing: %s", async (_, destroy) => {
    const { old, renamed } = await twoEntries();
    const run = service.newRun();
    await destroy(run, [old, renamed]);
    expect(service.operations).toEqual(["queues.delete"]);
    expect(run.warnings).toEqual([expect.stringContaining(`nothing was sent for the queue ${renamed.id}`)]);
  });

  test("needs no list where both entries own the object: this process deleted it", async () => {
    const { old, renamed } = await twoEntries();
    const { import: _, ...owned } = renamed.outs;
    const run = service.newRun();
    await Promise.all([run.delete(old), run.delete({ ...renamed, outs: owned })]);
    expect(service.operations.filter((operation) => operation !== "queues.delete")).toEqual([]);
    expect(await service.colleague.list(`/clusters/${old.outs.clusterId}/queues`)).toEqual([]);
  });
});

describe("A destroy with a refresh after an interrupted rename with import", () => {
  test("in the same process deletes what only the old entry owns", async () => {
    const { old, renamed } = await twoEntries();
    const run = service.newRun();
    // `pulumi destroy --refresh`: diffs without a check.
    for (const entry of [old, renamed]) await run.diff(entry);
    service.emulator.clearRequests();
    await run.delete(old);
    expect(service.operations).toEqual(["queues.delete"]);
  });
});

describe("A diff belongs to the check that returned its inputs", () => {
  test("so a second import of an object is refused, whatever diffs a refresh asks for in between", async () => {
    const one = await service.driver.create("Cluster", { name: "Linux" });
    const two = await service.driver.create("Cluster", { name: "Mac" });
    const run = service.newRun();
    const { inputs = {} } = await (await run.kind("Cluster")).check(one.inputs, { name: "Linux" });
    await run.diff(two);
    await run.diff({ ...one, inputs });
    const [reason] = await run.failures("Cluster", { name: "Linux", import: "Linux" });
    expect(reason).toContain("which another resource of this program");
  });

  test("so an object that only a refresh asked about can be imported", async () => {
    const one = await service.driver.create("Cluster", { name: "Linux" });
    const two = await service.driver.create("Cluster", { name: "Mac" });
    const run = service.newRun();
    await run.failures("Cluster", { name: "Linux" }, one.inputs);
    await run.diff(two);
    expect(await run.failures("Cluster", { name: "Mac", import: "Mac" })).toEqual([]);
  });
});

describe("An update of an object that was deleted out of band", () => {
  test.each([
    ["Cluster", { name: "Linux" }, { name: "Mac" }],
    ["Suite", { name: "Unit", defaultBranch: "main" }, { name: "Unit", defaultBranch: "trunk" }],
  ])("says so, and how to create it again: %s", async (kind, args, next) => {
    const made = await service.driver.create(kind, args);
    await service.newRun().delete(made);
    expect(await failure(service.newRun().update(made, next))).toMatch(
      new RegExp(`^${kind}: the .* ${made.id} .*probably deleted.*pulumi up --refresh`),
    );
  });
});

describe("An object that the program keeps", () => {
  test("holds its name: another resource can't have it", async () => {
    const team = await service.driver.create("Team", { name: "Platform" });
    const [reason] = await (await keeping(team)).failures("Team", { name: "Platform" });
    expect(reason).toContain(`is taken by the team ${team.id}`);
  });

  test("was not created by this run: a change that only a creation carries out is refused with it", async () => {
    const team = await service.driver.create("Team", { name: "Platform" });
    const suite = await service.driver.create("Suite", { name: "s", defaultBranch: "main" });
    const change = (await keeping(team)).plan(suite, { ...suite.inputs, teamIds: [team.id] });
    expect(await failure(change)).toContain("counts only when the suite is created");
  });
});

describe("The default queue of a cluster", () => {
  async function setting() {
    const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
    const { id: queueId } = await service.driver.create("Queue", { clusterId, key: "small" });
    return service.driver.create("ClusterDefaultQueue", { clusterId, queueId });
  }
  const defaultOf = ({ id }: Made) => service.emulator.organizationData.clusters.get(id)?.default_queue_id;

  test("stays where another entry of the program keeps it", async () => {
    const made = await setting();
    await (await keeping(made)).delete(made);
    expect(defaultOf(made)).toBe(made.inputs.queueId);
  });

  test("is cleared where the program replaces it", async () => {
    const made = await setting();
    const { id: clusterId } = await service.driver.create("Cluster", { name: "Windows" });
    const run = service.newRun();
    expect(await run.plan(made, { ...made.inputs, clusterId })).toMatchObject({ replaces: ["clusterId"] });
    await run.delete(made);
    expect(defaultOf(made)).toBeNull();
  });

  test("is cleared where a refresh, and not the program, asked for its differences", async () => {
    const made = await setting();
    const run = service.newRun();
    await run.diff(made);
    await run.delete(made);
    expect(defaultOf(made)).toBeNull();
  });
});
