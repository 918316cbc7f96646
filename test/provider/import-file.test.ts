import { describe, expect, test } from "vitest";
import { findForImportFile, observedOf } from "../../src/provider/imports/import-option.js";
import { failure, kindOf, serviceForEach, sessionFor } from "./driver.js";

const service = serviceForEach();

/** Finds an object for an import file, as `buildpipeline import` and `buildpipeline adopt` do. */
function find(kind: string, name: string) {
  const { organization } = service.emulator;
  const session = sessionFor(service.emulator);
  return findForImportFile(session.service, { organization, kind: kindOf(kind), name });
}

describe("What is observed of an object", () => {
  const cluster = { id: "c" };

  test("has the argument that refers to what it lives in", () => {
    expect(observedOf(kindOf("Queue"), { key: "q" }, cluster)).toMatchObject({ key: "q", clusterId: "c" });
  });

  test("has none where it lives in nothing, or that is not known", () => {
    expect(observedOf(kindOf("Cluster"), { name: "Linux" }, cluster)).not.toHaveProperty("clusterId");
    expect(observedOf(kindOf("Queue"), { key: "q" }, undefined)).not.toHaveProperty("clusterId");
  });
});

describe("For an import file", () => {
  test("a default queue goes by the name of its cluster", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    const queue = await service.driver.create("Queue", { clusterId: cluster.id, key: "q" });
    const args = { clusterId: cluster.id, queueId: queue.id };
    const { id } = await service.driver.create("ClusterDefaultQueue", args);
    expect(await find("ClusterDefaultQueue", "Linux")).toMatchObject({ id, observed: args });
  });

  test("a cluster without a default queue has none to import", async () => {
    await service.driver.create("Cluster", { name: "Linux" });
    expect(await failure(find("ClusterDefaultQueue", "Linux"))).toBe(
      'ClusterDefaultQueue: the cluster "Linux" has no default queue.',
    );
  });

  test("everything else goes by the names of the option import", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    const queue = await service.driver.create("Queue", { clusterId: cluster.id, key: "q" });
    expect((await find("Cluster", "Linux")).id).toBe(cluster.id);
    expect(await find("Queue", "Linux/q")).toMatchObject({
      id: queue.id,
      observed: { clusterId: cluster.id },
    });
  });
});
