import { Cluster, Pipeline, Team, TeamPipeline } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });
const web = new Team("web", { name: "Web" });
const quality = new Team("quality", { name: "Quality" });
const storefront = new Pipeline("storefront", {
  name: "Storefront",
  repository: "git@github.com:acme/storefront.git",
  clusterId: linux,
  // Deletes its builds and logs too. Leave this out in production, where a deletion archives the pipeline.
  onDelete: "delete",
});

// The web team changes the pipeline, and the other one builds it.
new TeamPipeline("web", { teamId: web, pipelineId: storefront, accessLevel: "manage_build_and_read" });
new TeamPipeline("quality", { teamId: quality, pipelineId: storefront, accessLevel: "build_and_read" });
