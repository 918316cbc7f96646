import { afterEach, beforeEach, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { Driver } from "./driver.js";

let emulator: Emulator;
let driver: Driver;

beforeEach(async () => {
  emulator = await startEmulator({ seed: false });
  driver = Driver.for(emulator);
});
afterEach(() => emulator.close());

test("a new description does not undo what an operator did to the dispatch since", async () => {
  const { id: clusterId } = await driver.create("Cluster", { name: "One" });
  const { id, inputs, outs } = await driver.create("Queue", { clusterId, key: "q", dispatchPaused: false });
  const path = `/v2/organizations/acme/clusters/${clusterId}/queues/${id}`;
  const headers = { authorization: `Bearer ${emulator.accessToken}` };
  expect((await fetch(`${emulator.url}${path}/pause_dispatch`, { method: "POST", headers })).ok).toBe(true);

  const provider = await driver.kind("Queue");
  emulator.clearRequests();
  const { outs: updated = {} } = await provider.update(id, outs, { ...inputs, description: "x" });
  expect(emulator.requests.map((request) => `${request.method} ${request.path}`)).toEqual([`PUT ${path}`]);
  expect((await provider.read(id, updated)).inputs).toMatchObject({ dispatchPaused: true });
});

test("what X.get reads has the values that unset fields stand for", async () => {
  const { id } = await driver.create("Team", { name: "t" });
  const { props } = await (await driver.kind("Team")).read(id, {});
  expect(props).toMatchObject({ description: "", privacy: "visible", isDefaultTeam: false });
});
