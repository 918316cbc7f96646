import { describe, expect, onTestFinished, test } from "vitest";
import { type EmulatorOptions, startEmulator } from "../../../../src/emulator/index.js";
import { Driver, failure, serviceForEach, UNKNOWN } from "../../../support/driver.js";

const service = serviceForEach();

async function serviceWith(variations: EmulatorOptions["variations"]) {
  const emulator = await startEmulator({ seed: false, variations: { ...variations } });
  onTestFinished(() => emulator.close());
  return emulator;
}

describe("a template with aliases", () => {
  const aliases = (count: number) => `common: &a [x]\nsteps: [${Array(count).fill("*a").join(", ")}]\n`;
  const tenfold = (name: string, of: string) => `${name}: &${name} [${Array(10).fill(of).join(", ")}]\n`;

  test.each([
    ["with 150 aliases", aliases(150)],
    ["with 2,000 aliases", aliases(2_000)],
    [
      "because each alias multiplies the last one",
      tenfold("a", "x") + tenfold("b", "*a") + tenfold("c", "*b") + tenfold("d", "*c"),
    ],
  ])("%s is created once and known", async (_, configuration) => {
    const args = { name: "n", configuration };
    const made = await service.driver.create("PipelineTemplate", args);
    expect((await service.driver.read(made)).inputs).toEqual(made.inputs);
  });
});

test("teams of equal names that are created at once keep apart, also when the answers do not tell their ids", async () => {
  const driver = Driver.for(await serviceWith({ teamWriteResponse: "submitted" }));
  const wanted = ["a", "b", "c", "c"];
  const create = (description: string) => driver.create("Team", { name: "Twin", description });
  const made = await Promise.all(wanted.map(create));
  expect(made.map(({ outs }) => outs.description)).toEqual(wanted);
  expect(new Set(made.map(({ id }) => id)).size).toBe(wanted.length);
});

describe("a suite's slug", () => {
  test("that another suite has by now leads to neither its deletion nor its state", async () => {
    const moved = await service.driver.create("Suite", { name: "A", defaultBranch: "main" });
    service.emulator.organizationData.suites.update(moved.id, { slug: "moved" });
    const other = await service.driver.create("Suite", { name: "A", defaultBranch: "main" });
    expect(other.outs.slug).toBe(moved.outs.slug);

    const { driver } = service;
    expect(await driver.read(moved)).toMatchObject({ id: moved.id, props: { slug: "moved" } });
    await driver.delete(moved);
    expect((await driver.read(other)).id).toBe(other.id);
    expect((await driver.read(moved)).id).toBe("");
  });
});

test("a rename whose response is lost finds the suite by its id, whatever its slug is now", async () => {
  const emulator = await serviceWith({ suiteSlugOnRename: "changed" });
  const driver = Driver.for(emulator);
  const made = await driver.create("Suite", { name: "Unit", defaultBranch: "main" });
  emulator.fault({ operation: "suites.update", when: "after", action: "drop" });
  const { outs } = await driver.update(made, { name: "Integration" });
  expect(outs).toMatchObject({ name: "Integration", slug: "integration" });
  expect((await driver.read({ ...made, outs: { ...outs } })).id).toBe(made.id);
});

test("a queue that is deleted first takes its default entry before it", async () => {
  const { id: clusterId } = await service.driver.create("Cluster", { name: "One" });
  const queue = await service.driver.create("Queue", { clusterId, key: "q" });
  const entry = await service.driver.create("ClusterDefaultQueue", { clusterId, queueId: queue.id });
  const toUnknown = () => service.driver.diff(entry, { queueId: UNKNOWN });

  expect(await toUnknown()).toMatchObject({ replaces: [] });
  const replaced = await service.driver.diff(queue, { clusterId: UNKNOWN });
  expect(replaced).toMatchObject({ replaces: ["clusterId"], deleteBeforeReplace: true });
  expect(await toUnknown()).toMatchObject({ replaces: ["queueId"] });
});

test("a queue whose key is taken says so, also when the queues cannot be listed", async () => {
  const { id: clusterId } = await service.driver.create("Cluster", { name: "One" });
  await service.driver.create("Queue", { clusterId, key: "q" });
  service.emulator.fault({ method: "GET", path: /queues$/, times: 10, action: { status: 403, body: {} } });
  const message = await failure(service.newRun().create("Queue", { clusterId, key: "q" }));
  expect(message).toContain("Key has already been taken");
});
