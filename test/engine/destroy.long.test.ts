import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { describe, expect, test } from "vitest";
import { AgentToken, Cluster, ClusterDefaultQueue, Queue } from "../../src/index.js";
import { TestStack } from "./stack.js";

/** A cluster with a queue and a token, the cluster given as the resource that it is. */
const program: PulumiFn = async () => {
  const linux = new Cluster("linux", { name: "Linux" });
  new Queue("queue", { clusterId: linux, key: "q" });
  const token = new AgentToken("token", { clusterId: linux, description: "farm" });
  return { secret: token.token };
};

describe("A destroy that fails", () => {
  const stack = TestStack.forEach();
  const liveTokens = () => stack.emulator.organizationData.agentTokens.list();

  test("because the service refuses the cluster's deletion knows every credential that still lives", async () => {
    await stack.up(program);
    const action = { status: 422, body: { message: "Cluster has pipelines" } };
    const fault = stack.emulator.fault({ operation: "clusters.delete", times: 100, action });
    expect(await stack.refused(stack.destroy())).toContain("422");
    const { token: stored } = await stack.state();
    expect(liveTokens().map(({ id }) => id)).toEqual(stored === undefined ? [] : [stored.id]);

    fault.remove();
    const { outputs } = await stack.up(program);
    expect(liveTokens().map(({ token }) => token)).toEqual([outputs.secret]);
    expect(await stack.colleague.list("/clusters")).toHaveLength(1);
    await stack.destroy();
    expect(await stack.colleague.list("/clusters")).toEqual([]);
  });

  test("because the access token was revoked changes nothing", async () => {
    const { outputs } = await stack.up(program);
    const before = Object.keys(await stack.state()).sort();
    expect(
      await stack.refused(stack.destroy({ env: { BUILDPIPELINE_ACCESS_TOKEN: "bpua_revoked" } })),
    ).toContain("401");
    expect(Object.keys(await stack.state()).sort()).toEqual(before);
    const env = { BUILDPIPELINE_ACCESS_TOKEN: stack.emulator.accessToken };
    const again = await stack.up(program, { env, expectNoChanges: true });
    expect(again.outputs.secret).toBe(outputs.secret);
  });
});

describe("A cluster that outlives the destroy keeps no queue and no token of the stack", () => {
  const stack = TestStack.forEach();
  const retained: pulumi.ResourceTransform & pulumi.ResourceTransformation = ({ type, props, opts }) =>
    type.endsWith(":Cluster") ? { props, opts: { ...opts, retainOnDelete: true } } : undefined;
  const inside = (clusterId: Cluster, opts: pulumi.CustomResourceOptions = {}) => {
    new Queue("queue", { clusterId, key: "q" }, { ...opts, retainOnDelete: false });
    new AgentToken("token", { clusterId, description: "farm" }, { ...opts, retainOnDelete: false });
  };

  class Farm extends pulumi.ComponentResource {
    constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
      super("test:index:Farm", name, {}, opts);
      inside(new Cluster("linux", { name: "Linux" }, { parent: this }), { parent: this });
    }
  }

  const programs: Readonly<Record<string, (shared: string) => void>> = {
    "its option retains it": () => inside(new Cluster("linux", { name: "Linux" }, { retainOnDelete: true })),
    "a transform of its component retains it": () => void new Farm("farm", { transforms: [retained] }),
    "a transformation of the stack retains it": () => {
      pulumi.runtime.registerStackTransformation(retained);
      inside(new Cluster("linux", { name: "Linux" }));
    },
    "the program only reads it": (shared) => inside(Cluster.get("shared", shared)),
    "it was adopted and still has the option": () =>
      inside(new Cluster("linux", { name: "Shared" }, { import: "Shared" })),
  };

  test.each(Object.entries(programs))("when %s", async (_, declare) => {
    const { id } = await stack.colleague.sends("POST", "/clusters", { name: "Shared" });
    await stack.up(async () => declare(String(id)));
    const data = stack.emulator.organizationData;
    expect([data.queues.size, data.agentTokens.size]).toEqual([1, 1]);
    const clusters = data.clusters.list();
    await stack.destroy();
    expect(await stack.state()).toEqual({});
    expect(data.clusters.list()).toEqual(clusters);
    expect([data.queues.size, data.agentTokens.size]).toEqual([0, 0]);
  });
});

test("An adopted queue can't stay when the stack's own cluster goes, and the preview says so", async () => {
  const stack = await TestStack.start();
  try {
    await stack.up(async () => void new Cluster("linux", { name: "Linux" }));
    const { linux } = await stack.state();
    await stack.colleague.sends("POST", `/clusters/${linux?.id}/queues`, { key: "legacy" });
    await stack.colleague.sends("POST", `/clusters/${linux?.id}/tokens`, { description: "legacy" });
    const { output } = await stack.preview(async () => {
      const clusterId = new Cluster("linux", { name: "Linux" });
      new Queue("kept-queue", { clusterId, key: "legacy" }, { import: "Linux/legacy" });
      new AgentToken("kept-token", { clusterId, description: "legacy" }, { import: "Linux/legacy" });
    });
    for (const name of ["kept-queue", "kept-token"])
      expect(output, name).toMatch(new RegExp(`${name}[\\s\\S]*warning:[^\\n]*cluster`));
  } finally {
    await stack.close();
  }
});

describe("A default queue on a service that neither clears defaults nor deletes default queues", () => {
  const stack = TestStack.forEach({
    variations: { clearDefaultQueue: "refused", deleteDefaultQueue: "refused" },
  });

  test.each(["resource", "id"] as const)("is deleted with the cluster, given its %s", async (wired) => {
    await stack.up(async () => {
      const linux = new Cluster("linux", { name: "Linux" });
      const clusterId = wired === "resource" ? linux : linux.id;
      const queue = new Queue("queue", { clusterId, key: "first" });
      new Queue("other", { clusterId, key: "second" });
      new ClusterDefaultQueue("default", { clusterId, queueId: queue.id });
    });
    const { queue } = await stack.state();
    const { output } = await stack.destroy();
    expect(output).toContain("keeps its default queue");
    expect(output).toMatch(new RegExp(`warning:[^\\n]*${queue?.id}`));
    expect(await stack.state()).toEqual({});
    expect(await stack.colleague.list("/clusters")).toEqual([]);
  });

  test("is refused deletion as before while nothing tried to clear it in this run", async () => {
    const cluster = await stack.colleague.sends("POST", "/clusters", { name: "Shared" });
    const clusterId = String(cluster.id);
    await stack.up(async () => void new Queue("queue", { clusterId, key: "mine" }));
    const { queue } = await stack.state();
    await stack.colleague.sends("PUT", `/clusters/${clusterId}`, { default_queue_id: queue?.id });
    expect(await stack.refused(stack.destroy())).toContain("default queue");
    expect(await stack.state()).toHaveProperty("queue");
    expect(await stack.colleague.list(`/clusters/${clusterId}/queues`)).toHaveLength(1);
  });
});

test("A cluster that was deleted out of band leaves the state with everything in it, and is created again", async () => {
  const stack = await TestStack.start();
  try {
    await stack.up(program);
    const { linux } = await stack.state();
    await stack.colleague.sends("DELETE", `/clusters/${linux?.id}`);
    await stack.refresh();
    expect(await stack.state()).toEqual({});
    await stack.up(program);
    expect(Object.keys(await stack.state()).sort()).toEqual(["linux", "queue", "token"]);
    await stack.preview(undefined, { expectNoChanges: true });
  } finally {
    await stack.close();
  }
});
