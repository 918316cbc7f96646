import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../../src/provider/for-commands/kinds.js";
import { isWhole, someOf } from "../../support/cases.js";
import { CHECKOUT } from "../../support/checkout.js";
import { UNKNOWN } from "../../support/driver.js";
import { EACH_KIND } from "../../support/each-kind.js";
import { withEachKind } from "./each-kind.js";
import { Served, urnOf } from "./served.js";

const schema: { resources: Record<string, { listInputs?: { required?: string[] } }> } = JSON.parse(
  readFileSync(join(CHECKOUT, "plugin", "schema.json"), "utf8"),
);

/** One object of each kind, and a second cluster without anything in it. */
async function organization(): Promise<Served> {
  const { engine } = await withEachKind();
  await engine.deploy(urnOf("Cluster", "empty"), { name: "Empty" });
  return engine;
}

test.each(someOf([...kinds.values()]))(
  "$name is listed by ids that a read takes, with names",
  async (kind) => {
    const { name, parent } = kind;
    const engine = await organization();
    const { required = [] } = schema.resources[urnOf(name).split("::")[2] ?? ""]?.listInputs ?? {};
    const query = Object.fromEntries(
      required.map((argument) => [argument, EACH_KIND[parent?.kind ?? ""]?.[0]]),
    );
    engine.emulator.clearRequests();
    const { items, computed } = await engine.list(name, query);
    // The name of a cluster, a team or a pipeline costs a list. A schedule's pipeline is read by its slug, which is listed.
    const requests = name === "PipelineSchedule" ? 4 : 1 + required.length;
    expect(engine.emulator.requests).toHaveLength(requests);
    expect(computed).toBe(false);
    // Who makes a team is in it.
    expect(items).toHaveLength(name === "Cluster" || name === "TeamMember" ? 2 : 1);
    const [first] = items;
    expect(first?.name).not.toBe("");
    const read = await engine.read(urnOf(name), first?.id ?? "");
    expect(first?.id.endsWith(read.id)).toBe(true);
    // A slug has one spelling, a UUID two.
    if (kind.isSetting) return;
    const again = await engine.read(urnOf(name), first?.id.toUpperCase() ?? "");
    expect(again.id).toBe(read.id);
  },
);

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

test.runIf(isWhole)(
  "A listing of 1,000 queues asks for each page once, and getQueues until two reads agree",
  async () => {
    const engine = await organization();
    const { clusters, queues } = engine.emulator.organizationData;
    const [queue] = queues.list();
    if (queue === undefined) throw new Error("The organization has no queue.");
    for (let number = 1; number < 1000; number++)
      queues.insert({ ...queue, id: crypto.randomUUID(), key: `queue-${number}` });
    const clusterId = clusters.list()[0]?.id;
    engine.emulator.clearRequests();
    const ids = new Set<string>();
    for (let continuationToken = ""; ids.size < 1000; ) {
      const { items, continuation } = await engine.list("Queue", { clusterId }, { continuationToken });
      for (const { id } of items) ids.add(id);
      continuationToken = continuation;
    }
    const listed = engine.emulator.requests.length;
    engine.emulator.clearRequests();
    expect((await engine.invoke("getQueues", { clusterId })).queues).toHaveLength(1000);
    expect(listed).toBe(10);
    expect(engine.emulator.requests).toHaveLength(2 * listed);
  },
);

test("What is not known yet is computed, and a query without its cluster is refused without a request", async () => {
  const engine = await organization();
  expect(await engine.list("Queue", { clusterId: UNKNOWN })).toMatchObject({ computed: true, items: [] });
  engine.emulator.clearRequests();
  await expect(engine.list("Queue")).rejects.toThrow(
    "Queue.clusterId: is missing; give the UUID of a cluster",
  );
  expect(engine.emulator.requests).toEqual([]);
  const gone = "00000000-0000-4000-8000-000000000000";
  await expect(engine.list("Queue", { clusterId: gone })).rejects.toThrow(`${gone}/queues failed with 404`);
});
