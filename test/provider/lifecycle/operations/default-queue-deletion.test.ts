import { describe, expect, test } from "vitest";
import { serviceForEach, UNKNOWN } from "../../../support/driver.js";

const service = serviceForEach();

/** A cluster that another stack manages, with two queues of this one. */
async function twoQueues() {
  const args = { name: "Linux", description: "Builds" };
  const { id: clusterId } = await service.newRun().create("Cluster", args);
  const small = await service.driver.create("Queue", { clusterId, key: "small" });
  const large = await service.driver.create("Queue", { clusterId, key: "large" });
  return { clusterId, small, large };
}

const setDefault = (clusterId: string, queueId: string) =>
  service.emulator.organizationData.clusters.update(clusterId, { default_queue_id: queueId });

const cluster = (id: string) => service.emulator.organizationData.clusters.get(id);

test("A new default queue warns of another one that the cluster has already, and of that alone", async () => {
  const { clusterId, small, large } = await twoQueues();
  const planned = async (queueId: string) => {
    const run = service.newRun();
    expect(await run.failures("ClusterDefaultQueue", { clusterId, queueId })).toEqual([]);
    return run.warnings;
  };
  expect(await planned(large.id)).toEqual([]);
  setDefault(clusterId, small.id);
  expect(await planned(small.id)).toEqual([]);
  for (const queueId of [large.id, UNKNOWN])
    expect(await planned(queueId)).toEqual([
      expect.stringMatching(`${clusterId} has another default queue already, "${small.id}"`),
    ]);
});

describe("The deletion of a queue that a colleague made the default of a cluster", () => {
  test("clears that default and changes nothing else in the cluster; a warning names both", async () => {
    const { clusterId, small } = await twoQueues();
    setDefault(clusterId, small.id);
    const before = cluster(clusterId);
    const run = service.newRun();
    await run.delete(small);
    expect(cluster(clusterId)).toEqual({ ...before, default_queue_id: null });
    expect(run.warnings).toEqual([expect.stringMatching(`${clusterId}.*small.*${small.id}`)]);
  });

  test("warns without the queue's key if that is secret", async () => {
    const { clusterId } = await twoQueues();
    const args = { clusterId, key: "s3cret-key", __secrets: ["key"] };
    const queue = await service.driver.create("Queue", args);
    setDefault(clusterId, queue.id);
    const run = service.newRun();
    await run.delete(queue);
    expect(run.warnings).toEqual([expect.stringContaining(queue.id)]);
    expect(run.warnings.join()).not.toContain("s3cret");
  });

  test("leaves another default alone, also one that is set while it waits", async () => {
    const { clusterId, small, large } = await twoQueues();
    setDefault(clusterId, small.id);
    let looks = 0;
    const stop = service.emulator.onRequest(({ operation }) => {
      if (operation === "clusters.get") looks += 1;
      if (looks === 5) setDefault(clusterId, large.id);
    });
    const run = service.newRun();
    service.emulator.clearRequests();
    await run.delete(small).catch(() => undefined);
    stop();
    expect(new Set(service.writes)).toEqual(new Set(["queues.delete"]));
    expect(cluster(clusterId)?.default_queue_id).toBe(large.id);
    expect(run.warnings).toEqual([]);
  });
});

test("A default that its own resource cleared before needs no warning", async () => {
  const { clusterId, small } = await twoQueues();
  const args = { clusterId, queueId: small.id };
  const setting = await service.driver.create("ClusterDefaultQueue", args);
  const run = service.newRun();
  await run.delete(setting);
  await run.delete(small);
  expect(cluster(clusterId)?.default_queue_id).toBeNull();
  expect(run.warnings).toEqual([]);
});
