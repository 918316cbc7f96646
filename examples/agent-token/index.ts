import * as pulumi from "@pulumi/pulumi";
import { AgentToken, Cluster } from "pulumi-buildpipeline";

const config = new pulumi.Config();
const linux = new Cluster("linux", { name: "Linux" });

// A change of any trigger rotates the token: a new one is created first, the old one is revoked afterwards.
// To rotate: pulumi config set tokenRotated 2027-01 && pulumi up
const farm = new AgentToken("farm", {
  clusterId: linux,
  description: "Agents of the build farm",
  allowedIpAddresses: ["10.20.0.0/16", "192.0.2.7"],
  triggers: { rotated: config.get("tokenRotated") ?? "2026-11" },
});

// The API returns the secret once. State keeps it encrypted, and Pulumi prints it as [secret] until you ask for it:
// pulumi stack output agentToken --show-secrets
export const agentToken = farm.token;
