import { afterAll, beforeAll, expect } from "vitest";
import { Project } from "./project.js";

/** Twelve resources with a mistake each, and the message about it without the value and with it. */
export const MISTAKES: readonly (readonly [name: string, text: string, value: string])[] = [
  ["blank", "Cluster.name: {}is blank; expected text of at least one character.", '" "'],
  ["green", 'Cluster.color: {}is not a hex color code such as "#14cc80".', '"green-value"'],
  ["penguin", "Cluster.emoji: {}is not in emoji syntax; expected an emoji name", '"penguin-value"'],
  ["spaced", "Queue.key: {}has characters that a key cannot have; ", '"key value"'],
  ["nowhere", "Queue.clusterId: {}is not a UUID; expected the UUID of a cluster", '"cluster-value"'],
  ["paused", "Queue.dispatchPaused: {}is a string; expected true or false.", '"yes-value"'],
  [
    "network",
    "AgentToken.allowedIpAddresses[1]: {}is not an IPv4 network in CIDR notation; ",
    '"network-value"',
  ],
  ["unnamed", "AgentToken.description: is required. Give text of at least one character.", ""],
  [
    "yaml",
    "PipelineTemplate.configuration: is not valid YAML at line 3, column 1 (BAD_INDENT){}; ",
    '": "  - yaml-value: ["',
  ],
  [
    "public",
    'Team.privacy: {}is not one of the allowed values; expected "visible" or "secret".',
    '"public-value"',
  ],
  ["teams", "Suite.teamIds[0]: {}is not a UUID; expected a list of the UUIDs of teams.", '"team-value"'],
  ["misspelt", "Suite.applicatonName: there is no such argument. Did you mean applicationName?", ""],
];
export const SECRET = ["green", "spaced", "network", "yaml", "public", "teams"];

export const PROGRAM = `
  const pulumi = require("@pulumi/pulumi");
  const { AgentToken, Cluster, Queue, PipelineTemplate, Team, Suite } = require("pulumi-buildpipeline");
  const some = (value) => (process.env.WITH_SECRETS ? pulumi.secret(value) : value);
  new Cluster("blank", { name: " " });
  new Cluster("green", { name: "Green", color: some("green-value") });
  const linux = new Cluster("penguin", { name: "Linux", emoji: pulumi.output("penguin-value") });
  new Queue("spaced", { clusterId: linux, key: some("key value") });
  new Queue("nowhere", { clusterId: Promise.resolve("cluster-value"), key: "q" });
  new Queue("paused", { clusterId: linux.id, key: "paused", dispatchPaused: "yes-value" });
  const networks = ["10.0.0.0/8", some("network-value")];
  new AgentToken("network", { clusterId: linux, description: "d", allowedIpAddresses: networks });
  new AgentToken("unnamed", { clusterId: linux });
  new PipelineTemplate("yaml", { name: "YAML", configuration: some("steps:\\n  - yaml-value: [\\n") });
  new Team("public", { name: "Public", privacy: some("public-value") });
  new Suite("teams", { name: "Teams", defaultBranch: "main", teamIds: [some("team-value")] });
  new Suite("misspelt", { name: "Misspelt", defaultBranch: "main", applicatonName: "x" });
  new Team("good", { name: "Good" });
`;

export const CONFLICTS = `
  const { Cluster, ClusterDefaultQueue, Queue, PipelineTemplate, Team, Suite } = require("pulumi-buildpipeline");
  const linux = new Cluster("linux", { name: "Linux" });
  new Cluster("linux-twin", { name: "Linux" });
  const fast = new Queue("fast", { clusterId: linux, key: "fast" });
  new Queue("fast-twin", { clusterId: linux.id, key: "fast" });
  new Queue("fast-elsewhere", { clusterId: new Cluster("mac", { name: "Mac" }), key: "fast" });
  new ClusterDefaultQueue("default", { clusterId: linux, queueId: fast.id });
  new ClusterDefaultQueue("default-twin", { clusterId: linux, queueId: fast.id });
  new Team("team", { name: "Plat Form" });
  new Team("team-twin", { name: "plat-form" });
  new Suite("suite", { name: "Unit", defaultBranch: "main" });
  new Suite("suite-twin", { name: "unit!", defaultBranch: "main" });
  new PipelineTemplate("template", { name: "Node", configuration: "steps: []" });
  new PipelineTemplate("template-twin", { name: "Node", configuration: "steps: []" });
  new Cluster("adopted", { name: "Shared" }, { import: "Shared" });
  new Cluster("adopted-twin", { name: "Shared" }, { import: "Shared" });
`;

/** What only the service knows to be in the way, and beside it a mistake that the program itself can see. */
export const OBSTACLES = `
  const pulumi = require("@pulumi/pulumi");
  const { AgentToken, Cluster, Queue, Team } = require("pulumi-buildpipeline");
  const clusterId = process.env.CLUSTER;
  const late = { clusterId: "11111111-2222-4333-8444-555555555555", key: "late" };
  new Cluster("good", { name: "Good" }).name.apply(async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    new Queue("late", late);
  });
  new Queue("small", { clusterId, key: "small" });
  new Queue("large", { clusterId, key: "large" });
  new Queue("gone", { clusterId: "22222222-2222-4333-8444-555555555555", key: "gone" });
  new AgentToken("gone-too", { clusterId: "22222222-2222-4333-8444-555555555555", description: "gone" });
  new Queue("gone-as-well", { clusterId: "22222222-2222-4333-8444-555555555555", key: "other" });
  new Team("taken", { name: "Platform" });
  new Cluster("differs", { name: "Shared", description: "public-value" }, { import: "Shared" });
  new Queue("differs-in-secret", { clusterId, key: "third", description: pulumi.secret("secret-value") }, { import: "Shared/third" });
  new Cluster("nothing", { name: "Sharde" }, { import: "Sharde" });
  new Cluster("adopted", { name: "Other" }, { import: "Other" });
  new Cluster("green", { name: "Green", color: "green-value" });
`;

/** A project for all tests of a file, on a service that has a cluster with queues and a team already. */
export function mistakenProject() {
  let project: Project;
  let clusterId = "";
  beforeAll(async () => {
    project = await Project.start(undefined, { seed: false });
    project.declare("");
    await project.newStack();
    const { colleague } = project;
    const shared = await colleague.sends("POST", "/clusters", { name: "Shared" });
    clusterId = String(shared.id);
    await colleague.sends("POST", "/clusters", { name: "Other" });
    for (const key of ["small", "large", "third"]) {
      await colleague.sends("POST", `/clusters/${clusterId}/queues`, { key });
    }
    await colleague.sends("POST", "/teams", {
      name: "Platform",
      privacy: "visible",
      is_default_team: false,
      default_member_role: "member",
      members_can_create_pipelines: false,
    });
    project.emulator.clearRequests();
  });
  afterAll(() => project?.close());

  /** What a command prints that must fail, and must send nothing but reads. */
  const refused = async (command: string): Promise<string> => {
    const printed = await project.shell(`if ${command} 2>&1; then echo "it succeeded"; fi`);
    expect(printed).not.toContain("it succeeded");
    // Without a terminal, the CLI prints each message as it comes, and once more in the end.
    const output = printed.slice(printed.indexOf("Diagnostics:"));
    expect(output).not.toMatch(/\n\s+at /);
    expect(project.writes()).toEqual([]);
    return output;
  };
  const times = (output: string, text: string) => output.split(text).length - 1;
  return { project: () => project, clusterId: () => clusterId, refused, times };
}
