import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { descendants, isAlive } from "./processes.js";
import { Project } from "./project.js";

let project: Project;
beforeEach(async () => {
  project = await Project.start(undefined, { seed: false });
  const plugin = "plugins: { providers: [{ name: buildpipeline, path: ../../../../plugin }] }";
  project.write("Pulumi.yaml", `name: native\nruntime: nodejs\n${plugin}\n`);
  project.write("package.json", JSON.stringify({ name: "native", private: true, main: "index.js" }));
  await project.pulumi("stack", "init", "test");
});
afterEach(() => project.close());

/** Writes the program, in JavaScript: there is nothing to compile. */
function program(...statements: readonly string[]): void {
  const names = "AgentToken, Cluster, getClusterOutput, Queue";
  project.write(
    "index.js",
    [`const { ${names} } = require("pulumi-buildpipeline/native");`, ...statements].join("\n"),
  );
}

test("What is made from a token's secret stays known while its description changes; a queue is imported by name", async () => {
  const described = (description: string) => [
    'const main = new Cluster("main", { name: "Main" });',
    `const farm = new AgentToken("farm", { clusterId: main, description: "${description}" });`,
    'new Cluster("dependent", { name: farm.token.apply((token) => "Farm " + token.length) });',
    "exports.name = getClusterOutput({ id: main.id }).name;",
  ];
  program(...described("farm"));
  await project.pulumi("up", "--yes", "--skip-preview");
  expect((await project.pulumi("stack", "output", "name")).trim()).toBe("Main");

  program(...described("barn"));
  const preview = await project.pulumi("preview", "--diff");
  expect(preview).toContain('~ description: "farm" => "barn"');
  expect(preview).toMatch(/~ 1 to update\s+3 unchanged/);

  const [main] = (await project.colleague.list("/clusters")).filter(({ name }) => name === "Main");
  await project.colleague.sends("POST", `/clusters/${main?.id}/queues`, { key: "linux" });
  const settings = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
  await project.pulumi("import", "buildpipeline:index:Queue", "linux", "Main/linux", ...settings);
  program(...described("farm"), 'new Queue("linux", { clusterId: main, key: "linux" });');
  expect(await project.pulumi("preview")).toMatch(/Resources:\s+5 unchanged/);
});

test("A cancelled deployment ends although the request limit is reached, and leaves no plugin behind", async () => {
  program('new Cluster("linux", { name: "Linux" });');
  const rateLimited = { resetSeconds: 600 } as const;
  project.emulator.fault({ operation: "clusters.create", action: { rateLimited } });
  const engine = project.engine("up", "--yes", "--skip-preview");
  const asked = () => project.emulator.requests.some(({ operation }) => operation === "clusters.create");
  await vi.waitUntil(asked, { timeout: 60_000, interval: 20 });
  const plugins = descendants(engine.pid).filter(({ command }) => command.includes("pulumi-resource-build"));
  expect(plugins).not.toEqual([]);

  process.kill(engine.pid, "SIGINT");
  await engine.ended;
  await vi.waitUntil(() => !plugins.some(({ pid }) => isAlive(pid)), { timeout: 60_000, interval: 20 });
  expect((await project.inventory())["/clusters"]).toEqual([]);
});
