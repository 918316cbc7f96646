import { describe, expect, test } from "vitest";
import { failure, serviceForEach } from "./driver.js";

const service = serviceForEach();

type Made = { readonly id: string; readonly inputs: object; readonly outs: object };

/** A run in which the program keeps some objects as they are. */
async function keeping(...kept: readonly [kind: string, made: Made][]) {
  const run = service.newRun();
  for (const [kind, { id, inputs, outs }] of kept) {
    const provider = await run.kind(kind);
    const { inputs: checked = {} } = await provider.check({ ...inputs }, { ...inputs });
    await provider.diff(id, { ...outs }, checked);
  }
  return run;
}

describe("An object that the program keeps", () => {
  test("holds its name: another resource can't have it", async () => {
    const team = await service.driver.create("Team", { name: "Platform" });
    const run = await keeping(["Team", team]);
    expect(await run.failures("Team", { name: "Platform" })).toEqual([
      expect.stringContaining(`is taken by the team ${team.id}`),
    ]);
  });

  test("was not created by this run: a change that only a creation carries out is refused with it", async () => {
    const team = await service.driver.create("Team", { name: "Platform" });
    const suite = await service.driver.create("Suite", { name: "s", defaultBranch: "main" });
    const provider = await (await keeping(["Team", team])).kind("Suite");
    const change = provider.diff(suite.id, suite.outs, { ...suite.inputs, teamIds: [team.id] });
    expect(await failure(change)).toContain("counts only when the suite is created");
  });
});

describe("The default queue of a cluster", () => {
  async function setting() {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    const queue = await service.driver.create("Queue", { clusterId: cluster.id, key: "small" });
    const args = { clusterId: cluster.id, queueId: queue.id };
    return { cluster, made: await service.driver.create("ClusterDefaultQueue", args) };
  }
  const defaultOf = async (id: string) =>
    (await service.colleague.sends("GET", `/clusters/${id}`)).default_queue_id;

  test("stays where another entry of the program keeps it", async () => {
    const { cluster, made } = await setting();
    const run = await keeping(["ClusterDefaultQueue", made]);
    await (await run.kind("ClusterDefaultQueue")).delete(made.id, made.outs);
    expect(await defaultOf(cluster.id)).toBe(made.inputs.queueId);
  });

  test("is cleared where the program replaces it", async () => {
    const { cluster, made } = await setting();
    const other = await service.driver.create("Cluster", { name: "Windows" });
    const provider = await service.newRun().kind("ClusterDefaultQueue");
    const { inputs = {} } = await provider.check(made.inputs, { ...made.inputs, clusterId: other.id });
    expect(await provider.diff(made.id, made.outs, inputs)).toMatchObject({ replaces: ["clusterId"] });
    await provider.delete(made.id, made.outs);
    expect(await defaultOf(cluster.id)).toBeNull();
  });

  test("is cleared where a refresh, and not the program, asked for its differences", async () => {
    const { cluster, made } = await setting();
    const provider = await service.newRun().kind("ClusterDefaultQueue");
    await provider.diff(made.id, made.outs, made.inputs);
    await provider.delete(made.id, made.outs);
    expect(await defaultOf(cluster.id)).toBeNull();
  });
});
