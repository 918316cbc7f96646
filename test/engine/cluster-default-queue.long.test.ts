import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("A default queue on the real engine, %s backend", (backend) => {
  const { Cluster, ClusterDefaultQueue, Queue } = classesOf[backend];
  const stack = TestStack.forAll();

  const program =
    (name: string, which: "small" | "large" = "small") =>
    async () => {
      const linux = new Cluster("linux", { name: "Linux" });
      const small = new Queue("small", { clusterId: linux, key: "small" });
      const large = new Queue("large", { clusterId: linux, key: "large" });
      new ClusterDefaultQueue(name, { clusterId: linux, queueId: { small, large }[which].id });
    };
  const live = async () => {
    const { linux } = await stack.state();
    return (await stack.colleague.sends("GET", `/clusters/${linux?.id}`)).default_queue_id;
  };

  test("survives a rename of its resource", async () => {
    await stack.up(program("first"));
    const { small } = await stack.state();
    await stack.up(program("second"));
    expect(await live()).toBe(small?.id);
  });

  test("changed by hand is drift, and repaired", async () => {
    const { linux, small, large } = await stack.state();
    await stack.colleague.sends("PUT", `/clusters/${linux?.id}`, { default_queue_id: large?.id });
    const { diffs } = await stack.up(program("second"), { refresh: true });
    expect(diffs.second).toEqual(["queueId"]);
    expect(await live()).toBe(small?.id);
  });

  test("of somebody else is left alone when the resource goes", async () => {
    const { linux, large } = await stack.state();
    await stack.colleague.sends("PUT", `/clusters/${linux?.id}`, { default_queue_id: large?.id });
    await stack.up(async () => {
      const cluster = new Cluster("linux", { name: "Linux" });
      new Queue("small", { clusterId: cluster, key: "small" });
      new Queue("large", { clusterId: cluster, key: "large" });
    });
    expect(await live()).toBe(large?.id);
  });

  test("is not dropped by a change of the cluster's description", async () => {
    await stack.up(program("first", "large"));
    await stack.up(async () => {
      const linux = new Cluster("linux", { name: "Linux", description: "changed" });
      new Cluster("other", { name: "Other" });
      const large = new Queue("large", { clusterId: linux, key: "large" });
      new ClusterDefaultQueue("first", { clusterId: linux, queueId: large.id });
    });
    const { large } = await stack.state();
    expect(await live()).toBe(large?.id);
    await stack.preview(undefined, { expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
  });

  test("goes before its queue when the cluster is replaced, as the preview announced", async () => {
    const before = await stack.state();
    const replace = [before.linux?.urn ?? ""];
    const announced = (await stack.preview(undefined, { replace })).steps;
    const { steps } = await stack.up(undefined, { replace });
    for (const name of ["linux", "large", "first"]) {
      expect(announced[name], name).toContain("replace");
      expect(steps[name], name).toContain("replace");
    }
    const { linux, other, large } = await stack.state();
    const clusters = await stack.colleague.list("/clusters");
    expect(clusters.map(({ id }) => id).sort()).toEqual([linux?.id, other?.id].sort());
    expect(linux?.id).not.toBe(before.linux?.id);
    expect(await live()).toBe(large?.id);
    await stack.preview(undefined, { expectNoChanges: true });
  });

  test("moves to another cluster together with its queue", async () => {
    const { steps } = await stack.up(async () => {
      new Cluster("linux", { name: "Linux", description: "changed" });
      const other = new Cluster("other", { name: "Other" });
      const large = new Queue("large", { clusterId: other, key: "large" });
      new ClusterDefaultQueue("first", { clusterId: other, queueId: large.id });
    });
    expect(steps.first).toContain("replace");
    const { linux, other, large } = await stack.state();
    const defaultOf = async (id = "") =>
      (await stack.colleague.sends("GET", `/clusters/${id}`)).default_queue_id;
    expect(await defaultOf(linux?.id)).toBe(null);
    expect(await defaultOf(other?.id)).toBe(large?.id);
    await stack.preview(undefined, { expectNoChanges: true });
  });

  test("which a service refuses to clear is let go with a warning", async () => {
    const refusing = await TestStack.start({ variations: { clearDefaultQueue: "refused" } });
    try {
      const linux = await refusing.colleague.sends("POST", "/clusters", { name: "Linux" });
      const queue = await refusing.colleague.sends("POST", `/clusters/${linux.id}/queues`, {
        key: "q",
      });
      await refusing.up(async () => {
        new ClusterDefaultQueue("it", { clusterId: String(linux.id), queueId: String(queue.id) });
      });
      const { output } = await refusing.destroy();
      expect(output).toContain("keeps its default queue");
      expect(await refusing.state()).toEqual({});
    } finally {
      await refusing.close();
    }
  });
});
