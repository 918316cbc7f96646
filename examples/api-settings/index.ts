import { ApiSettings } from "pulumi-buildpipeline";

// The address of the machine that deploys. Without it, the list would lock out each deployment.
const DEPLOYMENTS = "198.51.100.7";

// Only what stands here is managed. The rest stays as people set it in the web interface.
new ApiSettings("api", {
  allowedIpAddresses: ["192.0.2.0/24", DEPLOYMENTS],
  reachableFrom: DEPLOYMENTS,
  restrictUserApiTokenCreation: true,
});
