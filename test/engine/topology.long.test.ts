import { describe, expect, test } from "vitest";
import { AgentToken, Cluster, ClusterDefaultQueue, Queue } from "../../src/index.js";
import { TestStack } from "./stack.js";

describe("Topology on the real engine", () => {
  const stack = TestStack.forAll();

  const program =
    (where: "one" | "two" = "one", wired: "resource" | "id" = "resource") =>
    async () => {
      const one = new Cluster("one", { name: "One" });
      const two = new Cluster("two", { name: "Two" });
      const cluster = { one, two }[where];
      const clusterId = wired === "resource" ? cluster : cluster.id;
      new Queue("queue", { clusterId, key: "same" });
      const token = new AgentToken("token", { clusterId, description: "same" });
      return { secret: token.token };
    };
  const clusterOf = async (name: string) => (await stack.state())[name]?.inputs.clusterId;

  test("a queue and a token move to another cluster with the same key", async () => {
    const before = (await stack.up(program("one"))).outputs.secret;
    const { outputs } = await stack.up(program("two"));
    const { two } = await stack.state();
    expect(await clusterOf("queue")).toBe(two?.id);
    expect(await clusterOf("token")).toBe(two?.id);
    expect(outputs.secret).not.toBe(before);
    await stack.preview(undefined, { expectNoChanges: true });
  });

  test("a cluster deleted by hand heals", async () => {
    const { two } = await stack.state();
    await stack.colleague.sends("DELETE", `/clusters/${two?.id}`);
    await stack.refresh();
    expect(Object.keys(await stack.state())).toEqual(["one"]);
    await stack.up(program("two"));
    expect(Object.keys(await stack.state()).sort()).toEqual(["one", "queue", "token", "two"]);
    await stack.preview(undefined, { expectNoChanges: true });
  });

  test("destroying a cluster deletes its queues and tokens by requests of their own, before it", async () => {
    stack.requests();
    await stack.destroy();
    expect(stack.requests().filter((request) => request.startsWith("DELETE"))).toHaveLength(4);
    expect(await stack.colleague.list("/clusters")).toEqual([]);
  });

  test("destroy leaves nothing when ids were wired", async () => {
    await stack.up(program("one", "id"));
    await stack.destroy();
    expect(await stack.state()).toEqual({});
    expect(await stack.colleague.list("/clusters")).toEqual([]);
  });

  test("a queue in a cluster that outlives the stack is deleted by itself", async () => {
    const cluster = await stack.colleague.sends("POST", "/clusters", { name: "Shared" });
    await stack.up(async () => {
      const shared = Cluster.get("shared", String(cluster.id));
      new Queue("mine", { clusterId: shared, key: "mine" });
    });
    await stack.destroy();
    expect(await stack.colleague.list(`/clusters/${cluster.id}/queues`)).toEqual([]);
    expect(await stack.colleague.list("/clusters")).toHaveLength(1);
  });

  test("so is one in a cluster that is retained, or that was adopted and still has the option", async () => {
    const adopted = await stack.colleague.sends("POST", "/clusters", { name: "Adopted" });
    await stack.up(async () => {
      const kept = new Cluster("kept", { name: "Kept" }, { retainOnDelete: true });
      new Queue("in-kept", { clusterId: kept, key: "mine" });
      const imported = new Cluster("imported", { name: "Adopted" }, { import: String(adopted.id) });
      new Queue("in-imported", { clusterId: imported, key: "mine" });
      new AgentToken("token", { clusterId: imported, description: "mine" });
    });
    const { kept } = await stack.state();
    await stack.destroy();
    for (const id of [kept?.id, adopted.id]) {
      expect(await stack.colleague.list(`/clusters/${id}/queues`)).toEqual([]);
      expect(await stack.colleague.list(`/clusters/${id}/tokens`)).toEqual([]);
      await stack.colleague.sends("DELETE", `/clusters/${id}`);
    }
  });

  test("a cluster goes with its default queue, however the ids were wired", async () => {
    for (const wired of ["resource", "id"] as const) {
      await stack.up(async () => {
        const cluster = new Cluster("cluster", { name: "Default" });
        const clusterId = wired === "resource" ? cluster : cluster.id;
        const queue = new Queue("queue", { clusterId, key: "first" });
        new ClusterDefaultQueue("default", { clusterId, queueId: queue.id });
      });
      await stack.destroy();
      expect(
        (await stack.colleague.list("/clusters")).map(({ name }) => name),
        wired,
      ).toEqual(["Shared"]);
    }
  });

  test("a destroy with a refused access token keeps the cluster, and goes on later", async () => {
    await stack.up(program("one"));
    const env = { BUILDPIPELINE_ACCESS_TOKEN: "bkua_refused" };
    const message = await stack.refused(stack.destroy({ env }));
    expect(message).toContain("401");
    expect(Object.keys(await stack.state())).toEqual(expect.arrayContaining(["one", "two"]));
    await stack.destroy({ env: { BUILDPIPELINE_ACCESS_TOKEN: stack.emulator.accessToken } });
    expect(await stack.state()).toEqual({});
    expect((await stack.colleague.list("/clusters")).map(({ name }) => name)).toEqual(["Shared"]);
  });

  test("a queue that was renamed without an alias is rescued by the import that the error names", async () => {
    const named =
      (name: string, opts: { import?: string } = {}) =>
      async () => {
        const one = new Cluster("one", { name: "One" });
        new Queue(name, { clusterId: one, key: "same" }, opts);
      };
    await stack.up(named("before"));
    const { one, before } = await stack.state();
    const message = await stack.refused(stack.up(named("after")));
    expect(message).toContain("aliases");

    const { output } = await stack.up(named("after", { import: `${one?.id}/${before?.id}` }));
    expect(output).toContain("nothing was sent for the");
    expect(Object.keys(await stack.state()).sort()).toEqual(["after", "one"]);
    expect((await stack.state()).after?.id).toBe(before?.id);
    expect(await stack.colleague.list(`/clusters/${one?.id}/queues`)).toHaveLength(1);
    // While the option is set, the queue counts as one of others, and its cluster can't be deleted.
    expect(await stack.refused(stack.destroy())).toContain(`queue "same" (${before?.id}`);
    await stack.up(named("after", { import: `${one?.id}/${before?.id}` }));
    await stack.up(named("after"));
    await stack.destroy();
  });

  test("moving an organization is refused unless it is allowed", async () => {
    const other = await TestStack.start({ organization: "other" });
    try {
      await stack.up(async () => {
        new Cluster("moves", { name: "Moves" });
      });
      const env = {
        BUILDPIPELINE_ORGANIZATION: "other",
        BUILDPIPELINE_BASE_URL: other.emulator.url,
        BUILDPIPELINE_ACCESS_TOKEN: other.emulator.accessToken,
      };
      const moves = async () => {
        new Cluster("moves", { name: "Moves" });
      };
      expect(await stack.refused(stack.preview(moves, { env }))).toContain("allowOrganizationChange");
      await stack.configure("buildpipeline:allowOrganizationChange", "true");
      const { steps } = await stack.preview(moves, { env });
      expect(steps.moves).toContain("replace");
    } finally {
      await other.close();
    }
  });
});
