import { beforeEach, describe, expect, test } from "vitest";
import { failure, type Made, serviceForEach } from "../../support/driver.js";

/** Replacements that lost what no argument declares, and updates that replaced what they should not. */

const service = serviceForEach();
const EXPIRES = "2031-01-01T00:00:00Z";
const LOSES_EXPIRY = `expires at ${EXPIRES}. A replacement never expires, because the program gives no expiresAt or expiresIn.`;
const LOSES_AGENTS = "runs on Buildkite hosted agents. A replacement would be a self-hosted queue, because";

let clusterId: string;
beforeEach(async () => {
  clusterId = (await service.driver.create("Cluster", { name: "Linux" })).id;
});

/** Reads what a refresh records, in a new run, as a preview begins. */
async function refreshed(made: Made) {
  const driver = service.newRun();
  const { props = {}, inputs = {} } = await driver.read(made);
  return { driver, made: { ...made, inputs, outs: props } };
}

describe("A queue of hosted agents", () => {
  async function hosted() {
    const made = await service.driver.create("Queue", { clusterId, key: "mac" });
    service.emulator.organizationData.queues.update(made.id, { hosted_shape: "LINUX_AMD64_2X4" });
    return made;
  }

  test("that a refresh recognized isn't replaced by a self-hosted one", async () => {
    const { driver, made } = await refreshed(await hosted());
    expect(made.outs).toMatchObject({ hosted: true });
    const text = await failure(driver.plan(made, { ...made.inputs, key: "mac-m4" }));
    expect(text).toContain(`Queue: nothing was replaced: the queue ${made.id} ${LOSES_AGENTS}`);
    expect(await driver.plan(made, { ...made.inputs, description: "M4" })).toMatchObject({ replaces: [] });
  });

  test("isn't replaced by way of a state that doesn't say what it is, and costs one list of its cluster", async () => {
    const made = await hosted();
    const { hosted: _, ...outs } = made.outs;
    const driver = service.newRun();
    service.emulator.clearRequests();
    const text = await failure(driver.plan({ ...made, outs }, { ...made.inputs, key: "new" }));
    expect(text).toContain(LOSES_AGENTS);
    expect(service.operations).toEqual(["accessToken.get", "queues.list"]);
  });

  test("isn't replaced by --replace either, of which only the second check learns", async () => {
    await hosted();
    const [reason] = await service
      .newRun()
      .failures("Queue", { clusterId, key: "mac", deletesBeforeReplace: true });
    expect(reason).toContain(LOSES_AGENTS);
  });

  test("is announced by an import, and an update keeps it", async () => {
    await hosted();
    const driver = service.newRun();
    const imported = await driver.create("Queue", { clusterId, key: "mac", import: "Linux/mac" });
    expect(driver.warnings.join("\n")).toContain(LOSES_AGENTS);
    const { outs = {} } = await service.newRun().update(imported, { description: "Macs", import: undefined });
    expect(outs).toMatchObject({ hosted: true, description: "Macs" });
  });
});

test("A self-hosted queue is replaced as before, with no request more", async () => {
  const made = await service.driver.create("Queue", { clusterId, key: "small" });
  expect(made.outs).toMatchObject({ hosted: false });
  const driver = service.newRun();
  service.emulator.clearRequests();
  expect(await driver.plan(made, { ...made.inputs, key: "large" })).toMatchObject({ replaces: ["key"] });
  expect(await driver.failures("Queue", { clusterId, key: "large" })).toEqual([]);
  expect(service.operations).toEqual(["accessToken.get", "queues.list"]);
});

describe("An agent token with an expiry", () => {
  const expiring = async () => {
    const made = await service.driver.create("AgentToken", { clusterId, description: "farm" });
    service.emulator.organizationData.agentTokens.update(made.id, { expires_at: EXPIRES });
    return refreshed(made);
  };

  test("is rotated with a warning that the new one has none", async () => {
    const { driver, made } = await expiring();
    await driver.plan(made, { ...made.inputs, triggers: { rotated: "2026-12" } });
    expect(driver.warnings).toEqual([
      `agent token "farm" of cluster ${clusterId}: the agent token ${made.id} ${LOSES_EXPIRY}`,
    ]);
  });

  test("keeps it and its secret in an update of its description", async () => {
    const { driver, made } = await expiring();
    expect(await driver.plan(made, { ...made.inputs, description: "Farm" })).toMatchObject({ replaces: [] });
    const { outs = {} } = await driver.update(made, { description: "Farm" });
    expect(outs).toMatchObject({ expiresAt: EXPIRES, token: made.outs.token, description: "Farm" });
    expect(driver.warnings).toEqual([]);
  });

  test("is imported with the word that a rotation loses it", async () => {
    const { made } = await expiring();
    const driver = service.newRun();
    await driver.create("AgentToken", { clusterId, description: "farm", import: `Linux/${made.id}` });
    expect(driver.warnings.join("\n")).toContain(LOSES_EXPIRY);
    expect(driver.warnings.join("\n")).toContain("A new token never expires, even if this one does");
  });
});
