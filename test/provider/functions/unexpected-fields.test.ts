import { expect, test } from "vitest";
import * as program from "../../../src/index.js";
import { Driver } from "../../support/driver.js";
import { pathsIn, putting } from "../../support/unexpected-values.js";
import { surroundings } from "./surroundings.js";

const at = surroundings();

const functions: readonly [operation: string, read: (clusterId: string) => Promise<object>][] = [
  ["clusters.list", () => program.getClusters()],
  ["queues.list", (clusterId) => program.getQueues({ clusterId })],
  ["agentTokens.list", (clusterId) => program.getAgentTokens({ clusterId })],
  ["pipelineTemplates.list", () => program.getPipelineTemplates()],
  ["teams.list", () => program.getTeams()],
  ["suites.list", () => program.getSuites()],
  ["runs.list", () => program.getRuns({ suiteSlug: "storefront-tests" })],
  ["agents.list", () => program.getAgents()],
  ["organizations.get", () => program.getOrganization()],
  ["members.list", () => program.getOrganizationMembers()],
  ["builds.list", () => program.getBuilds()],
];

/** Fields of which the API's documentation names no type. */
const OF_ANY_TYPE = new Set(["matrix", "pull_request", "meta_data"]);

test.each(functions)(
  "A field of %s that nothing needs reaches no function's result with another type",
  async (operation, read) => {
    const driver = Driver.for(at.emulator);
    const { id: clusterId } = await driver.create("Cluster", { name: "Linux", description: "Machines" });
    await driver.create("Queue", { clusterId, key: "small" });
    await driver.create("AgentToken", { clusterId, description: "farm" });
    await driver.create("PipelineTemplate", { name: "Node", configuration: "steps: []" });
    await driver.create("Team", { name: "Platform" });
    let body: unknown;
    const seen = at.emulator.fault({
      operation,
      when: "after",
      action: { change: (given) => (body = given) },
    });
    await read(clusterId);
    seen.remove();
    const paths = pathsIn(Object(Array.isArray(body) ? body[0] : body));
    let tolerated = 0;
    for (const path of paths) {
      const change = putting(path, { oddly_typed: [7] });
      const fault = at.emulator.fault({ operation, when: "after", action: { change } });
      const result = await read(clusterId).catch((error: unknown) => String(error));
      fault.remove();
      // Something needs the field, and the function says which it is.
      if (typeof result === "string") expect(result).toContain(path.at(-1));
      else if (!path.some((name) => OF_ANY_TYPE.has(name)))
        expect(/oddly/i.test(JSON.stringify(result)), path.join(".")).toBe(false);
      tolerated += typeof result === "string" ? 0 : 1;
    }
    expect(tolerated).toBeGreaterThan(paths.length / 3);
  },
);

/** Adds a field to every object of a response, as a later version of the API might. */
function later(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(later);
  if (typeof value !== "object" || value === null) return value;
  // Users name the entries of these two.
  const isMap = (name: string) => name === "env" || name === "meta_data";
  const entries = Object.entries(value).map(([name, entry]) => [name, isMap(name) ? entry : later(entry)]);
  return { ...Object.fromEntries(entries), added_later: { nested: [1] } };
}

const ADDED = /added_?later/i;

test("Fields that the API adds later reach no state, and change nothing", async () => {
  at.emulator.fault({ times: Number.POSITIVE_INFINITY, action: { change: later } });
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
  at.emulator.fault({ times: Number.POSITIVE_INFINITY, action: { change: later } });
  const { id: clusterId } = await at.client.clusters.create({ name: "Linux" });
  expect(Object.keys(await at.client.clusters.get(clusterId))).toContain("added_later");
  const results = await Promise.all(functions.map(([, read]) => read(clusterId)));
  expect(JSON.stringify(results)).not.toMatch(ADDED);
});
