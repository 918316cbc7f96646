import { AgentToken, Cluster, ClusterDefaultQueue, Pipeline, Queue } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux", description: "Builds and tests" });
const small = new Queue("small", { clusterId: linux, key: "small", description: "For most jobs" });

// Agents that name no queue take jobs from this one.
new ClusterDefaultQueue("linux-default", { clusterId: linux, queueId: small.id });

// The API returns the secret of a token once. The state keeps it, encrypted.
const builders = new AgentToken("builders", { clusterId: linux, description: "Agents of the build farm" });

// The jobs of a build wait in the queue that their step names.
const storefront = new Pipeline("storefront", {
  name: "Storefront",
  repository: "git@github.com:acme/storefront.git",
  clusterId: linux,
  configuration: { steps: [{ command: "make test", agents: { queue: "small" } }] },
  // While you try this. Without this line, a deletion archives the pipeline and keeps its builds.
  onDelete: "delete",
});

export const clusterId = linux.id;
export const agentToken = builders.token;
export const pipelineUrl = storefront.webUrl;
