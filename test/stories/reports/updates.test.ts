import { beforeEach, describe, expect, test } from "vitest";
import { kindOf, type Made, minimal, serviceForEach } from "../../support/driver.js";

/** Updates, refreshes and creations that did more or less than the program said. */

const service = serviceForEach();

let cluster: Made;
beforeEach(async () => {
  cluster = await service.driver.create("Cluster", { name: "Linux" });
});

/** The bodies of the requests that changed something, since the requests were cleared. */
const sent = () => service.emulator.requests.filter(({ method }) => method !== "GET").map(({ body }) => body);

test("Objects beyond the first page of a list stay in state, and are not created again", async () => {
  const { driver, emulator } = service;
  const { id: clusterId } = cluster;
  const { queues } = emulator.organizationData;
  const first = await driver.create("Queue", { clusterId, key: "queue-0" });
  const [record] = queues.list();
  if (record === undefined) throw new Error("There is no queue.");
  const made = Array.from({ length: 129 }, (_, index) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    queues.insert({ ...record, id, key: `queue-${index + 1}` });
    return { ...first, id };
  });
  const refresh = service.newRun();
  const read = await Promise.all([first, ...made].map((queue) => refresh.read(queue)));
  expect(read.map(({ id }) => id)).toEqual([first, ...made].map(({ id }) => id));
});

describe("Another description of a queue", () => {
  test("changes neither its cluster's default queue nor a pause that an operator made", async () => {
    const { driver, colleague } = service;
    const clusterId = cluster.id;
    const queue = await driver.create("Queue", { clusterId, key: "small", description: "Old" });
    await driver.create("ClusterDefaultQueue", { clusterId, queueId: queue.id });
    await colleague.sends("POST", `/clusters/${clusterId}/queues/${queue.id}/pause_dispatch`, {});
    service.emulator.clearRequests();
    await service.newRun().update(queue, { description: "New" });
    expect(sent()).toEqual([{ description: "New" }]);
    expect(await colleague.sends("GET", `/clusters/${clusterId}`)).toMatchObject({
      default_queue_id: queue.id,
    });
    const live = await colleague.sends("GET", `/clusters/${clusterId}/queues/${queue.id}`);
    expect(live).toMatchObject({ description: "New", dispatch_paused: true });
  });
});

test.each(["Cluster", "Queue", "AgentToken", "PipelineTemplate", "Suite"])(
  "An update of a %s sends the changed property alone, as other ones may need more rights",
  async (kind) => {
    const label = kind === "Queue" ? "description" : (kindOf(kind).words.label ?? "name");
    const made = await service.driver.create(kind, minimal(cluster.id, "")[kind] ?? {});
    service.emulator.clearRequests();
    await service.newRun().update(made, { [label]: "Changed" });
    expect(sent()).toEqual([{ [label]: "Changed" }]);
  },
);

test.each([null, "", "absent"] as const)(
  "A team without a description is no drift where the API returns it as %j",
  async (unsetText) => {
    await service.emulator.close();
    await service.start({ variations: { unsetText } });
    const made = await service.driver.create("Team", { name: "Platform" });
    const { props = {} } = await service.newRun().read(made);
    expect(await service.newRun().plan({ ...made, outs: props })).toEqual({ changes: false });
  },
);

test.each([
  ["Cluster", { description: "Old", color: "#ff0000", emoji: ":gear:" }],
  ["Queue", { description: "Old" }],
  ["AgentToken", { allowedIpAddresses: ["10.0.0.0/8"] }],
  ["PipelineTemplate", { description: "Old", available: true }],
  ["Team", { description: "Old", isDefaultTeam: true }],
])("A value of a %s that the program leaves out is cleared, not kept silently", async (kind, extra) => {
  const least = minimal(cluster.id, "")[kind] ?? {};
  const full = await service.driver.create(kind, { ...least, ...extra });
  const provider = await service.newRun().kind(kind);
  const { inputs = {} } = await provider.check(full.inputs, least);
  const { outs = {} } = await provider.update(full.id, full.outs, inputs);
  const { props = {} } = await service.newRun().read({ ...full, outs });
  for (const [name, value] of Object.entries(extra)) expect(props[name]).not.toEqual(value);
});

test("The option import on a resource that is in state already deletes nothing", async () => {
  const other = await service.driver.create("Cluster", { name: "Other" });
  service.emulator.clearRequests();
  const driver = service.newRun();
  await expect(driver.plan(cluster, { ...cluster.inputs, import: other.id })).rejects.toThrow(
    "but this resource is already",
  );
  expect(sent()).toEqual([]);
});
