import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import {
  Cluster,
  getAgentTokensOutput,
  getCluster,
  getClusterOutput,
  getQueueOutput,
  getQueuesOutput,
  Queue,
} from "../../../src/index.js";
import { settled, startEngine, surroundings } from "./surroundings.js";

const at = surroundings();

test("arguments may be outputs, and results lift their fields", async () => {
  const { id } = await at.client.clusters.create({ name: "Linux" });

  const { name } = getClusterOutput({ id: pulumi.output(id) });

  expect(await settled(name)).toEqual({ value: "Linux", known: true, secret: false });
});

test("a cluster may be given in place of its id", async () => {
  const { id } = await at.client.clusters.create({ name: "Linux" });
  const queue = await at.client.queues.create(id, { key: "fast" });
  await startEngine();
  const cluster = Cluster.get("linux", id);

  expect((await settled(getQueueOutput({ clusterId: cluster, key: "fast" }))).value?.id).toBe(queue.id);
  expect((await settled(getQueuesOutput({ clusterId: cluster }).clusterId)).value).toBe(id);
  expect((await settled(getAgentTokensOutput({ clusterId: cluster.id }))).value?.agentTokens).toEqual([]);
});

test("the result depends on what its arguments come from", async () => {
  const { id } = await at.client.clusters.create({ name: "Linux" });
  const cluster = Cluster.get("linux", id);

  const found = getClusterOutput({ id: cluster.id });

  expect([...(await pulumi.getAllResources(found))]).toContain(cluster);
});

const clusterId = "11111111-2222-4333-8444-555555555555";

test.each<[what: string, find: () => pulumi.Output<unknown>]>([
  [
    "an argument is unknown",
    () => getQueuesOutput({ clusterId: new Cluster("new-linux", { name: "Linux" }) }),
  ],
  [
    "a known argument is the name of a resource that doesn't exist yet",
    () => getClusterOutput({ name: new Cluster("new-linux", { name: "Linux" }).name }),
  ],
  [
    "the lookup is about a resource that is about to be updated",
    () => getClusterOutput({ id: new Cluster("changed-linux", { name: "Linux" }).id }),
  ],
  [
    "the lookup depends on a resource that is about to be updated",
    () =>
      getQueuesOutput({ clusterId }, { dependsOn: new Queue("changed-fast", { clusterId, key: "fast" }) }),
  ],
])("at preview, where %s, the result is unknown, and nothing is asked", async (_, find) => {
  await startEngine({ preview: true });
  expect((await settled(find())).known).toBe(false);
  expect(at.emulator.requests).toEqual([]);
});

test("dependsOn is waited for: resources, lists and components", async () => {
  await startEngine({ preview: true });
  const { id } = await at.client.clusters.create({ name: "Linux" });
  at.emulator.clearRequests();
  const component = new pulumi.ComponentResource("test:index:Group", "group");
  const inside = new Cluster("new-windows", { name: "Windows" }, { parent: component });
  const existing = new Cluster("linux", { name: "Linux" });

  expect((await settled(getClusterOutput({ id }, { dependsOn: inside }))).known).toBe(false);
  expect((await settled(getClusterOutput({ id }, { dependsOn: [existing, component] }))).known).toBe(false);
  expect(at.emulator.requests).toEqual([]);
  const after = await settled(getClusterOutput({ id }, { dependsOn: [existing] }));
  expect(after.value?.id).toBe(id);
});

test("what a preview is about to rename is unknown, not missing", async () => {
  await startEngine({ preview: true });
  await at.client.clusters.create({ name: "Before" });
  const renamed = new Cluster("changed-linux", { name: "After" });

  expect((await settled(getClusterOutput({ name: renamed.name }))).known).toBe(false);
  await expect(getCluster({ name: "After" })).rejects.toThrow("none of the 1 clusters");
});

test("at preview, what a resource that is about to be updated only leads to is known", async () => {
  await startEngine({ preview: true });
  const { id } = await at.client.clusters.create({ name: "Linux" });
  const queue = new Queue("changed-fast", { clusterId: id, key: "fast", description: "Fast" });
  const cluster = Cluster.get("linux", id);

  expect((await settled(getClusterOutput({ id: queue.clusterId }))).value?.name).toBe("Linux");
  expect((await settled(getClusterOutput({ id: cluster.id }))).value?.name).toBe("Linux");
});

test("in a deployment, what is about to be updated is known", async () => {
  const { id } = await at.client.clusters.create({ name: "Linux" });
  const queue = new Queue("changed-fast", { clusterId: id, key: "fast" });

  const { queues } = getQueuesOutput({ clusterId: id }, { dependsOn: queue });
  expect((await settled(queues)).value).toEqual([]);
});

test("a secret argument makes a secret result", async () => {
  const { id } = await at.client.clusters.create({ name: "Linux" });

  expect(await settled(getClusterOutput({ id: pulumi.secret(id) }).name)).toEqual({
    value: "Linux",
    known: true,
    secret: true,
  });
});

test("the plain form says that outputs go to the other one", async () => {
  // A program without types can do this.
  const id = pulumi.output("x") as unknown as string;

  await expect(getCluster({ id })).rejects.toThrow(
    "getCluster({ id: an Output }): id must be known text; Outputs and resources go to the lookup's …Output form.",
  );
});
