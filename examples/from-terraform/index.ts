import {
  AgentToken,
  Cluster,
  ClusterDefaultQueue,
  Pipeline,
  PipelineSchedule,
  PipelineTemplate,
  Queue,
  Suite,
  Team,
  TeamPipeline,
} from "pulumi-buildpipeline";
import { terraformImports } from "./terraform";

// Declares the resources that Terraform manages. Terraform's state has the import name of each; nothing is created.
// After the deployment, remove the resources from Terraform's state, and remove the `import` options here.
//
// To try it, `prepare.mts` makes such objects and a terraform-state.json: node prepare.mts
const from = terraformImports("terraform-state.json");

const linux = new Cluster(
  "linux",
  { name: "Linux", emoji: ":penguin:", color: "#14cc80" },
  { import: from("buildkite_cluster.linux") },
);

// Terraform's `for_each` becomes a loop.
const queues = Object.fromEntries(
  ["small", "large"].map((key) => [
    key,
    new Queue(
      `linux-${key}`,
      { clusterId: linux, key },
      { import: from(`buildkite_cluster_queue.linux["${key}"]`) },
    ),
  ]),
);

// A default queue is not imported: declaring it sets the same queue again.
new ClusterDefaultQueue("linux-default", { clusterId: linux, queueId: queues.small.id });

new AgentToken(
  "farm",
  { clusterId: linux, description: "Build farm", allowedIpAddresses: ["10.20.0.0/16"] },
  { import: from("buildkite_cluster_agent_token.farm") },
);

new PipelineTemplate(
  "node",
  { name: "Node", configuration: "steps:\n  - command: npm test\n", available: true },
  { import: from("buildkite_pipeline_template.node") },
);

// Terraform's values in capitals are lower case here.
const platform = new Team(
  "platform",
  {
    name: "Platform",
    privacy: "visible",
    isDefaultTeam: false,
    defaultMemberRole: "maintainer",
    membersCanCreatePipelines: true,
  },
  { import: from("module.teams.buildkite_team.platform") },
);

// Terraform's `steps` are `configuration`, and its timeouts and filters have the API's names.
const storefront = new Pipeline(
  "storefront",
  {
    name: "Storefront",
    repository: "git@github.com:acme/storefront.git",
    slug: "shop",
    clusterId: linux,
    configuration: "steps:\n  - command: make test\n",
    defaultBranch: "main",
    defaultCommandStepTimeout: 30,
    cancelRunningBranchBuilds: true,
    cancelRunningBranchBuildsFilter: "!main",
    providerSettings: { triggerMode: "code", buildTags: true },
    tags: ["team:web", "tier:1"],
  },
  { import: from("buildkite_pipeline.storefront") },
);

new PipelineSchedule(
  "nightly",
  {
    pipelineId: storefront,
    label: "Nightly",
    cronline: "0 3 * * * Europe/Berlin",
    branch: "main",
    env: { FULL: "true" },
  },
  { import: from("buildkite_pipeline_schedule.nightly") },
);

new TeamPipeline(
  "platform-storefront",
  { teamId: platform, pipelineId: storefront, accessLevel: "manage_build_and_read" },
  { import: from("buildkite_pipeline_team.platform_storefront") },
);

new Suite("unit", { name: "Unit", defaultBranch: "main" }, { import: from("buildkite_test_suite.unit") });
