import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../../src/provider/lifecycle/values/kinds.js";
import { CHECKOUT } from "../../examples/compiler.js";
import { UNKNOWN } from "../../support/driver.js";
import { Served, urnOf } from "./served.js";

const schema: { resources: Record<string, { listInputs?: { required?: string[] } }> } = JSON.parse(
  readFileSync(join(CHECKOUT, "plugin", "schema.json"), "utf8"),
);

/** One object of each kind, and a second cluster without anything in it. */
async function organization(): Promise<Served> {
  const engine = await Served.configured();
  const { id: clusterId } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  await engine.deploy(urnOf("Cluster", "empty"), { name: "Empty" });
  const { id: queueId } = await engine.deploy(urnOf("Queue"), { clusterId, key: "linux" });
  await engine.deploy(urnOf("ClusterDefaultQueue"), { clusterId, queueId });
  await engine.deploy(urnOf("AgentToken"), { clusterId, description: "farm" });
  await engine.deploy(urnOf("PipelineTemplate"), { name: "Release", configuration: "steps: []" });
  await engine.deploy(urnOf("Team"), { name: "Platform" });
  await engine.deploy(urnOf("Suite"), { name: "Unit", defaultBranch: "main" });
  return engine;
}

test.each([...kinds.values()])("$name is listed by ids that a read takes, with names", async ({ name }) => {
  const engine = await organization();
  const { required = [] } = schema.resources[urnOf(name).split("::")[2] ?? ""]?.listInputs ?? {};
  const query = Object.fromEntries(required.map((argument) => [argument, "Main"]));
  engine.emulator.clearRequests();
  const { items, computed } = await engine.list(name, query);
  // A cluster's name costs a list.
  expect(engine.emulator.requests.length).toBe(1 + required.length);
  expect(computed).toBe(false);
  expect(items).toHaveLength(name === "Cluster" ? 2 : 1);
  const [first] = items;
  expect(first?.name).not.toBe("");
  const read = await engine.read(urnOf(name), first?.id ?? "");
  expect(first?.id.endsWith(read.id)).toBe(true);
  const again = await engine.read(urnOf(name), first?.id.toUpperCase() ?? "");
  expect(again.id).toBe(read.id);
});

test("A default queue is called after its cluster, and an empty list has no entry", async () => {
  const engine = await organization();
  const [main] = (await engine.list("Cluster")).items;
  expect((await engine.list("ClusterDefaultQueue")).items).toEqual([{ id: main?.id, name: "Main" }]);
  expect((await engine.list("Queue", { clusterId: "Empty" })).items).toEqual([]);
});

test("Pages of the API are read as they are needed; 205 tokens are listed by three requests", async () => {
  const engine = await Served.configured();
  const { id: clusterId } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  for (let number = 0; number < 205; number++)
    await engine.colleague.sends("POST", `/clusters/${clusterId}/tokens`, { description: `t-${number}` });
  const walk = async (fields: { limit?: number; pageSize?: number }, isLimitLeft = false) => {
    engine.emulator.clearRequests();
    const names: string[] = [];
    const sizes: number[] = [];
    let continuationToken = "";
    do {
      const left = isLimitLeft ? { limit: (fields.limit ?? 0) - names.length } : {};
      const page = await engine.list("AgentToken", { clusterId }, { ...fields, ...left, continuationToken });
      names.push(...page.items.map(({ name }) => name));
      sizes.push(page.items.length);
      continuationToken = page.continuation;
    } while (continuationToken !== "" && names.length < (fields.limit ?? Number.POSITIVE_INFINITY));
    expect(new Set(names).size).toBe(names.length);
    return { count: names.length, sizes, requests: engine.emulator.requests.length };
  };
  expect(await walk({})).toMatchObject({ count: 205, requests: 3 });
  expect(await walk({ limit: 5 })).toEqual({ count: 5, sizes: [5], requests: 1 });
  expect(await walk({ limit: 150 })).toEqual({ count: 150, sizes: [100, 50], requests: 2 });
  expect(await walk({ limit: 150 }, true)).toEqual({ count: 150, sizes: [100, 50], requests: 2 });
  expect(await walk({ limit: 150, pageSize: 60 })).toMatchObject({ sizes: [60, 40, 50], requests: 2 });
  // A plugin that doesn't know the place where to go on reads from the beginning.
  const other = await Served.beside(engine);
  const rest = await other.list("AgentToken", { clusterId }, { continuationToken: "150/0" });
  expect(rest.items.map(({ name }) => name)).toEqual(Array.from({ length: 50 }, (_, i) => `t-${150 + i}`));
});

test("What is not known yet is computed, and bad queries are refused in one line without a request", async () => {
  const engine = await organization();
  expect(await engine.list("Queue", { clusterId: UNKNOWN })).toMatchObject({ computed: true, items: [] });
  engine.emulator.clearRequests();
  await expect(engine.list("Queue")).rejects.toThrow(
    "Queue.clusterId: is missing; give the UUID of a cluster",
  );
  await expect(engine.list("Que")).rejects.toThrow("Did you mean buildpipeline:index:Queue?");
  expect(engine.emulator.requests).toEqual([]);
});

test("A name that fits no cluster, or two of them, is an error; so are refusals of the API", async () => {
  const engine = await organization();
  await expect(engine.list("Queue", { clusterId: "Mian" })).rejects.toThrow(
    'Queue.clusterId: the organization "acme" has no cluster "Mian" that this access token can see. Similar: "Main"',
  );
  await engine.colleague.sends("POST", "/clusters", { name: "Empty" });
  const again = await Served.beside(engine);
  await expect(again.list("AgentToken", { clusterId: "Empty" })).rejects.toThrow(
    'AgentToken.clusterId: 2 clusters are called "Empty". Name one by its id:',
  );
  const gone = "00000000-0000-4000-8000-000000000000";
  await expect(again.list("Queue", { clusterId: gone })).rejects.toThrow(`${gone}/queues failed with 404`);
  await again.configure({ accessToken: "refused" });
  await expect(again.list("Cluster")).rejects.toThrow("failed with 401");
  await engine.emulator.close();
  await expect(again.list("Cluster")).rejects.toThrow(/Unable|could not|refused|failed/);
});
