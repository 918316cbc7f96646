import { describe, expect, test } from "vitest";
import { type Driver, failure, serviceForEach } from "./driver.js";

type Made = { readonly id: string; readonly outs: Record<string, unknown> };

const service = serviceForEach();

async function remove(run: Driver, kind: string, { id, outs }: Made): Promise<void> {
  await (await run.kind(kind)).delete(id, outs);
}

const sent = () => service.emulator.requests.map(({ method, operation }) => `${method} ${operation}`);
const clusters = () => service.colleague.list("/clusters");

/** A cluster with a queue and a token of its own, and what a colleague put into it. */
async function shared(args: object = {}) {
  const cluster = await service.driver.create("Cluster", { name: "Linux", ...args });
  const clusterId = cluster.id;
  const queue = await service.driver.create("Queue", { clusterId, key: "mine" });
  const token = await service.driver.create("AgentToken", { clusterId, description: "mine" });
  const theirQueue = await service.colleague.sends("POST", `/clusters/${clusterId}/queues`, { key: "gpu" });
  const theirToken = await service.colleague.sends("POST", `/clusters/${clusterId}/tokens`, {
    description: "laptop",
  });
  service.emulator.clearRequests();
  return { cluster, queue, token, theirQueue, theirToken };
}

describe("The deletion of a cluster", () => {
  test("is refused while it holds queues and tokens of others, which it names", async () => {
    const { cluster, queue, token, theirQueue, theirToken } = await shared();
    const run = service.newRun();
    await remove(run, "Queue", queue);
    await remove(run, "AgentToken", token);
    service.emulator.clearRequests();
    const reason = await failure(remove(run, "Cluster", cluster));
    expect(reason).toMatch(/^Cluster: nothing was sent for the cluster/);
    expect(reason).toContain(cluster.id);
    expect(reason).toMatch(new RegExp(`queue "gpu" \\(${theirQueue.id}, created .* by .*\\)`));
    expect(reason).toMatch(new RegExp(`agent token "laptop" \\(${theirToken.id}, created .* by .*\\)`));
    expect(reason).not.toContain(queue.id);
    expect(reason).toContain("forceDestroy: true");
    expect(reason).toContain("deletedWith");
    expect(sent().sort()).toEqual(["GET agentTokens.list", "GET queues.list"]);
    expect(await clusters()).toHaveLength(1);
  });

  test("is sent once the cluster holds nothing that this process did not delete", async () => {
    const { cluster, queue, token, theirQueue, theirToken } = await shared();
    await service.colleague.sends("DELETE", `/clusters/${cluster.id}/queues/${theirQueue.id}`);
    await service.colleague.sends("DELETE", `/clusters/${cluster.id}/tokens/${theirToken.id}`);
    const run = service.newRun();
    await remove(run, "Queue", queue);
    await remove(run, "AgentToken", token);
    await remove(run, "Cluster", cluster);
    expect(await clusters()).toEqual([]);
  });

  test("is sent without a question where the state has forceDestroy", async () => {
    const { cluster } = await shared({ forceDestroy: true });
    await remove(service.newRun(), "Cluster", cluster);
    expect(sent()).toEqual(["DELETE clusters.delete"]);
  });

  test("needs no list to confirm that what was in it is gone", async () => {
    const { cluster, queue } = await shared({ forceDestroy: true });
    const run = service.newRun();
    await remove(run, "Cluster", cluster);
    await remove(run, "Queue", queue);
    expect(sent()).toEqual(["DELETE clusters.delete", "DELETE queues.delete"]);
  });

  test("waits for deletions that are under way in this process", async () => {
    const { cluster, queue, token, theirQueue, theirToken } = await shared();
    await service.colleague.sends("DELETE", `/clusters/${cluster.id}/queues/${theirQueue.id}`);
    await service.colleague.sends("DELETE", `/clusters/${cluster.id}/tokens/${theirToken.id}`);
    service.emulator.fault({ method: "DELETE", path: /queues|tokens/, times: 2, action: { delayMs: 300 } });
    const run = service.newRun();
    await Promise.all([
      remove(run, "Queue", queue),
      remove(run, "AgentToken", token),
      remove(run, "Cluster", cluster),
    ]);
    expect(await clusters()).toEqual([]);
  });

  test("is refused while an imported queue in it has the option import", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    await service.colleague.sends("POST", `/clusters/${cluster.id}/queues`, { key: "gpu" });
    const args = { clusterId: cluster.id, key: "gpu", import: "Linux/gpu" };
    const imported = await service.driver.create("Queue", args);
    const run = service.newRun();
    await remove(run, "Queue", imported);
    const reason = await failure(remove(run, "Cluster", cluster));
    expect(reason).toContain(imported.id);
    expect(reason).toContain("import");
    expect(await clusters()).toHaveLength(1);
  });

  test("is refused where a list cannot be read, and says how to go on", async () => {
    const { cluster } = await shared();
    service.emulator.fault({
      operation: "agentTokens.list",
      action: { status: 403, body: { message: "No" } },
    });
    const reason = await failure(remove(service.newRun(), "Cluster", cluster));
    expect(reason).toContain(`nothing was sent for the cluster ${cluster.id}`);
    expect(reason).toContain("agent tokens");
    expect(reason).toContain("403");
    expect(await clusters()).toHaveLength(1);
  });

  test("is done where the cluster was deleted out of band", async () => {
    const { cluster } = await shared();
    await service.colleague.sends("DELETE", `/clusters/${cluster.id}`);
    await remove(service.newRun(), "Cluster", cluster);
    expect(await clusters()).toEqual([]);
  });

  test.each([
    ["queues", "queues.list"],
    ["agent tokens", "agentTokens.list"],
  ])("is refused where its list of %s is missing and a read has it", async (things, operation) => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    service.emulator.fault({ operation, action: { status: 404, body: { message: "No" } } });
    const reason = await failure(remove(service.newRun(), "Cluster", cluster));
    expect(reason).toContain(`Cluster: nothing was sent for the cluster ${cluster.id}`);
    expect(reason).toContain(`because the ${things} in it could not be listed and would be deleted with it`);
    expect(reason).toContain("404");
    expect(reason).toContain("set forceDestroy: true on the Cluster, run pulumi up and repeat the deletion");
    expect(await clusters()).toHaveLength(1);
  });

  test("names ten objects at most", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    for (let index = 0; index < 13; index++) {
      await service.colleague.sends("POST", `/clusters/${cluster.id}/queues`, { key: `q${index}` });
    }
    const reason = await failure(remove(service.newRun(), "Cluster", cluster));
    expect(reason.match(/queue "q/g)).toHaveLength(10);
    expect(reason).toContain("and 3 more");
  });

  test("asks anew, whatever lists were read before", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    const run = service.newRun();
    await run.failures("Queue", { clusterId: cluster.id, key: "free" });
    await run.failures("AgentToken", { clusterId: cluster.id, description: "free" });
    await service.colleague.sends("POST", `/clusters/${cluster.id}/queues`, { key: "late" });
    expect(await failure(remove(run, "Cluster", cluster))).toContain('queue "late"');
  });
});

describe("On a service that neither clears nor deletes default queues, a cluster", () => {
  const strict = serviceForEach({
    variations: { clearDefaultQueue: "refused", deleteDefaultQueue: "refused" },
  });

  async function withDefault() {
    const cluster = await strict.driver.create("Cluster", { name: "Linux" });
    const queue = await strict.driver.create("Queue", { clusterId: cluster.id, key: "mine" });
    const args = { clusterId: cluster.id, queueId: queue.id };
    return { cluster, queue, setting: await strict.driver.create("ClusterDefaultQueue", args) };
  }

  test("is deleted with the default queue that was just removed from state", async () => {
    const { cluster, queue, setting } = await withDefault();
    const run = strict.newRun();
    await remove(run, "ClusterDefaultQueue", setting);
    await remove(run, "Queue", queue);
    await remove(run, "Cluster", cluster);
    expect(await strict.colleague.list("/clusters")).toEqual([]);
  });

  test("whose deletion then fails has a queue whose import the next preview names", async () => {
    const { cluster, queue, setting } = await withDefault();
    const run = strict.newRun();
    await remove(run, "ClusterDefaultQueue", setting);
    await remove(run, "Queue", queue);
    strict.emulator.fault({ operation: "clusters.delete", action: { status: 422, body: { message: "No" } } });
    await failure(remove(run, "Cluster", cluster));
    const [reason] = await strict.newRun().failures("Queue", { clusterId: cluster.id, key: "mine" });
    expect(reason).toContain(`{ import: "${cluster.id}/${queue.id}" }`);
  });
});

describe("The argument forceDestroy", () => {
  test("is kept in state, and neither sent nor read", async () => {
    const { id, inputs, outs } = await service.driver.create("Cluster", {
      name: "Linux",
      forceDestroy: true,
    });
    expect(inputs.forceDestroy).toBe(true);
    expect(outs.forceDestroy).toBe(true);
    const [creation] = service.emulator.requests.filter(({ method }) => method === "POST");
    expect(JSON.stringify(creation?.body)).not.toContain("orce");
    const read = await (await service.newRun().kind("Cluster")).read(id, outs);
    expect(read).toMatchObject({ inputs: { forceDestroy: true }, props: { forceDestroy: true } });
  });

  test("changes by an update that sends nothing", async () => {
    const made = await service.driver.create("Cluster", { name: "Linux" });
    const provider = await service.newRun().kind("Cluster");
    const { inputs = {} } = await provider.check(made.inputs, { name: "Linux", forceDestroy: true });
    expect(await provider.diff(made.id, made.outs, inputs)).toEqual({
      replaces: [],
      deleteBeforeReplace: false,
    });
    service.emulator.clearRequests();
    const { outs = {} } = await provider.update(made.id, made.outs, inputs);
    expect(outs.forceDestroy).toBe(true);
    expect(service.emulator.requests).toEqual([]);
    const back = await provider.check(inputs, { name: "Linux" });
    expect((await provider.diff(made.id, outs, back.inputs ?? {})).changes).toBeUndefined();
  });

  test.each([{}, { forceDestroy: false }])("is no change of a state without it: %o", async (args) => {
    const made = await service.driver.create("Cluster", { name: "Linux" });
    expect(made.outs).not.toHaveProperty("forceDestroy");
    const provider = await service.newRun().kind("Cluster");
    const { inputs = {} } = await provider.check(made.inputs, { name: "Linux", ...args });
    expect(await provider.diff(made.id, made.outs, inputs)).toEqual({ changes: false });
  });

  test("is true or false", async () => {
    const [reason] = await service.driver.failures("Cluster", { name: "Linux", forceDestroy: "yes" });
    expect(reason).toContain("Cluster.forceDestroy:");
  });
});
