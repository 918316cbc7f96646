import { Project } from "./project.js";

const PROGRAM = `
const pulumi = require("@pulumi/pulumi");
const kinds = require("pulumi-buildpipeline");
const mine = new kinds.Provider("mine", { organization: "acme" });
class Farm extends pulumi.ComponentResource {
  constructor(name) {
    super("acme:index:Farm", name, {}, { providers: [mine] });
    const inside = { parent: this };
    const secret = pulumi.secret("Hidden words");
    const cluster = new kinds.Cluster(name, { name: "Linux", description: secret, forceDestroy: true }, inside);
    const queue = new kinds.Queue(name + "-small", { clusterId: cluster, key: "small" }, { parent: cluster });
    new kinds.Queue(name + "-large", { clusterId: cluster, key: "large", description: secret }, { parent: cluster });
    new kinds.ClusterDefaultQueue(name + "-default", { clusterId: cluster, queueId: queue.id }, inside);
    new kinds.ClusterSecret("deploy key", { clusterId: cluster, key: "DEPLOY_KEY", value: secret }, inside);
    new kinds.AgentToken(
      "build machines",
      { clusterId: cluster, description: "Build machines", triggers: { month: "November" } },
      inside,
    );
  }
}
new Farm("linux");
new kinds.Team("platform", {
  name: "Platform",
  defaultMemberRole: "maintainer",
  membersCanCreatePipelines: true,
});
new kinds.Suite("unit", {
  name: "Unit",
  defaultBranch: "trunk",
  teamIds: ["0d7a5f4e-1b2c-4d3e-8f90-a1b2c3d4e5f6"],
  applicationName: "shop",
  color: "#f0ccff",
  emoji: ":test_tube:",
});
new kinds.Cluster("new", { name: "Not there yet" });
`;

export const PAIRS = `
# kind, name in the program, import name
Cluster linux Linux
Queue linux-small Linux/small
Queue linux-large Linux/large
ClusterDefaultQueue linux-default Linux
AgentToken "build machines" Linux/Build machines
ClusterSecret "deploy key" Linux/DEPLOY_KEY
Team platform platform
Suite unit unit
`;

/** A project whose program declares what exists already, in an empty stack. */
export async function startImporting(): Promise<Project> {
  const project = await Project.start();
  project.declare(PROGRAM, "ci");
  const { client } = project;
  const { id } = await client.clusters.create({ name: "Linux", description: "Hidden words" });
  const queue = await client.queues.create(id, { key: "small", description: "By hand" });
  await client.queues.create(id, { key: "large", description: "Hidden words" });
  await client.clusters.update(id, { default_queue_id: queue.id });
  await client.agentTokens.create(id, { description: "Build machines" });
  await client.clusterSecrets.create(id, { key: "DEPLOY_KEY", value: "Another value" });
  await client.teams.create({
    name: "Platform",
    description: "",
    privacy: "visible",
    is_default_team: false,
    default_member_role: "maintainer",
    members_can_create_pipelines: true,
  });
  await client.suites.create({ name: "Unit", default_branch: "trunk" });
  project.emulator.clearRequests();
  await project.newStack();
  return project;
}
