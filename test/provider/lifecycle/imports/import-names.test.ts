import { describe, expect, test } from "vitest";
import { findImported, observedOf } from "../../../../src/provider/lifecycle/imports/find-imported.js";
import { failure, kindOf, serviceForEach, sessionFor, UNKNOWN } from "../../../support/driver.js";

const service = serviceForEach();

test("An import with two slashes is divided at the last one that finds something", async () => {
  const outer = await service.driver.create("Cluster", { name: "Linux" });
  const inner = await service.driver.create("Cluster", { name: "Linux/farm" });
  const first = await service.driver.create("AgentToken", { clusterId: outer.id, description: "farm/a" });
  const second = await service.driver.create("AgentToken", { clusterId: inner.id, description: "a" });
  const args = { clusterId: inner.id, description: "a", import: "Linux/farm/a" };
  expect((await service.newRun().create("AgentToken", args)).id).toBe(second.id);
  await service.colleague.sends("DELETE", `/clusters/${inner.id}/tokens/${second.id}`);
  const rest = { clusterId: outer.id, description: "farm/a", import: "Linux/farm/a" };
  expect((await service.newRun().create("AgentToken", rest)).id).toBe(first.id);
});

describe("An import asks for a new list", () => {
  test("if the shared one lacks the object, which was created since", async () => {
    const run = service.newRun();
    await run.failures("Cluster", { name: "Mac", import: "Mac" });
    await service.colleague.sends("POST", "/clusters", { name: "Linux" });
    expect(await run.failures("Cluster", { name: "Linux", import: "Linux" })).toEqual([]);
  });

  test("and not if the first one failed", async () => {
    const run = service.newRun();
    service.emulator.fault({ operation: "clusters.list", action: { status: 403, body: {} } });
    const [reason] = await run.failures("Cluster", { name: "Linux", import: "Linux" });
    expect(reason).toContain("Cluster.import: GET /v2/organizations/acme/clusters failed with 403");
    expect(service.operations.filter((operation) => operation === "clusters.list")).toHaveLength(1);
  });
});

test("An import writes a mark of eight digits into the state", async () => {
  await service.colleague.sends("POST", "/clusters", { name: "Linux" });
  const { outs } = await service.newRun().create("Cluster", { name: "Linux", import: "Linux" });
  expect(outs.__adoption).toMatch(/^[0-9a-f]{8}$/);
});

test("A new value of import is looked up once, an old one never", async () => {
  const made = await service.driver.create("Cluster", { name: "Linux" });
  const state = { ...made.outs, import: "Linux" };
  service.emulator.clearRequests();
  const run = service.newRun();
  for (const name of ["Linux", UNKNOWN, undefined])
    await run.diff({ ...made, outs: state }, { import: name });
  expect(service.operations).toEqual([]);
  await run.diff(made, { import: "Linux" });
  expect(service.operations).toEqual(["clusters.list"]);
});

test("For an import file, a default queue goes by the name of its cluster, which may have none", async () => {
  const { id: clusterId } = await service.driver.create("Cluster", { name: "Linux" });
  const kind = kindOf("ClusterDefaultQueue");
  const query = { organization: "acme", kind, name: "Linux", from: "command" } as const;
  const find = () => findImported(sessionFor(service.emulator).service, query);
  expect(await failure(find())).toBe(
    'ClusterDefaultQueue: the cluster "Linux" has no default queue. Deploy it without an import to set one.',
  );
  const { id: queueId } = await service.driver.create("Queue", { clusterId, key: "q" });
  const { id } = await service.driver.create("ClusterDefaultQueue", { clusterId, queueId });
  expect(await find()).toMatchObject({ id, observed: { clusterId, queueId } });
});

test("What is observed of an object has the argument that refers to its parent, where that is known", () => {
  expect(observedOf(kindOf("Queue"), { key: "q" }, "c")).toMatchObject({ key: "q", clusterId: "c" });
  expect(observedOf(kindOf("Queue"), { key: "q" }, undefined)).not.toHaveProperty("clusterId");
});
