import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { tokensOf } from "../stories/histories/rotation-program.js";
import { blockMarked } from "./documents.js";

const directory = mkdtempSync(join(tmpdir(), "buildpipeline-rotation-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** What the component declares in a generation, as far as both patterns decide it. */
const expected = (generation: number) =>
  tokensOf(generation).map(({ name }, index, all) => ({
    name,
    generation: generation - all.length + 1 + index,
  }));

/** Stand-ins for both Python modules, which print what the program declares. */
const MODULES = {
  "pulumi.py": `
import os
class Config:
    def require_int(self, key):
        return int(os.environ[key])
def export(name, value):
    print("export", value)
`,
  "pulumi_buildpipeline.py": `
import types
def Cluster(resource_name, **args):
    return types.SimpleNamespace(id="cluster")
def AgentToken(resource_name, *, cluster_id, description, triggers):
    print("token", resource_name, triggers["generation"], description)
    return types.SimpleNamespace(token=resource_name)
`,
};

function hasPython(): boolean {
  try {
    execFileSync("python3", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    process.stderr.write("python3 is not on the PATH: a test was skipped.\n");
    return false;
  }
}

test.skipIf(!hasPython()).each([1, 2, 3, 8])(
  "The two tokens in Python are the component's in generation %i",
  (generation) => {
    for (const [file, text] of Object.entries(MODULES)) writeFileSync(join(directory, file), text);
    writeFileSync(join(directory, "__main__.py"), blockMarked("file", "rotation-python/__main__.py").text);
    const env = { ...process.env, tokenGeneration: String(generation), PYTHONDONTWRITEBYTECODE: "1" };
    const printed = execFileSync("python3", ["__main__.py"], { cwd: directory, encoding: "utf8", env });
    const lines = expected(generation).map(
      ({ name, generation: own }) => `token ${name} ${own} Agents #${own}`,
    );
    expect(printed.trim().split("\n")).toEqual([...lines, `export ${expected(generation).at(-1)?.name}`]);
  },
);

test("The two tokens in YAML are the component's, with a configuration value each", () => {
  const { config, resources, outputs } = parse(blockMarked("file", "rotation-yaml/Pulumi.yaml").text);
  const names = expected(2).map(({ name }) => name);
  expect(Object.keys(resources)).toEqual(["linux", ...names]);
  const values = Object.keys(config);
  expect(values.map((value) => config[value].default)).toEqual([1, 2]);
  expect(outputs).toEqual(Object.fromEntries(values.map((value) => [value, `$\{farm-${value}.token}`])));
  for (const value of values) {
    expect(resources[`farm-${value}`]).toEqual({
      type: "buildpipeline:AgentToken",
      properties: {
        clusterId: `$\{linux.id}`,
        description: `Agents #$\{${value}}`,
        triggers: { generation: `$\{${value}}` },
      },
    });
  }
});
