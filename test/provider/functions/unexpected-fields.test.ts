import { expect, test } from "vitest";
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
import { pathsIn, putting } from "../../support/unexpected-values.js";
import { surroundings } from "./surroundings.js";

const at = surroundings();

const functions: readonly [operation: string, read: (clusterId: string) => Promise<object>][] = [
  ["clusters.list", () => getClusters()],
  ["queues.list", (clusterId) => getQueues({ clusterId })],
  ["agentTokens.list", (clusterId) => getAgentTokens({ clusterId })],
  ["pipelineTemplates.list", () => getPipelineTemplates()],
  ["teams.list", () => getTeams()],
  ["suites.list", () => getSuites()],
  ["runs.list", () => getRuns({ suiteSlug: "storefront-tests" })],
  ["agents.list", () => getAgents()],
  ["organizations.get", () => getOrganization()],
  ["members.list", () => getOrganizationMembers()],
  ["builds.list", () => getBuilds()],
];

/** Fields of which the API document names no type. */
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
