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
} from "pulumi-buildpipeline/native";

// Two clusters: machines that build, and machines that may deploy.
const linux = new Cluster("linux", {
  name: "Linux",
  description: "Builds and tests",
  emoji: ":penguin:",
  color: "#14cc80",
});
const production = new Cluster("production", {
  name: "Production",
  description: "Deployments only",
  emoji: ":rocket:",
  color: "#ff5d2b",
});

// A queue belongs to the cluster that it names. Pulumi deletes it before its cluster, with a separate request.
const small = new Queue("small", { clusterId: linux, key: "small", description: "2 cores, for most jobs" });
new Queue("large", { clusterId: linux, key: "large", description: "16 cores, for release builds" });
new Queue("deploy", {
  clusterId: production,
  key: "deploy",
  description: "One deployment at a time",
  dispatchPaused: true,
  dispatchPausedNote: "Paused until the first release",
});

// Agents that name no queue take jobs from this one.
new ClusterDefaultQueue("linux-default", { clusterId: linux, queueId: small.id });

// The API returns a token's secret once. State keeps it encrypted.
const builders = new AgentToken("builders", { clusterId: linux, description: "Agents of the build farm" });
new AgentToken("deployers", {
  clusterId: production,
  description: "Agents in the deployment network",
  allowedIpAddresses: ["10.20.0.0/16", "192.0.2.7"],
  triggers: { rotated: "2026-11" },
});

new PipelineTemplate("node-service", {
  name: "Node service",
  description: "Test and package a Node service",
  configuration: {
    steps: [
      { label: ":node: Test", command: "npm ci && npm test", agents: { queue: "small" } },
      "wait",
      { label: ":package: Package", command: "npm pack", agents: { queue: "large" } },
    ],
  },
  available: true,
});

// The jobs of its builds wait in the queue that the step names. Without `onDelete`, a deletion archives the pipeline.
const shop = new Pipeline("web-shop", {
  name: "Web shop",
  repository: "git@github.com:acme/web-shop.git",
  clusterId: linux,
  configuration: { steps: [{ label: ":hammer: Test", command: "make test", agents: { queue: "small" } }] },
  defaultBranch: "main",
  tags: ["team:web"],
  onDelete: "delete",
});
new PipelineSchedule("nightly", {
  pipelineId: shop,
  label: "Nightly",
  cronline: "0 3 * * * Europe/Berlin",
  env: { FULL: "true" },
});

const platform = new Team("platform", {
  name: "Platform",
  description: "Owns the build machines",
  defaultMemberRole: "maintainer",
  membersCanCreatePipelines: true,
});
new Team("everyone", { name: "Everyone", isDefaultTeam: true });

const unitTests = new Suite("unit-tests", {
  name: "Unit tests",
  defaultBranch: "main",
  teamIds: [platform.id],
  emoji: ":test_tube:",
});

export const clusterIds = { linux: linux.id, production: production.id };
export const agentToken = builders.token;
export const suiteApiToken = unitTests.apiToken;
