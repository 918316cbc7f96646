const pulumi = require("@pulumi/pulumi");
const changes = process.env.RECORDED_VERSION?.split("+") ?? [];
const on = (/** @type {string} */ name) => changes.includes(name);
const { AgentToken, Cluster, ClusterDefaultQueue, PipelineTemplate, Queue, Suite, Team } = on("plugin")
  ? require("pulumi-buildpipeline/native")
  : require("pulumi-buildpipeline");

class Farm extends pulumi.ComponentResource {
  constructor(/** @type {string} */ name) {
    super("acme:index:Farm", name);
  }
}

const gpu = new Cluster("gpu", { name: "GPU" });
new Queue("gpu-h200", { clusterId: gpu, key: "h200" });
const farm = new AgentToken("gpu-agents", { clusterId: gpu, description: "GPU agents" });
/** What delivers a secret to machines. */
class Delivered extends pulumi.dynamic.Resource {}
new Delivered(
  { create: async (/** @type {object} */ outs) => ({ id: "delivered", outs }) },
  "delivered-secret",
  { value: farm.token },
);

const linux = new Cluster("linux", { name: "Linux" });
const small = new Queue("linux-small", { clusterId: linux, key: "small" });
new Queue("linux-paused", { clusterId: linux, key: "paused" });
new Queue("linux-arm", { clusterId: linux, key: "arm" });
for (const key of ["large", "huge"])
  if (!on("elsewhere"))
    new Queue(`linux-${key}`, { clusterId: linux, key }, on("component") ? { parent: new Farm(key) } : {});
new ClusterDefaultQueue("linux-default", { clusterId: linux, queueId: small.id });
new AgentToken("agents", { clusterId: linux, description: "Agents" });
new Cluster("mac", { name: "Mac" });

new PipelineTemplate("release", { name: "Release", configuration: "steps: []" });
new Team("platform", { name: "Platform" });
new Team("mobile", { name: "Mobile" });
new Team("guests", { name: "Guests", membersCanCreatePipelines: false });
new Team("vault", { name: "Vault", privacy: "secret" });
new Suite("unit", { name: "Unit", defaultBranch: "main" });
new Suite("browser", { name: "Browser", defaultBranch: "main" });
