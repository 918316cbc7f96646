import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import {
  AgentToken,
  Cluster,
  ClusterDefaultQueue,
  PipelineTemplate,
  Queue,
  Suite,
  Team,
} from "../../src/provider/native/index.js";
import { descendants, isAlive } from "./processes.js";
import { Project } from "./project.js";
import { TestStack } from "./stack.js";

const PLUGIN = join(__dirname, "..", "..", "plugin");
const EXECUTABLE = join(PLUGIN, "pulumi-resource-buildpipeline");

const PROGRAM = `const { Cluster } = require("pulumi-buildpipeline/native");
  new Cluster("linux", { name: "Linux" });`;

let project: Project;
beforeEach(async () => {
  project = await Project.start(undefined, { seed: false });
  project.declare(PROGRAM);
});
afterEach(() => project.close());

test("The schema passes the checks of Pulumi's own command, and is the file in the repository", async () => {
  await project.shell(
    `pulumi package get-schema ${EXECUTABLE} > schema.json && pulumi schema check schema.json`,
  );
  const { name, version, resources, functions } = JSON.parse(project.read("schema.json"));
  const file = JSON.parse(readFileSync(join(PLUGIN, "schema.json"), "utf8"));
  expect({ name, version }).toEqual({ name: file.name, version: file.version });
  expect(Object.keys(resources).sort()).toEqual(Object.keys(file.resources).sort());
  expect(Object.keys(functions).sort()).toEqual(Object.keys(file.functions).sort());
});

test("A cancelled deployment ends although the request limit is reached, and leaves no plugin behind", async () => {
  await project.newStack();
  const rateLimited = { resetSeconds: 600 } as const;
  project.emulator.fault({ operation: "clusters.create", action: { rateLimited } });
  const engine = project.engine("up", "--yes", "--skip-preview");
  const asked = () => project.emulator.requests.some(({ operation }) => operation === "clusters.create");
  await vi.waitUntil(asked, { timeout: 60_000, interval: 20 });
  const plugins = descendants(engine.pid).filter(({ command }) => command.includes("pulumi-resource-build"));
  expect(plugins).not.toEqual([]);

  process.kill(engine.pid, "SIGINT");
  await engine.ended;
  await vi.waitUntil(() => !plugins.some(({ pid }) => isAlive(pid)), { timeout: 60_000, interval: 20 });
  expect((await project.inventory())["/clusters"]).toEqual([]);
});

/** The resource types by the names that a person would import them by. */
const IMPORTED = {
  Cluster: "Main",
  Queue: "Main/linux",
  ClusterDefaultQueue: "Main",
  AgentToken: "Main/farm",
  PipelineTemplate: "Release",
  Team: "platform",
  Suite: "unit",
};

test("Every resource type is imported by name, and then nothing changes", async () => {
  const stack = await TestStack.start();
  onTestFinished(() => stack.close());
  const { colleague } = stack;
  const { id } = await colleague.sends("POST", "/clusters", { name: "Main" });
  const queue = await colleague.sends("POST", `/clusters/${id}/queues`, { key: "linux" });
  await colleague.sends("PUT", `/clusters/${id}`, { default_queue_id: queue.id });
  await colleague.sends("POST", `/clusters/${id}/tokens`, { description: "farm" });
  const template = { name: "Release", configuration: "steps: []\n", available: true };
  await colleague.sends("POST", "/pipeline-templates", template);
  await colleague.sends("POST", "/teams", {
    name: "Platform",
    description: "",
    privacy: "visible",
    is_default_team: false,
    default_member_role: "member",
    members_can_create_pipelines: false,
  });
  await colleague.sends("POST", "/suites", { name: "Unit", default_branch: "main" });
  stack.requests();

  const resources = Object.entries(IMPORTED).map(([kind, name]) => ({
    type: `buildpipeline:index:${kind}`,
    name: kind,
    id: name,
  }));
  await stack.importByName(resources);
  expect(Object.keys(await stack.state()).sort()).toEqual(Object.keys(IMPORTED).sort());
  const program = async () => {
    const main = new Cluster("Cluster", { name: "Main" });
    const linux = new Queue("Queue", { clusterId: main, key: "linux" });
    new ClusterDefaultQueue("ClusterDefaultQueue", { clusterId: main, queueId: linux.id });
    new AgentToken("AgentToken", { clusterId: main, description: "farm" });
    new PipelineTemplate("PipelineTemplate", template);
    new Team("Team", { name: "Platform" });
    new Suite("Suite", { name: "Unit", defaultBranch: "main" });
  };
  await stack.preview(program, { expectNoChanges: true });
  expect(stack.writes()).toEqual([]);
});
