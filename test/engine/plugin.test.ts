import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "./ending.js";
import { KillableProject, until } from "./killable-project.js";
import { isAlive } from "./processes.js";
import { Project } from "./project.js";

const PLUGIN = join(CHECKOUT, "plugin");
const EXECUTABLE = join(PLUGIN, "pulumi-resource-buildpipeline");

test("The schema passes the checks of Pulumi's own command, and is the file in the repository", async () => {
  const project = await Project.start();
  project.declare("");
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
  const killable = await KillableProject.start("plugin");
  killable.program('new Cluster("linux", { name: "Linux" });');
  const rateLimited = { resetSeconds: 600 } as const;
  killable.project.emulator.fault({ operation: "clusters.create", action: { rateLimited } });
  const engine = await killable.upUntil("clusters.create");
  const plugins = killable.providers(engine);
  expect(plugins).not.toEqual([]);

  process.kill(engine.pid, "SIGINT");
  await engine.ended;
  await until(() => !plugins.some(({ pid }) => isAlive(pid)));
  expect((await killable.project.inventory())["/clusters"]).toEqual([]);
});
