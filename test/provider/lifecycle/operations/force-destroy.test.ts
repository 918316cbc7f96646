import { describe, expect, test } from "vitest";
import { startProvider } from "../../../stories/histories/engine/start-provider.js";
import { someOf } from "../../../support/cases.js";
import { Driver, failure, LOGIN_PAGE, serviceForEach } from "../../../support/driver.js";

const service = serviceForEach();

const clusters = () => service.colleague.list("/clusters");

/** A cluster with a queue and a token of its own, and what a colleague put into it. */
async function shared(args: object = {}) {
  const cluster = await service.driver.create("Cluster", { name: "Linux", ...args });
  const clusterId = cluster.id;
  const queue = await service.driver.create("Queue", { clusterId, key: "mine" });
  const token = await service.driver.create("AgentToken", { clusterId, description: "mine" });
  const theirQueue = await service.colleague.sends("POST", `/clusters/${clusterId}/queues`, { key: "gpu" });
  const laptop = { description: "laptop" };
  const theirToken = await service.colleague.sends("POST", `/clusters/${clusterId}/tokens`, laptop);
  service.emulator.clearRequests();
  return { cluster, queue, token, theirQueue, theirToken };
}

async function unshared() {
  const { cluster, queue, token, theirQueue, theirToken } = await shared();
  await service.colleague.sends("DELETE", `/clusters/${cluster.id}/queues/${theirQueue.id}`);
  await service.colleague.sends("DELETE", `/clusters/${cluster.id}/tokens/${theirToken.id}`);
  return [queue, token, cluster];
}

/** A cluster with a pipeline of the stack. */
async function withPipeline() {
  const cluster = await service.driver.create("Cluster", { name: "Linux" });
  const pipeline = await service.driver.create("Pipeline", {
    ...{ name: "Shop", repository: "git@example.com:shop.git", clusterId: cluster.id, onDelete: "delete" },
  });
  return { cluster, pipeline };
}

describe("The deletion of a cluster", () => {
  test("is refused while it holds queues and tokens of others, which it names", async () => {
    const { cluster, queue, token, theirQueue, theirToken } = await shared();
    const run = service.newRun();
    await run.delete(queue);
    await run.delete(token);
    service.emulator.clearRequests();
    const reason = await failure(run.delete(cluster));
    expect(reason).toMatch(/^Cluster: nothing was sent for the cluster/);
    expect(reason).toContain(cluster.id);
    expect(reason).toMatch(new RegExp(`queue "gpu" \\(${theirQueue.id}, created .* by .*\\)`));
    expect(reason).toMatch(new RegExp(`agent token "laptop" \\(${theirToken.id}, created .* by .*\\)`));
    expect(reason).not.toContain(queue.id);
    expect(reason).toContain("forceDestroy: true");
    expect(reason).toContain("deletedWith");
    const lists = ["agentTokens.list", "clusterSecrets.list", "queues.list"];
    expect(service.operations.toSorted()).toEqual([...lists, ...lists].toSorted());
    expect(await clusters()).toHaveLength(1);
  });

  test("is refused without the key of a queue of the stack if that is secret", async () => {
    const { id: clusterId, ...cluster } = await service.driver.create("Cluster", { name: "Linux" });
    const args = { clusterId, key: "s3cret-key", __secrets: ["key"] };
    const queue = await service.driver.create("Queue", args);
    const run = service.newRun();
    await run.delete({ ...queue, outs: { ...queue.outs, import: "Linux/s3cret-key" } });
    const reason = await failure(run.delete({ id: clusterId, ...cluster }));
    expect(reason).toContain(`In it: queue (${queue.id}, created`);
    expect(reason).not.toContain("s3cret");
  });

  test("is sent once the cluster holds nothing that this process did not delete", async () => {
    const run = service.newRun();
    for (const made of await unshared()) await run.delete(made);
    expect(await clusters()).toEqual([]);
  });

  describe("with its contents, which the engine deletes at the same time,", () => {
    const orders = [["queue"], ["token"], ["queue", "token"]].flatMap((contents) =>
      Array.from({ length: 10 }, (_, steps) => [0, 1, 2].map((held) => ({ contents, steps, held }))).flat(),
    );

    // The cluster's deletion lists twice and then waits. Each list and each wait is a step.
    test.each(someOf(orders))(
      "waits for $contents: begun after $steps steps, sent $held later",
      async (order) => {
        const [queue, token, cluster] = await unshared();
        const contents = [queue, token].filter((made) => made !== undefined);
        const [now, later] = [contents, contents].map((all, isLater) =>
          all.filter(
            ({ kind }) => order.contents.includes(kind === "Queue" ? "queue" : "token") === (isLater === 1),
          ),
        );
        let steps = 0;
        const due: { readonly at: number; readonly go: () => void }[] = [];
        const step = () => {
          steps += 1;
          for (const one of due) if (one.at === steps) one.go();
        };
        const reached = (count: number) =>
          new Promise<void>((go) => (count <= steps ? go() : due.push({ at: count, go })));
        let writes = 0;
        const run = Driver.for(service.emulator, {}, service.clock, {
          pause: () => new Promise((resolve) => setImmediate(() => resolve(step()))),
          // Once the deletions are begun, the one of the cluster takes no step but its lists until they end.
          beforeWrite: () =>
            ++writes > order.contents.length
              ? Promise.resolve()
              : reached(Math.min(2, order.steps + order.held)),
        });
        for (const made of now ?? []) await service.driver.delete(made);
        service.emulator.onRequest(({ method }) => method === "GET" && step());
        const slow = { method: "DELETE", path: /queues|tokens/, times: 2, action: { delayMs: 40 } };
        if (order.held === 2) service.emulator.fault(slow);
        await Promise.all([
          cluster && run.delete(cluster),
          ...(later ?? []).map(async (made) => {
            await reached(order.steps);
            await run.delete(made);
          }),
        ]);
        expect(await clusters()).toEqual([]);
      },
    );

    test.each([0, 1, 40])(
      "is sent again once a pipeline in it is deleted, whose deletion begins after %d waits",
      async (waits) => {
        const { cluster, pipeline } = await withPipeline();
        let paused = 0;
        const deleting: Promise<unknown>[] = [];
        const begin = () => paused++ === waits && deleting.push(run.delete(pipeline));
        const pause = () => new Promise<void>((resolve) => setImmediate(() => resolve(void begin())));
        const run = Driver.for(service.emulator, {}, service.clock, { pause });
        await run.delete(cluster);
        await Promise.all(deleting);
        expect(deleting).toHaveLength(1);
        expect(await clusters()).toEqual([]);
      },
    );

    test("lists again after five seconds, because another provider process may delete them", async () => {
      const [queue, token, cluster] = await unshared();
      let waits = 0;
      const pause = async () => {
        waits += 1;
        if (waits === 50) for (const made of [queue, token]) if (made) await service.driver.delete(made);
      };
      if (cluster) await Driver.for(service.emulator, {}, service.clock, { pause }).delete(cluster);
      expect(await clusters()).toEqual([]);
    });

    test("is refused after five seconds, once nothing deletes them", async () => {
      const { cluster, queue, token } = await shared();
      let waited = 0;
      const pause = async (milliseconds: number) => {
        waited += milliseconds;
      };
      const run = Driver.for(service.emulator, {}, service.clock, { pause });
      await run.delete(token);
      expect(await failure(run.delete(cluster))).toContain(queue.id);
      expect(waited).toBe(5_000);
    });
  });

  test("is sent without a question where the state has forceDestroy, and confirms that what was in it is gone", async () => {
    const { cluster, queue } = await shared({ forceDestroy: true });
    const run = service.newRun();
    await run.delete(cluster);
    await run.delete(queue);
    expect(service.operations).toEqual(["clusters.delete", "queues.delete"]);
  });

  test("is refused while an imported queue in it has the option import", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    await service.colleague.sends("POST", `/clusters/${cluster.id}/queues`, { key: "gpu" });
    const args = { clusterId: cluster.id, key: "gpu", import: "Linux/gpu" };
    const imported = await service.driver.create("Queue", args);
    const run = service.newRun();
    await run.delete(imported);
    const reason = await failure(run.delete(cluster));
    expect(reason).toContain(imported.id);
    expect(reason).toContain("import");
    expect(await clusters()).toHaveLength(1);
  });

  test.each([
    ["queues", "queues.list", 404],
    ["agent tokens", "agentTokens.list", 404],
    ["agent tokens", "agentTokens.list", 403],
  ])("is refused where its list of %s can't be read: %s gets %i", async (things, operation, status) => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    await service.clock.sleep(60_000);
    service.emulator.fault({ operation, action: { status, body: { message: "No" } } });
    const reason = await failure(service.newRun().delete(cluster));
    expect(reason).toContain(`Cluster: nothing was sent for the cluster ${cluster.id}`);
    expect(reason).toContain(`because the ${things} in it could not be listed and would be deleted with it`);
    expect(reason).toContain(String(status));
    expect(reason).toContain("set forceDestroy: true on the Cluster, run pulumi up and repeat the deletion");
    expect(await clusters()).toHaveLength(1);
  });

  test.each([503, 200])(
    "without advice to force it where its queues can't be read for now: %i",
    async (status) => {
      const cluster = await service.driver.create("Cluster", { name: "Linux" });
      service.emulator.fault({ operation: "queues.list", times: 99, action: { ...LOGIN_PAGE, status } });
      const reason = await failure(service.newRun().delete(cluster));
      expect(reason).toContain('a web page ("Sign in")');
      expect(reason).not.toContain("forceDestroy");
      expect(await clusters()).toHaveLength(1);
    },
  );

  test.each([
    ["everything", /^\//],
    ["everything but the list of clusters", /\/clusters\/.+/],
  ])("is not sent while a 404 to each read of %s says nothing of what is in it", async (_, path) => {
    const { cluster } = await shared();
    service.emulator.fault({ method: "GET", path, times: 99, action: { status: 404, body: {} } });
    expect(await failure(service.newRun().delete(cluster))).toMatch(
      /^Cluster: nothing was sent for the cluster .* in it could not be listed and would be deleted with it/,
    );
    expect(service.writes).toEqual([]);
  });

  test("names ten objects at most", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    for (let index = 0; index < 13; index++) {
      await service.colleague.sends("POST", `/clusters/${cluster.id}/queues`, { key: `q${index}` });
    }
    const reason = await failure(service.newRun().delete(cluster));
    expect(reason.match(/queue "q/g)).toHaveLength(10);
    expect(reason).toContain("and 3 more");
  });

  test("asks anew, whatever lists were read before", async () => {
    const cluster = await service.driver.create("Cluster", { name: "Linux" });
    const run = service.newRun();
    await run.failures("Queue", { clusterId: cluster.id, key: "free" });
    await run.failures("AgentToken", { clusterId: cluster.id, description: "free" });
    await service.colleague.sends("POST", `/clusters/${cluster.id}/queues`, { key: "late" });
    expect(await failure(run.delete(cluster))).toContain('queue "late"');
  });
});

describe("On a service that neither clears nor deletes default queues, a cluster", () => {
  const variations = { clearDefaultQueue: "refused", deleteDefaultQueue: "refused" } as const;
  const strict = serviceForEach({ variations });

  async function withDefaultDeleted() {
    const cluster = await strict.driver.create("Cluster", { name: "Linux" });
    const queue = await strict.driver.create("Queue", { clusterId: cluster.id, key: "mine" });
    const args = { clusterId: cluster.id, queueId: queue.id };
    const setting = await strict.driver.create("ClusterDefaultQueue", args);
    const run = strict.newRun();
    await run.delete(setting);
    await run.delete(queue);
    return { cluster, queue, run };
  }

  test("is deleted with the default queue that was just removed from state", async () => {
    const { cluster, run } = await withDefaultDeleted();
    await run.delete(cluster);
    expect(await strict.colleague.list("/clusters")).toEqual([]);
  });

  test("whose deletion then fails has a queue whose import the next preview names", async () => {
    const { cluster, queue, run } = await withDefaultDeleted();
    strict.emulator.fault({ operation: "clusters.delete", action: { status: 422, body: { message: "No" } } });
    await failure(run.delete(cluster));
    const [reason] = await strict.newRun().failures("Queue", { clusterId: cluster.id, key: "mine" });
    expect(reason).toContain(`{ import: "${cluster.id}/${queue.id}" }`);
  });
});

describe("The argument forceDestroy", () => {
  test.each([{}, { forceDestroy: false }])("is no change of a state without it: %o", async (args) => {
    const made = await service.driver.create("Cluster", { name: "Linux" });
    expect(made.outs).not.toHaveProperty("forceDestroy");
    expect(await service.newRun().plan(made, { name: "Linux", ...args })).toEqual({ changes: false });
  });

  test("counts with the plugin as the program has it, while the state of an imported cluster lacks it", async () => {
    const { id: clusterId } = await service.colleague.sends("POST", "/clusters", { name: "Linux" });
    await service.colleague.sends("POST", `/clusters/${clusterId}/queues`, { key: "gpu" });
    const place = { backend: "plugin", service: service.emulator, clock: service.clock } as const;
    const provider = startProvider(place, {});
    const cluster = { name: "linux", kind: "Cluster" };
    const { id, inputs, outs } = await provider.read(cluster, "Linux", {}, {});
    const { inputs: checked } = await provider.check(cluster, inputs, { name: "Linux", forceDestroy: true });
    expect(await failure(provider.delete(cluster, id, outs, inputs))).toContain("forceDestroy");
    await provider.delete(cluster, id, outs, checked);
    expect(await clusters()).toEqual([]);
  });
});
