import { AgentToken, Cluster, ClusterDefaultQueue, Queue } from "pulumi-buildpipeline";

/** The organization, as a function: index.ts deploys it and organization.test.ts tests it. */
export function organization() {
  const linux = new Cluster("linux", { name: "Linux" });
  const small = new Queue("small", { clusterId: linux, key: "small" });
  new Queue("release", { clusterId: linux, key: "release", dispatchPaused: true });
  new ClusterDefaultQueue("linux-default", { clusterId: linux, queueId: small.id });
  const token = new AgentToken("agents", { clusterId: linux, description: "Agents" });
  return { clusterId: linux.id, agentToken: token.token };
}
