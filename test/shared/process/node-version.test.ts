import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { someOf } from "../../support/cases.js";

const checkout = join(__dirname, "..", "..", "..");

/** Loads an entry in a process that takes itself for a Node of another version. */
function load(entry: string, version: string) {
  const versions = `{...process.versions, node: ${JSON.stringify(version)}}`;
  const program = `Object.defineProperty(process, "versions", {value: ${versions}}); require(${JSON.stringify(entry)});`;
  return spawnSync(process.execPath, ["-e", program], { cwd: checkout, encoding: "utf8" });
}

test.each(someOf(["index.js", "client/index.js", "provider/dynamic/index.js", "emulator/index.js"]))(
  "%s says which Node it needs, before anything fails for another reason",
  (entry) => {
    const path = join(checkout, "dist", entry);
    for (const old of ["20.20.2", "22.18.0"]) {
      const { stderr } = load(path, old);
      expect(stderr).toContain(`needs Node 22.19 or later; this is Node ${old}.`);
      expect(stderr, "a stack").not.toMatch(/^\s+at /m);
    }
    expect(load(path, "22.19.0")).toMatchObject({ status: 0, stderr: "" });
  },
);

test("A later Node is as good", () => {
  const path = join(checkout, "dist", "client", "index.js");
  expect(load(path, "26.0.0")).toMatchObject({ status: 0, stderr: "" });
});

test("A command says in one line what it needs", () => {
  expect(load(join(checkout, "dist", "commands", "main.js"), "20.20.2")).toMatchObject({
    status: 2,
    stderr: "buildpipeline: pulumi-buildpipeline needs Node 22.19 or later; this is Node 20.20.2.\n",
  });
});

test("The plugin's executable says in one line what it needs, and without its engine it ends", () => {
  const executable = join(checkout, "plugin", "pulumi-resource-buildpipeline");
  expect(load(executable, "20.20.2")).toMatchObject({
    status: 1,
    stderr: "pulumi-buildpipeline needs Node 22.19 or later; this is Node 20.20.2.\n",
  });
  const { status, stdout } = spawnSync(executable, ["127.0.0.1:1"], { encoding: "utf8" });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^\d+\n$/);
});
