import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import {
  Cluster,
  getCluster,
  getClusterOutput,
  getClusters,
  getOrganization,
  Provider,
} from "../../../src/index.js";
import { settled, surroundings } from "./surroundings.js";

const at = surroundings();

/** Runs a program as Pulumi does: below a stack resource of its own. */
function run(program: () => Promise<void>): Promise<unknown> {
  return pulumi.runtime.runInPulumiStack(async () => program());
}

const asked = () => at.emulator.requests.map(({ operation }) => operation);

test("the same question is asked once in a run, one after the other and at the same time", async () => {
  const { id } = await at.client.clusters.create({ name: "Linux" });
  at.emulator.clearRequests();

  await run(async () => {
    await Promise.all([getCluster({ id }), getCluster({ id }), settled(getClusterOutput({ id }))]);
    await getCluster({ id });
  });

  expect(asked()).toEqual(["clusters.get"]);
});

test("a later run in the same process asks anew", async () => {
  const counts: number[] = [];
  const program = async () => {
    counts.push((await getClusters()).clusters.length);
  };

  await run(program);
  await at.client.clusters.create({ name: "Linux" });
  await run(program);

  expect(counts).toEqual([0, 1]);
});

test("outside of a run only those who ask at the same time share an answer", async () => {
  await Promise.all([getClusters(), getClusters()]);
  expect(asked()).toEqual(["clusters.list"]);

  await at.client.clusters.create({ name: "Linux" });
  expect((await getClusters()).clusters).toHaveLength(1);
});

test("other settings are another question", async () => {
  await run(async () => {
    const provider = new Provider("reader", { accessToken: at.emulator.readOnlyAccessToken });
    await Promise.all([getOrganization(), getOrganization({}, { provider })]);
  });

  expect(asked()).toEqual(["organizations.get", "organizations.get"]);
});

test("an answer from before a resource was there does not count for a lookup that waits for it", async () => {
  let found: string | undefined;
  await run(async () => {
    await expect(getCluster({ name: "Linux" })).rejects.toThrow("none of the 0 clusters");
    const cluster = new Cluster("linux", { name: "Linux" });
    // What the engine would have the provider do.
    const { id } = await at.client.clusters.create({ name: "Linux" });
    at.emulator.clearRequests();
    found = (await settled(getClusterOutput({ name: "Linux" }, { dependsOn: cluster }))).value?.id;
    expect(found).toBe(id);
    await settled(getClusterOutput({ name: "Linux" }, { dependsOn: cluster }));
  });

  expect(asked()).toEqual(["clusters.list"]);
});

test("a failure is not kept", async () => {
  at.emulator.fault({ operation: "organizations.get", action: { status: 403 } });

  await run(async () => {
    await expect(getOrganization()).rejects.toThrow("403");
    expect((await getOrganization()).slug).toBe("acme");
  });
});
