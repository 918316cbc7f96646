import { Cluster, Pipeline, PipelineSchedule } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });
const storefront = new Pipeline("storefront", {
  name: "Storefront",
  repository: "git@github.com:acme/storefront.git",
  clusterId: linux,
});

const nightly = new PipelineSchedule("nightly", {
  pipelineId: storefront,
  cronline: "0 3 * * * Europe/Berlin",
  label: "Nightly",
  branch: "main",
  message: "Nightly build",
  env: { FULL: "true" },
});

export const scheduleId = nightly.id;
