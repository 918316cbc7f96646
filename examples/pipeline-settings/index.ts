import { Cluster, PipelineSettings } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });

// Only what stands here is managed. The rest stays as people set it in the web interface.
new PipelineSettings("pipelines", {
  defaultClusterId: linux,
  maximumTimeoutInMinutes: 4 * 60,
  scheduledJobExpiryInMinutes: 24 * 60,
  publicPipelineCreation: false,
});
