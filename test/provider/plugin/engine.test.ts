import { expect, test } from "vitest";
import { secret } from "../../../src/shared/protocol/encoded-values.js";
import { UNKNOWN } from "../../support/driver.js";
import { Served, urnOf } from "./served.js";

test("Settings are judged before anything else, and the access token is always a secret", async () => {
  const engine = await Served.start();
  const checked = await engine.checkConfig({
    accessToken: "Bearer topsecret",
    organization: "acme/widgets",
    baseUrl: UNKNOWN,
    version: "0.1.0",
  });
  expect(checked.failures).toEqual([
    { property: "", reason: expect.stringContaining("buildpipeline:accessToken") },
    { property: "organization", reason: expect.stringContaining("must be the organization's slug alone") },
  ]);
  expect(JSON.stringify(checked.failures)).not.toContain("topsecret");
  expect(checked.inputs).toMatchObject({ accessToken: secret("Bearer topsecret"), version: "0.1.0" });
  await expect(engine.configure({ baseUrl: "ftp://example.com" })).rejects.toThrow("has the scheme ftp");
});

test("A mistyped setting is refused, whatever the environment has, and other inputs are let through", async () => {
  const engine = await Served.start();
  const mistyped = { organisation: "acme", baseURL: "https://example.com" };
  const { failures } = await engine.checkConfig({ ...mistyped, version: "0.1.0", pluginDownloadURL: "x" });
  expect(failures).toEqual([
    { property: "baseURL", reason: expect.stringContaining("Set buildpipeline:baseUrl instead") },
    { property: "organisation", reason: expect.stringContaining("Set buildpipeline:organization instead") },
  ]);
  // The engine prints the value of the property that a failure names.
  const token = await engine.checkConfig({ accesToken: secret("topsecret") });
  expect(token.failures).toEqual([
    { property: "", reason: expect.stringContaining("Set buildpipeline:accessToken instead") },
  ]);
});

test("Settings that are not known yet are no failure until something has to be asked", async () => {
  const engine = await Served.start();
  await engine.configure({ accessToken: UNKNOWN });
  await expect(engine.check(urnOf("Cluster"), { name: "Main" })).rejects.toThrow("not known yet");
  await engine.configure();
  expect((await engine.check(urnOf("Cluster"), { name: "Main" })).failures).toEqual([]);
});

test("What exists but is not finished is kept, with the reason", async () => {
  const engine = await Served.configured();
  const { id: clusterId } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  engine.emulator.fault({ operation: "queues.pauseDispatch", action: { status: 403, body: {} } });
  const { inputs } = await engine.check(urnOf("Queue"), { clusterId, key: "linux", dispatchPaused: true });
  const halfMade = await engine.initializationError(engine.create(urnOf("Queue"), inputs));
  const [live] = engine.emulator.organizationData.queues.list();
  expect(halfMade).toMatchObject({
    id: live?.id,
    properties: { key: "linux", clusterId },
    inputs,
    reasons: [expect.stringContaining(`The queue ${live?.id} exists, but is not finished`)],
  });
  const updated = await engine.update(urnOf("Queue"), halfMade.id, halfMade.properties, inputs);
  expect(updated).toMatchObject({ dispatchPaused: true });
});

test("A cancelled deployment ends its waits at once and writes nothing more", async () => {
  const engine = await Served.configured();
  engine.emulator.fault({
    operation: "clusters.list",
    action: { rateLimited: { resetSeconds: 600 } },
  });
  const waiting = engine.check(urnOf("Cluster", "waiting"), { name: "Main" });
  await engine.observedOf(/Rate limit reached/);
  expect(engine.observed).toEqual([
    expect.objectContaining({ severity: "info", urn: urnOf("Cluster", "waiting"), ephemeral: false }),
    expect.objectContaining({ severity: "info", urn: urnOf("Cluster", "waiting"), ephemeral: true }),
  ]);
  await engine.cancel();
  await expect(waiting).rejects.toThrow("canceled");
  const inputs = { name: "Other", organization: engine.emulator.organization };
  await expect(engine.create(urnOf("Cluster", "late"), inputs)).rejects.toThrow("canceled");
  expect(engine.emulator.organizationData.clusters.list()).toEqual([]);
});

test("A cancelled deployment records what it has already sent", async () => {
  const engine = await Served.configured();
  const { inputs } = await engine.check(urnOf("Cluster"), { name: "Main" });
  let cancelled: Promise<void> | undefined;
  engine.emulator.fault({
    operation: "clusters.create",
    when: "after",
    action: "drop",
    matches: () => {
      cancelled = engine.cancel();
      return true;
    },
  });
  const { id } = await engine.create(urnOf("Cluster"), inputs);
  await cancelled;
  expect(engine.emulator.organizationData.clusters.list().map((cluster) => cluster.id)).toEqual([id]);
});

test("Lookups are functions, which ask once until something is written", async () => {
  const engine = await Served.configured();
  const { id } = await engine.deploy(urnOf("Cluster"), { name: "Main" });
  engine.emulator.clearRequests();
  expect(await engine.invoke("getCluster", { name: "Main" })).toMatchObject({ id, name: "Main" });
  expect(await engine.invoke("getClusters")).toMatchObject({ clusters: [{ id }], organization: "acme" });
  expect(engine.emulator.requests.length).toBe(1);
  await engine.deploy(urnOf("Cluster", "two"), { name: "Second" });
  expect(await engine.invoke("getClusters")).toMatchObject({ clusters: [{ id }, { name: "Second" }] });
});

test("A lookup that fails tells why, and quotes no secret", async () => {
  const engine = await Served.configured();
  await expect(engine.invoke("getCluster", { name: "Nope" })).rejects.toThrow(
    'getCluster({ name: "Nope" }): none of the 0 clusters',
  );
  const failure = await engine.invoke("getCluster", { name: secret("hush") }).catch((error) => error.message);
  expect(failure).toContain("getCluster({ name: [secret] })");
  expect(failure).not.toContain("hush");
  const body = { message: "There are no builds of hush and murmur." };
  engine.emulator.fault({ operation: "builds.list", action: { status: 400, body } });
  const args = { branch: [secret("hush")], metaData: secret({ release: "murmur" }) };
  const ofNested = await engine.invoke("getBuilds", args).catch((error) => error.message);
  expect(ofNested).toContain("There are no builds of [secret] and [secret].");
  await expect(engine.invoke("getNothing")).rejects.toThrow("There is no function");
});
