const pulumi = require("@pulumi/pulumi");
const {
  AgentToken,
  Cluster,
  ClusterDefaultQueue,
  PipelineTemplate,
  Queue,
  Team,
} = require("pulumi-buildpipeline");

/** The deployed organization is the version `base`; any other version has the changes that its name lists. */
const changes = process.env.RECORDED_VERSION?.split("+") ?? [];
const on = (/** @type {string} */ name) => changes.includes(name);

class Farm extends pulumi.ComponentResource {
  constructor(/** @type {string} */ name) {
    super("acme:index:Farm", name);
  }
}

const aliases = on("aliased") ? { aliases: [{ parent: pulumi.rootStackResource }] } : {};
const options = on("component") ? { parent: new Farm("farm"), ...aliases } : {};
const linux = new Cluster("linux", { name: "Linux" }, options);
const small = new Queue("linux-small", { clusterId: linux, key: on("tiny") ? "tiny" : "small" }, options);
if (!on("without-large"))
  new Queue(on("renamed-queue") ? "linux-big" : "linux-large", { clusterId: linux, key: "large" }, options);
new ClusterDefaultQueue("linux-default", { clusterId: linux, queueId: small.id });

let home = linux;
if (!on("without-gpu")) {
  const gpu = new Cluster("gpu", { name: "GPU" });
  new Queue("gpu-h200", { clusterId: gpu, key: "h200" });
  if (on("moved")) home = gpu;
}
new Queue("arm", { clusterId: home, key: "arm" });

new AgentToken("agents-a", { clusterId: linux, description: "Agents" });
if (!on("without-token")) new AgentToken("agents-b", { clusterId: linux, description: "Agents" });

const step = (/** @type {string} */ queue) =>
  `agents:\n  queue: ${queue}\nsteps:\n  - command: make\n    agents: { queue: ${queue} }\n`;
new PipelineTemplate(on("renamed") ? "pipeline-release" : "release", {
  name: "Release",
  configuration: step("large"),
});
new PipelineTemplate("typo", { name: "Typo", configuration: step("smal") });
new PipelineTemplate("any", { name: "Any", configuration: step('"$QUEUE"') });

new Team("platform", { name: on("team") ? "Platform engineering" : "Platform" });
if (on("extra")) new Queue("extra", { clusterId: linux, key: "extra" });
