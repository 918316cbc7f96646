import { beforeAll, describe, expect, test } from "vitest";
import { Project } from "./project.js";

/** Twelve resources with a mistake each, and the message about it without the value and with it. */
const MISTAKES: readonly (readonly [name: string, text: string, value: string])[] = [
  ["blank", "Cluster.name: {}is blank; expected text of at least one character.", '" "'],
  ["green", 'Cluster.color: {}is not a hex color code such as "#14cc80".', '"green-value"'],
  [
    "penguin",
    "Cluster.emoji: {}is neither in emoji syntax nor one emoji character; expected an emoji name",
    '"penguin-value"',
  ],
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
const SECRET = ["green", "spaced", "network", "yaml", "public", "teams"];

const PROGRAM = `
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

const CONFLICTS = `
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

describe("Mistakes in a program", () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.start();
    project.declare("");
    await project.newStack();
    await project.colleague.sends("POST", "/clusters", { name: "Shared" });
    project.emulator.clearRequests();
  });

  /** What a command prints that must fail, and must send nothing but reads. */
  const refused = async (command: string): Promise<string> => {
    const printed = await project.refused(command);
    // Without a terminal, the CLI prints each message as it comes, and once more in the end.
    const output = printed.slice(printed.indexOf("Diagnostics:"));
    expect(output).not.toMatch(/\n\s+at /);
    expect(project.writes()).toEqual([]);
    return output;
  };
  const times = (output: string, text: string) => output.split(text).length - 1;

  test("are reported without secret values", async () => {
    project.write("index.js", PROGRAM);
    const output = await refused("WITH_SECRETS=1 pulumi preview");
    for (const [name, text, value] of MISTAKES) {
      const shown = SECRET.includes(name) || value === "" ? "" : `${value} `;
      expect(output).toContain(`error: "${name}": ${text.replace("{}", shown)}`);
      expect(times(output, text.split(": ")[0] ?? ""), name).toBe(1);
    }
    expect(output).not.toMatch(/green-value|key value|network-value|yaml-value|public-value|team-value/);
  });

  test("end an update without a preview at the first one", async () => {
    project.write("index.js", PROGRAM);
    const output = await refused("pulumi up --yes --skip-preview");
    expect(output).toContain('error: "blank": Cluster.name: " " is blank');
    expect(times(output, "error: ")).toBe(1);
  });

  test("that only an output holds end an update, too, before anything more is registered", async () => {
    project.write(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");
       const { Cluster } = require("pulumi-buildpipeline");
       const bad = new Cluster("bad", { name: "Bad", color: Promise.resolve("green-value") });
       new Cluster("after", { name: "After", description: bad.name });
       setImmediate(() => setImmediate(() => setImmediate(() => new Cluster("later", { name: "Later" }))));`,
    );
    const output = await refused("pulumi up --yes --skip-preview");
    expect(times(output, 'error: "bad": Cluster.color: "green-value" is not a hex color code')).toBe(1);
    expect(times(output, "error: ")).toBe(1);
  });

  test("of resources that get in each other's way are reported before anything is written", async () => {
    project.write("index.js", CONFLICTS);
    const output = await refused("pulumi preview");
    for (const text of [
      'error: "fast-twin": Queue.key: "fast" is the key of "fast" in the same cluster already.',
      'error: "default-twin": ClusterDefaultQueue.clusterId: is the cluster whose default queue "default" sets already.',
      'error: "team-twin": Team.name: "plat-form" makes the same slug as the name of "team".',
      'error: "suite-twin": Suite.name: "unit!" makes the same slug as the name of "suite".',
      'error: "adopted-twin": Cluster.import: "Shared" is imported by "adopted" of this program already.',
      'warning: "linux-twin": Cluster.name: "Linux" is the name of "linux" already',
      'warning: "template-twin": PipelineTemplate.name: "Node" is the name of "template" already',
    ]) {
      expect(times(output, text), text).toBe(1);
    }
    expect(times(output, "error: ")).toBe(5);
  });
});
