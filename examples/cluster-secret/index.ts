import * as pulumi from "@pulumi/pulumi";
import { Cluster, ClusterSecret } from "pulumi-buildpipeline";

const config = new pulumi.Config();
const linux = new Cluster("linux", { name: "Linux" });

// Encrypted in the state, masked in every output, and never returned by the API.
const deployKey = new ClusterSecret("deploy-key", {
  clusterId: linux,
  key: "DEPLOY_KEY",
  value: config.requireSecret("deployKey"),
  description: "Deploys the storefront",
  policy: [{ pipeline_slug: "storefront", build_branch: "main" }],
});

export const key = deployKey.key;
