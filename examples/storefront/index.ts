import * as pulumi from "@pulumi/pulumi";
import {
  ApiSettings,
  Cluster,
  ClusterMaintainer,
  ClusterSecret,
  NotificationService,
  OrganizationRule,
  Pipeline,
  PipelineSchedule,
  PipelineSettings,
  Suite,
  Team,
  TeamMember,
  TeamPipeline,
  TeamSuite,
} from "pulumi-buildpipeline";

const linux = new Cluster("linux", { name: "Linux" });

// A team, its people, and the cluster that it looks after.
const shop = new Team("shop", { name: "Shop" });
new TeamMember("ben", { teamId: shop, userId: "f1df70ad-95d1-59d2-a823-b920381c047d", role: "maintainer" });
new ClusterMaintainer("shop-linux", { clusterId: linux, teamId: shop });

// The pipeline reads its steps from the repository that it builds.
const storefront = new Pipeline("storefront", {
  name: "Storefront",
  repository: "git@github.com:acme/storefront.git",
  clusterId: linux,
  defaultBranch: "main",
  skipQueuedBranchBuilds: true,
  // Deletes its builds and logs too. Leave this out in production, where a deletion archives the pipeline.
  onDelete: "delete",
});
new PipelineSchedule("nightly", {
  pipelineId: storefront,
  cronline: "0 3 * * * Europe/Berlin",
  label: "Nightly",
  env: { FULL: "true" },
});
new TeamPipeline("shop-storefront", {
  teamId: shop,
  pipelineId: storefront,
  accessLevel: "build_and_read",
});

const unit = new Suite("unit", { name: "Storefront unit tests", defaultBranch: "main" });
new TeamSuite("shop-unit", { teamId: shop, suiteId: unit, accessLevel: ["read", "edit"] });

// What holds for the whole organization: only what stands here is managed.
new PipelineSettings("pipelines", { defaultClusterId: linux, maximumTimeoutInMinutes: 240 });
new ApiSettings("api", { restrictUserApiTokenCreation: true });

// Only this pipeline's builds of one branch may read it.
new ClusterSecret("deploy-key", {
  clusterId: linux,
  key: "DEPLOY_KEY",
  value: new pulumi.Config().requireSecret("deployKey"),
  policy: [{ pipeline_slug: "storefront", build_branch: "main" }],
});

// A dashboard hears when builds of this pipeline end.
new NotificationService("dashboard", {
  provider: "webhook",
  scope: "some_projects",
  scopeIds: [storefront],
  settings: { url: "https://dashboard.example.com/builds", events: ["build.finished"] },
  description: "Dashboard of the storefront",
});

// Its builds of the main branch, and no others, may trigger the deployment.
const deploy = new Pipeline("deploy", {
  name: "Deploy",
  repository: "git@github.com:acme/deploy.git",
  clusterId: linux,
  onDelete: "delete",
});
new OrganizationRule("storefront-deploys", {
  type: "pipeline.trigger_build.pipeline",
  sourcePipelineId: storefront,
  targetPipelineId: deploy,
  conditions: ["source.build.branch == 'main'"],
});

export const pipelineSlug = storefront.slug;
