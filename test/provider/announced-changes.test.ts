import { expect, test } from "vitest";
import { serviceForEach } from "./driver.js";

const service = serviceForEach();

test("a new description does not undo what an operator did to the dispatch since", async () => {
  const { id: clusterId } = await service.driver.create("Cluster", { name: "One" });
  const { id, inputs, outs } = await service.driver.create("Queue", {
    clusterId,
    key: "q",
    dispatchPaused: false,
  });
  const path = `/clusters/${clusterId}/queues/${id}`;
  await service.colleague.sends("POST", `${path}/pause_dispatch`);

  const provider = await service.driver.kind("Queue");
  service.emulator.clearRequests();
  const { outs: updated = {} } = await provider.update(id, outs, { ...inputs, description: "x" });
  expect(service.emulator.requests.map((request) => `${request.method} ${request.path}`)).toEqual([
    `PUT /v2/organizations/acme${path}`,
  ]);
  expect((await provider.read(id, updated)).inputs).toMatchObject({ dispatchPaused: true });
});

test("what X.get reads has the values that unset fields stand for", async () => {
  const { id } = await service.driver.create("Team", { name: "t" });
  const { props } = await (await service.driver.kind("Team")).read(id, {});
  expect(props).toMatchObject({ description: "", privacy: "visible", isDefaultTeam: false });
});
