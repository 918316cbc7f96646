import * as pulumi from "@pulumi/pulumi";
import { Cluster, getClustersOutput, Provider, Queue } from "pulumi-buildpipeline";

// Without a provider: the organization of the stack's configuration (buildpipeline:organization and the others).
const linux = new Cluster("linux", { name: "Linux" });
new Queue("linux-default", { clusterId: linux, key: "default" });

// The second one, with settings of its own: pulumi config set --secret sandbox:accessToken, and so on.
const config = new pulumi.Config("sandbox");
const sandbox = new Provider("sandbox", {
  organization: config.require("organization"),
  accessToken: config.requireSecret("accessToken"),
  baseUrl: config.require("baseUrl"),
});
const trial = new Cluster(
  "sandbox-linux",
  { name: "Linux", description: "For trials" },
  { provider: sandbox },
);

// A child takes its parent's provider.
new Queue("sandbox-default", { clusterId: trial, key: "default" }, { parent: trial });

// Lookups take the same option.
const { clusters } = getClustersOutput({}, { provider: sandbox, dependsOn: [trial] });

export const organizations = [linux.organization, trial.organization];
export const sandboxClusters = clusters.apply((found) => found.map(({ name }) => name));
