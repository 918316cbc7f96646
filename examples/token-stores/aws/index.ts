import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { Cluster, RotatingAgentToken } from "pulumi-buildpipeline";

const config = new pulumi.Config();
const linux = new Cluster("linux", { name: "Linux" });
const agents = new RotatingAgentToken("agents", {
  clusterId: linux,
  description: "Elastic CI Stack",
  generation: config.requireNumber("tokenGeneration"),
});

// Instances of the Elastic CI Stack read this parameter when they boot: give the stack its name as the parameter
// BuildkiteAgentTokenParameterStorePath. Pulumi changes it before it revokes the oldest token.
const parameter = new aws.ssm.Parameter("agent-token", {
  name: config.get("parameterName") ?? "/buildkite/agent-token",
  description: "Token with which agents connect",
  type: aws.ssm.ParameterType.SecureString,
  value: agents.token.apply(known),
});

// Refresh the instances after each rotation, and before the next one: those that run keep the secret of their boot.
export const parameterName = parameter.name;
export const generation = agents.generation;

/** An imported token has no secret in state: start the store with generation 2. */
function known(secret: string | undefined): string {
  if (secret === undefined)
    throw new Error("The token was imported, so its secret is unknown. Use generation 2.");
  return secret;
}
