import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { descendants, isAlive } from "./processes.js";
import { Project } from "./project.js";

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
