import { describe, expect, test } from "vitest";
import { backends, classesOf } from "./backends.js";
import { TestStack } from "./stack.js";

describe.each(backends)("A default queue on the real engine, %s backend", (backend) => {
  const { Cluster, ClusterDefaultQueue, Queue } = classesOf[backend];
  const stack = TestStack.forAll();

  const program =
    (name: string | undefined, which: "small" | "large" = "small", description = "Builds") =>
    async () => {
      const linux = new Cluster("linux", { name: "Linux", description });
      const small = new Queue("small", { clusterId: linux, key: "small" });
      const large = new Queue("large", { clusterId: linux, key: "large" });
      if (name === undefined) return;
      new ClusterDefaultQueue(name, { clusterId: linux, queueId: { small, large }[which].id });
    };
  const live = async () => {
    const { linux } = await stack.state();
    return (await stack.colleague.sends("GET", `/clusters/${linux?.id}`)).default_queue_id;
  };

  test("survives a rename, is repaired when it was changed by hand, and is left alone when it is somebody else's", async () => {
    await stack.up(program("first"));
    const { linux, small, large } = await stack.state();
    await stack.up(program("second"));
    expect(await live()).toBe(small?.id);

    const byHand = () =>
      stack.colleague.sends("PUT", `/clusters/${linux?.id}`, { default_queue_id: large?.id });
    await byHand();
    const { diffs } = await stack.up(program("second"), { refresh: true });
    expect(diffs.second).toEqual(["queueId"]);
    expect(await live()).toBe(small?.id);

    await byHand();
    await stack.up(program(undefined));
    expect(await live()).toBe(large?.id);
  });

  test("is not dropped by a change of the cluster's description", async () => {
    await stack.up(program("first", "large"));
    await stack.up(async () => {
      await program("first", "large", "changed")();
      new Cluster("other", { name: "Other" });
    });
    expect(await live()).toBe((await stack.state()).large?.id);
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
});
