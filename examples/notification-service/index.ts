import * as pulumi from "@pulumi/pulumi";
import { Cluster, NotificationService, Pipeline } from "pulumi-buildpipeline";

const config = new pulumi.Config();
const linux = new Cluster("linux", { name: "Linux" });
const storefront = new Pipeline("storefront", {
  name: "Storefront",
  repository: "https://github.com/acme/storefront.git",
  clusterId: linux,
  onDelete: "delete",
});

// Without `scope`, the API would send it what happens in the whole organization.
const dashboards = new NotificationService("dashboards", {
  provider: "webhook",
  scope: "some_projects",
  scopeIds: [storefront],
  settings: { url: "https://ci.example.com/events", events: ["build.finished"] },
  secretSettings: { token: config.requireSecret("webhookToken") },
  description: "Dashboards",
});

export const url = dashboards.url;
