import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import { Project } from "./project.js";

const COMMAND = `node ${join(__dirname, "..", "..", "dist", "cli", "main.js")}`;

const PROGRAM = `
const pulumi = require("@pulumi/pulumi");
const kinds = require("pulumi-buildpipeline");
const mine = new kinds.Provider("mine", { organization: "acme" });
class Farm extends pulumi.ComponentResource {
  constructor(name) {
    super("acme:index:Farm", name, {}, { providers: [mine] });
    const inside = { parent: this };
    const cluster = new kinds.Cluster(name, { name: "Linux", description: pulumi.secret("Hidden words") }, inside);
    const queue = new kinds.Queue(name + "-small", { clusterId: cluster, key: "small" }, { parent: cluster });
    new kinds.ClusterDefaultQueue(name + "-default", { clusterId: cluster, queueId: queue.id }, inside);
    new kinds.AgentToken("build machines", { clusterId: cluster, description: "Build machines" }, inside);
  }
}
new Farm("linux");
new kinds.Team("platform", { name: "Platform" });
new kinds.Suite("unit", { name: "Unit", defaultBranch: "trunk" });
new kinds.Cluster("new", { name: "Not there yet" });
`;

const PAIRS = `
# kind, name in the program, import name
Cluster linux Linux
Queue linux-small Linux/small
ClusterDefaultQueue linux-default Linux
AgentToken "build machines" Linux/Build machines
Team platform platform
Suite unit unit
`;

let project: Project;
beforeEach(async () => {
  project = await Project.start(undefined, { seed: false });
  project.write("Pulumi.yaml", "name: ci\nruntime: nodejs\n");
  project.write("package.json", JSON.stringify({ name: "ci", private: true, main: "index.js" }));
  project.write("index.js", PROGRAM);
  const { url: baseUrl, accessToken, organization } = project.emulator;
  const client = new BuildPipelineClient({ baseUrl, accessToken, organization });
  const { id } = await client.clusters.create({ name: "Linux", description: "Hidden words" });
  const queue = await client.queues.create(id, { key: "small", description: "By hand" });
  await client.clusters.update(id, { default_queue_id: queue.id });
  await client.agentTokens.create(id, { description: "Build machines" });
  await client.teams.create({
    name: "Platform",
    description: "",
    privacy: "visible",
    is_default_team: false,
    default_member_role: "member",
    members_can_create_pipelines: false,
  });
  await client.suites.create({ name: "Unit", default_branch: "trunk" });
  await client.close();
  project.emulator.clearRequests();
  await project.newStack();
});
afterEach(() => project.close());

test("An import from a file goes on after an interruption", async () => {
  const lines = PAIRS.trim().split("\n");
  project.write("first.txt", lines.slice(0, 3).join("\n"));
  project.write("pairs.txt", PAIRS);
  await project.shell(`${COMMAND} import --file first.txt --yes`);
  const rest = await project.shell(`${COMMAND} import --file pairs.txt --yes`);
  expect(rest).toContain("2 resources of the file are in state already.");
  expect(rest).toMatch(/= 4 imported/);
  const again = await project.shell(`${COMMAND} import --file pairs.txt --yes`);
  expect(again).toContain("6 resources of the file are in state already.");
  expect(again).not.toContain("imported");
  expect(project.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("What a program declares is imported by names, with its parents, its provider and its secrets", async () => {
  // An import sends reads, so an access token for reads is enough.
  const scopes = ["read_clusters", "read_pipeline_templates", "read_suites", "read_teams", "view_teams"];
  const reader = project.emulator.createAccessToken({ scopes });
  const command = `BUILDPIPELINE_READ_ONLY=true BUILDPIPELINE_ACCESS_TOKEN=${reader} ${COMMAND} import`;
  const looked = await project.shell(`${command} Queue linux-small Linux/small --dry-run`);
  expect(looked).toMatch(/Queue "linux-small" is [\w-]{36}\.\n.*description/);
  project.write("pairs.txt", PAIRS);
  const output = await project.shell(`${command} --file pairs.txt --yes --json`);
  expect(output).not.toContain("Hidden words");
  expect(output).toMatch(/\+ 2 created\s+= 7 imported/);
  expect(project.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);

  const exported = await project.pulumi("stack", "export");
  expect(exported).not.toContain("Hidden words");
  const { resources } = JSON.parse(exported).deployment;
  const found = Object.fromEntries(
    resources.map((one: Record<string, string>) => [one.urn?.split("::").at(-1), one]),
  );
  expect(Object.keys(found).sort()).toEqual([
    "build machines",
    "ci-test",
    "default",
    "linux",
    "linux-default",
    "linux-small",
    "mine",
    "platform",
    "unit",
  ]);
  expect(found["linux-small"].urn).toContain("acme:index:Farm$pulumi-nodejs:dynamic/buildpipeline:Cluster$");
  expect(found["linux-small"].provider).toContain("::mine::");
  expect(found.platform.provider).toContain("::default::");

  const preview = await project.pulumi("preview", "--diff");
  expect(preview).toMatch(/\+ 1 to create\s+~ 1 to update\s+2 changes. 8 unchanged/);
  expect(preview).toContain('- description: "By hand"');
});
