import { expect, test } from "vitest";
import { Served, urnOf } from "./served.js";

type Properties = Record<string, unknown>;

/** A queue under an old name, and another run of the engine that renames its resource. */
async function renaming() {
  const engine = await Served.configured();
  const { id: clusterId } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  const old = await engine.deploy(urnOf("Queue", "old"), { clusterId, key: "linux" });
  const run = await Served.beside(engine);
  return { run, clusterId, old, oldUrn: urnOf("Queue", "old"), newUrn: urnOf("Queue", "new") };
}

/** What the engine does for a resource with its option `import`. */
async function imports(run: Served, urn: string, name: string, args: Properties) {
  const read = await run.read(urn, name);
  const { inputs, failures } = await run.check(urn, args, read.inputs);
  expect(failures).toEqual([]);
  await run.diff(urn, read.id, read.outs, inputs, read.inputs);
  return read;
}

const queues = (run: Served, cluster: string) => run.colleague.list(`/clusters/${cluster}/queues`);

test("A rename with the option import keeps the imported object", async () => {
  const { run, clusterId, old, oldUrn, newUrn } = await renaming();
  const { id } = await imports(run, newUrn, "Main/linux", { clusterId, key: "linux" });
  expect(id).toBe(old.id);
  run.emulator.clearRequests();
  await run.delete(oldUrn, old.id, old.outs);
  expect(run.emulator.requests).toEqual([]);
  expect(await queues(run, clusterId)).toHaveLength(1);
  expect(run.warnings().at(-1)).toMatch(new RegExp(`nothing was sent for the queue ${old.id}.*aliases`));
});

test("An import warns once, and recommends aliases for a rename", async () => {
  const { run, clusterId, newUrn } = await renaming();
  await run.colleague.sends("POST", `/clusters/${clusterId}/queues`, { key: "mac" });
  await imports(run, newUrn, "Main/linux", { clusterId, key: "linux" });
  await imports(run, urnOf("Queue", "mac"), "Main/mac", { clusterId, key: "mac" });
  expect(run.warnings()).toEqual([expect.stringContaining('{ aliases: [{ name: "<old name>" }] }')]);
});

test("A later run that has the new entry keeps the object as well", async () => {
  const { run, clusterId, old, oldUrn, newUrn } = await renaming();
  const imported = await imports(run, newUrn, "Main/linux", { clusterId, key: "linux" });
  const later = await Served.beside(run);
  const { inputs } = await later.check(newUrn, { clusterId, key: "linux" }, imported.inputs);
  await later.diff(newUrn, imported.id, imported.outs, inputs, imported.inputs);
  await later.delete(oldUrn, old.id, old.outs);
  expect(await queues(later, clusterId)).toHaveLength(1);
  expect(later.warnings()).toEqual([expect.stringContaining("nothing was sent")]);
});

test("A read by X.get is no ownership: the resource that goes is deleted", async () => {
  const { run, clusterId, old, oldUrn, newUrn } = await renaming();
  await run.read(newUrn, old.id, { clusterId });
  await run.delete(oldUrn, old.id, old.outs);
  expect(await queues(run, clusterId)).toEqual([]);
  expect(run.warnings()).toEqual([]);
});

test("A diff of a refresh is no ownership", async () => {
  const { run, clusterId, old, oldUrn, newUrn } = await renaming();
  await run.diff(newUrn, old.id, old.outs, old.inputs, old.inputs);
  await run.delete(oldUrn, old.id, old.outs);
  expect(await queues(run, clusterId)).toEqual([]);
});

test("A destroy deletes what two entries have, with one confirmation", async () => {
  const { run, clusterId, old, oldUrn, newUrn } = await renaming();
  const imported = await imports(run, newUrn, "Main/linux", { clusterId, key: "linux" });
  const destroy = await Served.beside(run);
  destroy.emulator.clearRequests();
  await Promise.all([
    destroy.delete(oldUrn, old.id, old.outs),
    destroy.delete(newUrn, imported.id, imported.outs),
  ]);
  expect(destroy.emulator.requests.map(({ method }) => method)).not.toContain("GET");
  expect(await queues(destroy, clusterId)).toEqual([]);
});
