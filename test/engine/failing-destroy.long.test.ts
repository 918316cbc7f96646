import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { describe, expect, test } from "vitest";
import { AgentToken, Cluster, ClusterDefaultQueue, Queue } from "../../src/index.js";
import { TestStack } from "./stack.js";

/** A cluster with a queue and a token, the cluster given as the resource that it is. */
const program =
  (opts: pulumi.CustomResourceOptions = {}): PulumiFn =>
  async () => {
    const linux = new Cluster("linux", { name: "Linux" }, opts);
    new Queue("queue", { clusterId: linux, key: "q" });
    const token = new AgentToken("token", { clusterId: linux, description: "farm" });
    return { secret: token.token };
  };

describe("A destroy that fails", () => {
  const stack = TestStack.forEach();

  /** Makes the service refuse the deletion of clusters, until the fault is taken away. */
  const refusing = (status: number, message: string) =>
    stack.emulator.fault({ operation: "clusters.delete", times: 100, action: { status, body: { message } } });

  const liveTokens = () => stack.emulator.organizationData.agentTokens.list();

  test.each([
    ["because the service refuses the cluster's deletion", 422, "Cluster has pipelines"],
    ["because a permission is missing", 403, "Forbidden"],
  ])("%s knows every credential that still lives", async (_, status, reason) => {
    await stack.up(program());
    const fault = refusing(status, reason);
    const message = await stack.refused(stack.destroy());
    expect(message).toContain(String(status));
    const { token: stored } = await stack.state();
    expect(liveTokens().map(({ id }) => id)).toEqual(stored === undefined ? [] : [stored.id]);

    fault.remove();
    const { outputs } = await stack.up(program());
    expect(liveTokens().map(({ token }) => token)).toEqual([outputs.secret]);
    expect(await stack.colleague.list("/clusters")).toHaveLength(1);
    await stack.destroy();
    expect(await stack.colleague.list("/clusters")).toEqual([]);
  });

  test("because the access token was revoked changes nothing", async () => {
    const { outputs } = await stack.up(program());
    const before = Object.keys(await stack.state()).sort();
    expect(
      await stack.refused(stack.destroy({ env: { BUILDPIPELINE_ACCESS_TOKEN: "bpua_revoked" } })),
    ).toContain("401");
    expect(Object.keys(await stack.state()).sort()).toEqual(before);
    const env = { BUILDPIPELINE_ACCESS_TOKEN: stack.emulator.accessToken };
    const again = await stack.up(program(), { env, expectNoChanges: true });
    expect(again.outputs.secret).toBe(outputs.secret);
  });

  test("does not concern the queues and tokens that go before their cluster, each by its own request", async () => {
    await stack.up(program());
    stack.requests();
    await stack.destroy();
    const deletions = stack.requests().filter((request) => request.startsWith("DELETE"));
    expect(deletions.map((request) => request.replace(/.*\/clusters\/[^/]+/, "").split("/")[1])).toEqual([
      expect.stringMatching(/^(queues|tokens)$/),
      expect.stringMatching(/^(queues|tokens)$/),
      undefined,
    ]);
  });
});

describe("A cluster that outlives the destroy leaves no queue and no token behind", () => {
  const stack = TestStack.forEach();

  class Farm extends pulumi.ComponentResource {
    constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
      super("test:index:Farm", name, {}, opts);
      const linux = new Cluster("linux", { name: "Linux" }, { parent: this });
      new Queue("queue", { clusterId: linux, key: "q" }, { parent: this, retainOnDelete: false });
      new AgentToken(
        "token",
        { clusterId: linux, description: "farm" },
        { parent: this, retainOnDelete: false },
      );
    }
  }

  const retained: pulumi.ResourceTransform = ({ type, props, opts }) =>
    type.endsWith(":Cluster") ? { props, opts: { ...opts, retainOnDelete: true } } : undefined;

  const programs: readonly [string, PulumiFn][] = [
    [
      "when a transform of its component retains it",
      async () => void new Farm("farm", { transforms: [retained] }),
    ],
    [
      "when a transformation of the stack retains it",
      async () => {
        pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
          type.endsWith(":Cluster") ? { props, opts: { ...opts, retainOnDelete: true } } : undefined,
        );
        const linux = new Cluster("linux", { name: "Linux" });
        new Queue("queue", { clusterId: linux, key: "q" });
        new AgentToken("token", { clusterId: linux, description: "farm" });
      },
    ],
  ];

  test.each(programs)("%s", async (_, declare) => {
    await stack.up(declare);
    const { linux } = await stack.state();
    await stack.destroy();
    expect(await stack.state()).toEqual({});
    const data = stack.emulator.organizationData;
    expect(data.clusters.list().map(({ id }) => id)).toEqual([linux?.id]);
    expect(data.queues.list()).toEqual([]);
    expect(data.agentTokens.list()).toEqual([]);
    await stack.colleague.sends("DELETE", `/clusters/${linux?.id}`);
  });
});

describe("An adopted queue in the stack's own cluster", () => {
  const stack = TestStack.forEach();

  test("cannot stay when the cluster goes, and the preview says so", async () => {
    const own = async () => {
      new Cluster("linux", { name: "Linux" });
    };
    await stack.up(own);
    const { linux } = await stack.state();
    await stack.colleague.sends("POST", `/clusters/${linux?.id}/queues`, { key: "legacy" });
    await stack.colleague.sends("POST", `/clusters/${linux?.id}/tokens`, { description: "legacy" });
    const [token] = await stack.colleague.list(`/clusters/${linux?.id}/tokens`);
    const { output } = await stack.preview(async () => {
      const cluster = new Cluster("linux", { name: "Linux" });
      new Queue("kept-queue", { clusterId: cluster, key: "legacy" }, { import: "Linux/legacy" });
      new AgentToken(
        "kept-token",
        { clusterId: cluster, description: "legacy" },
        { import: `Linux/${token?.id}` },
      );
    });
    for (const name of ["kept-queue", "kept-token"]) {
      expect(output, name).toMatch(new RegExp(`${name}[\\s\\S]*warning:[^\\n]*cluster`));
    }
  });
});

describe("A default queue on a service that neither clears defaults nor deletes default queues", () => {
  const stack = TestStack.forEach({
    variations: { clearDefaultQueue: "refused", deleteDefaultQueue: "refused" },
  });

  test.each(["resource", "id"] as const)(
    "does not block the way when given the cluster's %s",
    async (wired) => {
      await stack.up(async () => {
        const linux = new Cluster("linux", { name: "Linux" });
        const clusterId = wired === "resource" ? linux : linux.id;
        const queue = new Queue("queue", { clusterId, key: "first" });
        new Queue("other", { clusterId, key: "second" });
        new ClusterDefaultQueue("default", { clusterId, queueId: queue.id });
      });
      const { queue } = await stack.state();
      const { output } = await stack.destroy();
      expect(output).toMatch(new RegExp(`warning:[^\\n]*${queue?.id}`));
      expect(await stack.state()).toEqual({});
      expect(await stack.colleague.list("/clusters")).toEqual([]);
    },
  );

  test("is refused deletion as before while nothing tried to clear it in this run", async () => {
    const cluster = await stack.colleague.sends("POST", "/clusters", { name: "Shared" });
    const clusterId = String(cluster.id);
    await stack.up(async () => {
      new Queue("queue", { clusterId, key: "mine" });
    });
    const { queue } = await stack.state();
    await stack.colleague.sends("PUT", `/clusters/${clusterId}`, { default_queue_id: queue?.id });
    expect(await stack.refused(stack.destroy())).toContain("default queue");
    expect(await stack.state()).toHaveProperty("queue");
    expect(await stack.colleague.list(`/clusters/${clusterId}/queues`)).toHaveLength(1);
  });
});
