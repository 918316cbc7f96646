import * as pulumi from "@pulumi/pulumi";
import {
  Cluster,
  ClusterMaintainer,
  ClusterSecret,
  Pipeline,
  PipelineSchedule,
  Suite,
  Team,
  TeamMember,
  TeamPipeline,
  TeamSuite,
} from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });
const storefront = new Pipeline("storefront", {
  name: "Storefront",
  repository: "git@github.com:acme/storefront.git",
  clusterId: linux,
  defaultBranch: "main",
  cancelRunningBranchBuilds: true,
  providerSettings: { triggerMode: "code" },
});
new PipelineSchedule("nightly", {
  pipelineId: storefront,
  label: "Nightly",
  cronline: "0 3 * * *",
  message: "Nightly build",
});

// The API never returns the value. State keeps it encrypted.
new ClusterSecret("deploy-key", {
  clusterId: linux,
  key: "DEPLOY_KEY",
  value: new pulumi.Config().requireSecret("deployKey"),
});

// One team owns all of it.
const platform = new Team("platform", { name: "Platform" });
const unit = new Suite("unit", { name: "Unit tests", defaultBranch: "main" });
new ClusterMaintainer("platform-linux", { clusterId: linux, teamId: platform });
new TeamPipeline("platform-storefront", {
  teamId: platform,
  pipelineId: storefront,
  accessLevel: "manage_build_and_read",
});
new TeamSuite("platform-unit", { teamId: platform, suiteId: unit, accessLevel: ["read", "edit"] });
new TeamMember("ada", {
  teamId: platform,
  userId: new pulumi.Config().require("userId"),
  role: "maintainer",
});
