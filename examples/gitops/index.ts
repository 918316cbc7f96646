import { readFileSync } from "node:fs";
import { AgentToken, Cluster, ClusterDefaultQueue, PipelineTemplate, Queue } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux", emoji: ":penguin:" });
const builds = new Queue("linux-builds", { clusterId: linux, key: "builds" });
new ClusterDefaultQueue("linux-default", { clusterId: linux, queueId: builds.id });

// Two queues for this project's own pipeline. Only the agents of `deploy` know an access token that can write.
new Queue("linux-review", { clusterId: linux, key: "review", description: "Previews of this project" });
new Queue("linux-deploy", { clusterId: linux, key: "deploy", description: "Deployments of this project" });

const agents = new AgentToken("linux-agents", { clusterId: linux, description: "Linux agents" });

new PipelineTemplate("gitops", {
  name: "Deploy from Git",
  description: "Previews on pull requests, deploys main, and looks for drift every night",
  configuration: readFileSync(".buildkite/pipeline.yml", "utf8"),
});

export const agentToken = agents.token;
