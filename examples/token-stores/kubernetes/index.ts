import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { Cluster, RotatingAgentToken } from "pulumi-buildpipeline";

const config = new pulumi.Config();
const linux = new Cluster("linux", { name: "Linux" });
const agents = new RotatingAgentToken("agents", {
  clusterId: linux,
  description: "agent-stack-k8s",
  generation: config.requireNumber("tokenGeneration"),
});

// Give its name to the Helm chart of agent-stack-k8s as the value agentStackSecret. Pulumi changes it in place, because
// it has a name of its own, and before it revokes the oldest token.
const secret = new kubernetes.core.v1.Secret("agent-token", {
  metadata: { name: "buildkite-agent-token", namespace: config.get("namespace") ?? "buildkite" },
  stringData: { BUILDKITE_AGENT_TOKEN: agents.token.apply(known) },
});

// Pods read the Secret when they start: restart the controller after each rotation, and before the next one.
export const secretName = secret.metadata.name;
export const generation = agents.generation;

/** An imported token has no secret in state: start the store with generation 2. */
function known(secret: string | undefined): string {
  if (secret === undefined)
    throw new Error("The token was imported, so its secret is unknown. Use generation 2.");
  return secret;
}
