import { Cluster, Pipeline, PipelineSchedule } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });
const storefront = new Pipeline("storefront", {
  name: "Storefront",
  repository: "git@github.com:acme/storefront.git",
  clusterId: linux,
  // Deletes its builds and logs too. Leave this out in production, where a deletion archives the pipeline.
  onDelete: "delete",
});

// Builds run with the access of the user whose API access token creates the schedule.
const nightly = new PipelineSchedule("nightly", {
  pipelineId: storefront,
  label: "Nightly",
  cronline: "0 3 * * * Europe/Berlin",
  message: "Nightly build",
  env: { FULL: "true" },
});

export const schedule = nightly.id;
