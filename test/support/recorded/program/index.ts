import * as pulumi from "@pulumi/pulumi";
import {
  AgentToken,
  Cluster,
  ClusterDefaultQueue,
  PipelineTemplate,
  Queue,
  Suite,
  Team,
} from "pulumi-buildpipeline";

/** Two versions of one organization: what was deployed, and what a branch makes of it. */
const changed = process.env.RECORDED_VERSION === "changed";

const linux = new Cluster("linux", {
  name: "Linux",
  emoji: ":penguin:",
  color: "#2D9CDB",
  description: changed ? "Builds of everything that ships" : "Builds",
});
const small = new Queue("linux-small", { clusterId: linux, key: changed ? "tiny" : "small" });
new Queue("linux-large", { clusterId: linux, key: "large", ...(changed && { dispatchPaused: true }) });
new ClusterDefaultQueue("linux-default", { clusterId: linux, queueId: small.id });
const agents = new AgentToken("linux-agents", {
  clusterId: linux,
  description: "Build machines",
  triggers: { rotated: changed ? "2027-01" : "2026-01" },
});
new AgentToken("linux-laptops", {
  clusterId: linux,
  description: "Laptops",
  allowedIpAddresses: changed ? ["10.20.0.0/24"] : ["10.20.0.0/16", "192.0.2.7"],
});

// Names that mean something in Markdown, HTML, Mermaid or a terminal.
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: as a person may write it
const awkward = new Cluster("awkward", {
  name: 'Mac 🍏 "beta" `x` | <b>bold</b> ${HOME} [link](https://example.com) %%{init}%% #quot;',
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as a person may write it
new Queue("awkward-signing", { clusterId: awkward, key: "signing", description: changed ? "a|b\n`c`" : "a" });

if (changed) {
  const windows = new Cluster("windows", { name: "Windows" });
  const first = new Queue("windows-first", { clusterId: windows, key: "first" });
  new ClusterDefaultQueue("windows-default", { clusterId: windows, queueId: first.id });
  new Queue("adopted", { clusterId: linux, key: "by-hand" }, { import: "Linux/by-hand" });
} else {
  const old = new Cluster("old", { name: "Old machines" });
  for (const key of ["one", "two", "three"]) new Queue(`old-${key}`, { clusterId: old, key });
  new AgentToken("old-agents", { clusterId: old.id, description: "Old agents" });
  new Team("leavers", { name: "Leavers" }, { retainOnDelete: true });
}

const steps = Array.from({ length: 80 }, (_, step) => {
  const command = changed && step === 40 ? "make step-40 --fast" : `make step-${step}`;
  return `  - label: "Step ${step}"\n    command: ${command}\n`;
});
if (changed) steps.push('  - wait\n  - command: echo "```" done\n');
new PipelineTemplate("release", { name: "Release", configuration: `steps:\n${steps.join("")}` });
new PipelineTemplate("deploy", {
  name: "Deploy",
  configuration: pulumi.secret(`steps:\n  - command: deploy --password hunter2-${changed}\n`),
});
new PipelineTemplate("connect", {
  name: "Connect",
  configuration: pulumi.interpolate`steps:\n  - command: connect ${agents.token}\n`,
});

const platform = new Team("platform", {
  name: "Platform",
  privacy: changed ? "secret" : "visible",
  membersCanCreatePipelines: changed,
});
new Suite("tests", { name: "Tests", defaultBranch: "main", teamIds: [platform.id] });

export const agentToken = agents.token;
