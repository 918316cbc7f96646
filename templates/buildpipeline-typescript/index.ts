import { AgentToken, Cluster, ClusterDefaultQueue, Queue } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux", description: "Builds and tests" });
const small = new Queue("small", { clusterId: linux, key: "small", description: "For most jobs" });

// Agents that name no queue take jobs from this one.
new ClusterDefaultQueue("linux-default", { clusterId: linux, queueId: small.id });

// The API returns the secret of a token once. The state keeps it, encrypted.
const builders = new AgentToken("builders", { clusterId: linux, description: "Agents of the build farm" });

export const clusterId = linux.id;
export const agentToken = builders.token;
