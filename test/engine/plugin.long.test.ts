import { expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { closedAtEnd } from "./ending.js";
import { Project } from "./project.js";

/** One of each kind, and a cluster whose name is made from the token's secret. */
const everyKind = (entry: string, description: string) =>
  [
    "const { AgentToken, Cluster, ClusterDefaultQueue, getClusterOutput, PipelineTemplate, Queue, Suite, Team } =",
    `  require("${entry}");`,
    'const main = new Cluster("main", { name: "Main" });',
    'const linux = new Queue("linux", { clusterId: main, key: "linux", description: "For most jobs" });',
    'new ClusterDefaultQueue("default", { clusterId: main, queueId: linux.id });',
    `const farm = new AgentToken("farm", { clusterId: main, description: "${description}" });`,
    'new Cluster("dependent", { name: farm.token.apply((token) => "Farm " + token.length) });',
    'new PipelineTemplate("release", { name: "Release", configuration: "steps: []\\n", available: true });',
    'new Team("platform", { name: "Platform", description: "Owns the machines" });',
    'new Suite("unit", { name: "Unit", defaultBranch: "main" });',
    "exports.name = getClusterOutput({ id: main.id }).name;",
  ].join("\n");

test("What is made from a token's secret stays known while its description changes; the state is small", async () => {
  const project = await Project.start();
  project.declare(everyKind("pulumi-buildpipeline/native", "farm"));
  await project.newStack();
  await project.up();
  expect((await project.pulumi("stack", "output", "name")).trim()).toBe("Main");
  const sizes = (await project.resources())
    .filter(({ type }) => type.startsWith("buildpipeline:index:"))
    .map((resource) => JSON.stringify(resource).length);
  expect(sizes).toHaveLength(8);
  expect(sizes.reduce((sum, size) => sum + size) / sizes.length).toBeLessThanOrEqual(1_900);

  project.declare(everyKind("pulumi-buildpipeline/native", "barn"));
  const preview = await project.pulumi("preview", "--diff");
  expect(preview).toContain('~ description: "farm" => "barn"');
  expect(preview).toMatch(/~ 1 to update\s+8 unchanged/);
  // A dynamic provider cannot tell what an update leaves as it is.
  project.declare(everyKind("pulumi-buildpipeline", "farm"));
  await project.up();
  project.declare(everyKind("pulumi-buildpipeline", "barn"));
  const beside = await project.pulumi("preview", "--diff");
  expect(beside).toContain('~ description: "farm" => "barn"');
  expect(beside).toMatch(/~ 2 to update\s+7 unchanged/);
});

test("A provider reads its token from another variable, and the state doesn't have it", async () => {
  const project = await Project.start();
  const sandbox = closedAtEnd(await startEmulator({ seed: false, organization: "acme-sandbox" }));
  project.remember({ SANDBOX_TOKEN: sandbox.accessToken });
  const place = JSON.stringify({ organization: sandbox.organization, baseUrl: sandbox.url });
  project.declare(
    [
      'const { Cluster, Provider } = require("pulumi-buildpipeline/native");',
      'const envVarMappings = { SANDBOX_TOKEN: "BUILDPIPELINE_ACCESS_TOKEN" };',
      `const provider = new Provider("sandbox", ${place}, { envVarMappings });`,
      'new Cluster("linux", { name: "Linux" }, { provider });',
    ].join("\n"),
  );
  await project.newStack();
  await project.up();
  expect(sandbox.organizationData.clusters.list().map(({ name }) => name)).toEqual(["Linux"]);
  const state = await project.pulumi("stack", "export", "--show-secrets");
  expect(state).not.toContain(sandbox.accessToken);
  await project.destroy();
  expect(sandbox.organizationData.clusters.list()).toEqual([]);
});
