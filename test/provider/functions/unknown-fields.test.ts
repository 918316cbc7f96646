import { beforeEach, expect, test } from "vitest";
import {
  getAgents,
  getAgentTokens,
  getBuilds,
  getClusters,
  getOrganization,
  getOrganizationMembers,
  getPipelineTemplates,
  getQueues,
  getRuns,
  getSuites,
  getTeams,
} from "../../../src/index.js";
import { Driver } from "../../support/driver.js";
import { surroundings } from "./surroundings.js";

const at = surroundings();

/** Adds a field to every object of a response, as a later version of the API might. */
function later(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(later);
  if (typeof value !== "object" || value === null) return value;
  // Users name the entries of these two.
  const isMap = (name: string) => name === "env" || name === "meta_data";
  const entries = Object.entries(value).map(([name, entry]) => [name, isMap(name) ? entry : later(entry)]);
  return { ...Object.fromEntries(entries), expires_at: "2031-01-01T00:00:00Z", added_later: { nested: [1] } };
}

const ADDED = /added_?later|expires_?at/i;

beforeEach(() => {
  at.emulator.fault({ times: Number.POSITIVE_INFINITY, action: { change: later } });
});

test("Fields that the API adds later reach no state, and change nothing", async () => {
  const driver = Driver.for(at.emulator);
  const { id: clusterId } = await driver.create("Cluster", { name: "Linux", __secrets: [] });
  const created = [
    ["Cluster", { name: "Mac", color: "#14cc80" }],
    ["Queue", { clusterId, key: "small", description: "Small" }],
    ["AgentToken", { clusterId, description: "agents", allowedIpAddresses: ["192.0.2.0/24"] }],
    ["PipelineTemplate", { name: "Node", configuration: "steps: []\n" }],
    ["Team", { name: "Platform" }],
    ["Suite", { name: "Unit", defaultBranch: "main" }],
  ] as const;
  for (const [kind, args] of created) {
    const { id, inputs, outs } = await driver.create(kind, { ...args, __secrets: [] });
    const provider = await driver.kind(kind);
    expect(await provider.diff(id, outs, inputs), kind).toEqual({ changes: false });
    const { props = {}, inputs: read } = await provider.read(id, outs);
    expect(JSON.stringify([outs, props, read]), kind).not.toMatch(ADDED);
    expect(await provider.diff(id, props, inputs), kind).toEqual({ changes: false });
    const changed = { ...inputs, description: "Changed", name: "Changed" };
    const { outs: updated } = await provider.update(
      id,
      props,
      kind === "Queue" ? { ...inputs, description: "Changed" } : changed,
    );
    expect(JSON.stringify(updated), kind).not.toMatch(ADDED);
  }
});

test("Fields that the API adds later are in the client's results and in no function's", async () => {
  const { id: clusterId } = await at.client.clusters.create({ name: "Linux" });
  expect(Object.keys(await at.client.clusters.get(clusterId))).toContain("added_later");
  const results = await Promise.all([
    getClusters(),
    getQueues({ clusterId }),
    getAgentTokens({ clusterId }),
    getPipelineTemplates(),
    getTeams(),
    getSuites(),
    getRuns({ suiteSlug: "storefront-tests" }),
    getAgents(),
    getOrganization(),
    getOrganizationMembers(),
    getBuilds(),
  ]);
  expect(JSON.stringify(results)).not.toMatch(ADDED);
});
