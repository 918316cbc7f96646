import * as pulumi from "@pulumi/pulumi";
import * as pulumiservice from "@pulumi/pulumiservice";
import { Cluster, RotatingAgentToken } from "pulumi-buildpipeline";

const config = new pulumi.Config();
const linux = new Cluster("linux", { name: "Linux" });
const agents = new RotatingAgentToken("agents", {
  clusterId: linux,
  description: "Agents with Pulumi ESC",
  generation: config.requireNumber("tokenGeneration"),
});

// Machines open it when they start an agent: `esc run acme/ci/agent-token -- buildkite-agent start`. Pulumi changes it
// before it revokes the oldest token.
const environment = new pulumiservice.Environment("agent-token", {
  organization: config.require("pulumiOrganization"),
  project: "ci",
  name: "agent-token",
  yaml: agents.token.apply(
    (secret) => new pulumi.asset.StringAsset(JSON.stringify(definition(known(secret)))),
  ),
});

export const environmentName = pulumi.interpolate`${environment.organization}/${environment.project}/${environment.name}`;
export const generation = agents.generation;

/** Returns the definition of an environment. JSON is YAML. */
function definition(token: string): object {
  return { values: { environmentVariables: { BUILDKITE_AGENT_TOKEN: { "fn::secret": token } } } };
}

/** An imported token has no secret in state: start the store with generation 2. */
function known(secret: string | undefined): string {
  if (secret === undefined)
    throw new Error("The token was imported, so its secret is unknown. Use generation 2.");
  return secret;
}
