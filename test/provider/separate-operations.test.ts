import { describe, expect, test } from "vitest";
import { failure, serviceForEach } from "./driver.js";

const service = serviceForEach();

async function queue(args: Record<string, unknown> = {}) {
  const cluster = await service.driver.create("Cluster", { name: "Linux" });
  const made = await service.driver.create("Queue", { clusterId: cluster.id, key: "small", ...args });
  const path = `/clusters/${cluster.id}/queues/${made.id}`;
  const update = async (change: Record<string, unknown>) => {
    const provider = await service.newRun().kind("Queue");
    return provider.update(made.id, made.outs, { ...made.inputs, ...change });
  };
  service.emulator.clearRequests();
  return { ...made, update, path };
}

const writes = () =>
  service.emulator.requests.filter(({ method }) => method !== "GET").map(({ operation }) => operation);

describe("A pause with an unusable response", () => {
  test("is an error without a read if it was surely not carried out", async () => {
    const { update } = await queue();
    service.emulator.fault({ operation: "queues.pauseDispatch", action: { status: 403, body: {} } });
    expect(await failure(update({ dispatchPaused: true }))).toContain("403");
    expect(service.emulator.requests.map(({ operation }) => operation)).not.toContain("queues.get");
  });
});

describe("An operation of its own", () => {
  test("is not sent where the service has the value already", async () => {
    const { update, path } = await queue();
    await service.colleague.sends("POST", `${path}/pause_dispatch`, {});
    service.emulator.clearRequests();
    await update({ description: "d", dispatchPaused: true });
    expect(writes()).toEqual(["queues.update"]);
  });

  test("is sent alone where nothing else changes", async () => {
    const { update } = await queue();
    await update({ dispatchPaused: true });
    expect(writes()).toEqual(["queues.pauseDispatch"]);
  });

  test("is not sent where the argument does not change", async () => {
    const { update } = await queue({ dispatchPaused: true });
    await update({ description: "d" });
    expect(writes()).toEqual(["queues.update"]);
  });

  test("is not sent where the argument is left out", async () => {
    const { update, path } = await queue({ dispatchPaused: true });
    await update({ dispatchPaused: undefined, description: "d" });
    expect(writes()).toEqual(["queues.update"]);
    expect(await service.colleague.sends("GET", path)).toMatchObject({ dispatch_paused: true });
  });
});
