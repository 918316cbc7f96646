import { Cluster, Pipeline, Team, TeamPipeline } from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });
const platform = new Team("platform", { name: "Platform" });
const storefront = new Pipeline("storefront", {
  name: "Storefront",
  repository: "git@github.com:acme/storefront.git",
  clusterId: linux,
});

const access = new TeamPipeline("platform-storefront", {
  teamId: platform,
  pipelineId: storefront,
  accessLevel: "build_and_read",
});

export const accessId = access.id;
