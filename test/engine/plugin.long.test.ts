import { afterEach, beforeEach, expect, test } from "vitest";
import { Project } from "./project.js";

let project: Project;
beforeEach(async () => {
  project = await Project.start(undefined, { seed: false });
  const plugin = "plugins: { providers: [{ name: buildpipeline, path: ../../../../plugin }] }";
  project.write("Pulumi.yaml", `name: native\nruntime: nodejs\n${plugin}\n`);
  project.write("package.json", JSON.stringify({ name: "native", private: true, main: "index.js" }));
  await project.newStack();
});
afterEach(() => project.close());

/** What Pulumi writes for a resource that it has imported: its inputs. */
function declaration({ urn, inputs }: { urn: string; inputs?: object }): string[] {
  const [, kind, name] = /buildpipeline:index:(\w+)::(\w+)$/.exec(urn) ?? [];
  if (kind === undefined) return [];
  const { organization: _, ...args }: { organization?: unknown } = { ...inputs };
  return [`new ${kind}("${name}", ${JSON.stringify(args)});`];
}

/** Writes the program, in JavaScript: there is nothing to compile. */
function program(...statements: readonly string[]): void {
  const names =
    "AgentToken, Cluster, ClusterDefaultQueue, getClusterOutput, PipelineTemplate, Queue, Suite, Team";
  project.write(
    "index.js",
    [`const { ${names} } = require("pulumi-buildpipeline/native");`, ...statements].join("\n"),
  );
}

/** The kinds by the names that a person would import them by. */
const IMPORTED = {
  Cluster: "Main",
  Queue: "Main/linux",
  ClusterDefaultQueue: "Main",
  AgentToken: "Main/farm",
  PipelineTemplate: "Release",
  Team: "platform",
  Suite: "unit",
};

/** One of each kind, and a cluster whose name is made from the token's secret. */
const everyKind = (description: string) => [
  'const main = new Cluster("main", { name: "Main" });',
  'const linux = new Queue("linux", { clusterId: main, key: "linux", description: "For most jobs" });',
  'new ClusterDefaultQueue("default", { clusterId: main, queueId: linux.id });',
  `const farm = new AgentToken("farm", { clusterId: main, description: "${description}" });`,
  'new Cluster("dependent", { name: farm.token.apply((token) => "Farm " + token.length) });',
  'new PipelineTemplate("release", { name: "Release", configuration: "steps: []\\n", available: true });',
  'new Team("platform", { name: "Platform", description: "Owns the machines" });',
  'new Suite("unit", { name: "Unit", defaultBranch: "main" });',
  "exports.name = getClusterOutput({ id: main.id }).name;",
];

test("What is made from a token's secret stays known while its description changes; the state is small; every kind is imported by name", async () => {
  program(...everyKind("farm"));
  await project.pulumi("up", "--yes", "--skip-preview");
  expect((await project.pulumi("stack", "output", "name")).trim()).toBe("Main");
  const { deployment } = JSON.parse(await project.pulumi("stack", "export"));
  const sizes: number[] = deployment.resources
    .filter(({ type }: { type: string }) => type.startsWith("buildpipeline:index:"))
    .map((resource: object) => JSON.stringify(resource).length);
  expect(sizes).toHaveLength(Object.keys(IMPORTED).length + 1);
  expect(sizes.reduce((sum, size) => sum + size) / sizes.length).toBeLessThanOrEqual(1_900);

  program(...everyKind("barn"));
  const preview = await project.pulumi("preview", "--diff");
  expect(preview).toContain('~ description: "farm" => "barn"');
  expect(preview).toMatch(/~ 1 to update\s+8 unchanged/);
  // A dynamic provider cannot tell what an update leaves as it is.
  const dynamic = (description: string) => {
    program(...everyKind(description));
    project.write("index.js", project.read("index.js").replace("/native", ""));
  };
  dynamic("farm");
  await project.pulumi("up", "--yes", "--skip-preview");
  dynamic("barn");
  const beside = await project.pulumi("preview", "--diff");
  expect(beside).toContain('~ description: "farm" => "barn"');
  expect(beside).toMatch(/~ 2 to update\s+7 unchanged/);

  // The same objects in a stack of their own, by a program that says what was imported.
  await project.newStack("imported");
  const resources = Object.entries(IMPORTED).map(([kind, id]) => ({
    type: `buildpipeline:index:${kind}`,
    name: kind.toLowerCase(),
    id,
  }));
  project.write("import.json", JSON.stringify({ resources }));
  const settings = ["--yes", "--skip-preview", "--protect=false", "--generate-code=false"];
  await project.pulumi("import", "--file", "import.json", ...settings);
  const imported = JSON.parse(await project.pulumi("stack", "export")).deployment;
  program(...imported.resources.flatMap(declaration));
  expect(await project.pulumi("preview", "--expect-no-changes")).toMatch(/Resources:\s+8 unchanged/);
});
