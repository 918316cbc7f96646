import * as gcp from "@pulumi/gcp";
import * as pulumi from "@pulumi/pulumi";
import { Cluster, RotatingAgentToken } from "pulumi-buildpipeline";

const config = new pulumi.Config();
const linux = new Cluster("linux", { name: "Linux" });
const agents = new RotatingAgentToken("agents", {
  clusterId: linux,
  description: "Agents on Google Cloud",
  generation: config.requireNumber("tokenGeneration"),
});

const secret = new gcp.secretmanager.Secret("agent-token", {
  secretId: config.get("secretId") ?? "buildkite-agent-token",
  replication: { auto: {} },
});
// Instances read the version `latest` when they boot. Pulumi adds the new version before it revokes the oldest token,
// and then disables the version before: a disabled version can be enabled again, and a destroyed one can't.
const version = new gcp.secretmanager.SecretVersion("agent-token", {
  secret: secret.id,
  secretData: agents.token.apply(known),
  deletionPolicy: "DISABLE",
});

// Refresh the instances after each rotation, and before the next one: those that run keep the secret of their boot.
export const secretName = secret.name;
export const secretVersion = version.version;
export const generation = agents.generation;

/** An imported token has no secret in state: start the store with generation 2. */
function known(secret: string | undefined): string {
  if (secret === undefined)
    throw new Error("The token was imported, so its secret is unknown. Use generation 2.");
  return secret;
}
