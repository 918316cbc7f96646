import * as pulumi from "@pulumi/pulumi";
import { Cluster, ClusterSecret } from "pulumi-buildpipeline";

const config = new pulumi.Config();
const linux = new Cluster("linux", { name: "Linux" });

// The API never returns a value. If somebody changes it in the web interface, a refresh warns; then change a trigger:
// pulumi config set secretSent 2027-01 && pulumi up
const deployKey = new ClusterSecret("deploy-key", {
  clusterId: linux,
  key: "DEPLOY_KEY",
  value: config.requireSecret("deployKey"),
  description: "Deploys the shop",
  policy: [{ pipeline_slug: "storefront", build_branch: "main" }],
  triggers: { sent: config.get("secretSent") ?? "2026-11" },
});

export const deployKeyId = deployKey.id;
