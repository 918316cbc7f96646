import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import { Project } from "./project.js";

export const COMMAND = `node ${join(__dirname, "..", "..", "dist", "cli", "main.js")}`;

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

export const PAIRS = `
# kind, name in the program, import name
Cluster linux Linux
Queue linux-small Linux/small
ClusterDefaultQueue linux-default Linux
AgentToken "build machines" Linux/Build machines
Team platform platform
Suite unit unit
`;

/** A project whose program declares what exists already, in an empty stack: one for each test of a file. */
export function projectForEach(): () => Project {
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
  return () => project;
}
