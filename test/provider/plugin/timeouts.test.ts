import { expect, test } from "vitest";
import { Served, urnOf } from "./served.js";

/** Seconds that the engine gives a call: enough for a request on a busy machine, once another one has loaded everything. */
const TIMEOUT = 0.5;
const limited = { action: { rateLimited: { resetSeconds: 600 } } };
const urn = urnOf("Cluster");

test("a creation that the API refuses for the rate limit ends when its timeout has passed, and says why; changes that wait send nothing", async () => {
  const engine = await Served.configured();
  const { id, inputs, outs } = await engine.deploy(urn, { name: "Main" });
  const fault = engine.emulator.fault({ operation: "clusters.create", times: Infinity, ...limited });
  const first = engine.create(urnOf("Cluster", "other"), { ...inputs, name: "Other" }, false, TIMEOUT);
  await expect(first).rejects.toThrow(
    /timeout of 0\.5s \(customTimeouts\) has passed.*Rate limit reached: requests resume in \d+s/,
  );
  expect(fault.hits).toBe(1);
  expect(engine.emulator.organizationData.clusters.list()).toHaveLength(1);
  engine.emulator.clearRequests();
  const next = { ...inputs, name: "Next" };
  const message = /timeout of 0\.5s .*nothing was sent\. Rate limit reached/;
  await expect(engine.update(urn, id, outs, next, { timeout: TIMEOUT })).rejects.toThrow(message);
  await expect(engine.delete(urn, id, outs, TIMEOUT)).rejects.toThrow(message);
  expect(engine.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a read that waits for the rate limit ends when its timeout has passed", async () => {
  const engine = await Served.configured();
  const { id, inputs, outs } = await engine.deploy(urn, { name: "Main" });
  engine.emulator.fault({ method: "GET", times: Infinity, ...limited });
  await expect(engine.read(urn, id, outs, inputs, TIMEOUT)).rejects.toThrow(
    /timeout of 0\.5s .*before the API returned the resource\. Rate limit reached: requests resume in \d+s/,
  );
});

test("a change that was sent is waited for, and recorded", async () => {
  const engine = await Served.configured();
  const { inputs } = await engine.check(urn, { name: "Main" });
  const action = { delayMs: TIMEOUT * 1000 + 300 };
  engine.emulator.fault({ operation: "clusters.create", action });
  const { id, outs } = await engine.create(urn, inputs, false, TIMEOUT);
  expect(engine.emulator.organizationData.clusters.list()).toEqual([expect.objectContaining({ id })]);
  engine.emulator.fault({ operation: "clusters.delete", action });
  await engine.delete(urn, id, outs, TIMEOUT);
  expect(engine.emulator.organizationData.clusters.list()).toEqual([]);
});

test.each([0, -1])("with a timeout of %i nothing ends", async (timeout) => {
  const engine = await Served.configured();
  engine.emulator.fault({ operation: "clusters.create", action: { rateLimited: { resetSeconds: 1 } } });
  const { inputs } = await engine.check(urn, { name: "Main" });
  expect((await engine.create(urn, inputs, false, timeout)).id).not.toBe("");
});
