import { execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { schemaOf } from "../../tools/generate/schema.js";
import { isWhole } from "../support/cases.js";
import { CHECKOUT, readJson, testFolder } from "../support/checkout.js";

const [, present = ""] = /github\.com\/(.+)\.git$/.exec(readJson("package.json").repository.url) ?? [];

test.runIf(isWhole)("One command writes the owner and the repository into every address", async () => {
  // The compiler takes seconds for it.
  const { described, quickstart } = await import("../examples/described.js");
  const directory = testFolder();
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const files = git(CHECKOUT, "grep", "-lI", present).trim().split("\n");
  for (const file of files) cpSync(join(CHECKOUT, file), join(directory, file));
  git(directory, "init", "-q");
  git(directory, "add", "-A");

  const script = join(CHECKOUT, "tools", "release", "owner.mjs");
  execFileSync(process.execPath, [script, "acme", "pulumi-ci"], { cwd: directory, encoding: "utf8" });

  const left = files.filter((file) => readFileSync(join(directory, file), "utf8").includes(present));
  expect(left).toEqual([]);
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const { repository, bugs, homepage } = manifest;
  expect(repository.url).toBe("git+https://github.com/acme/pulumi-ci.git");
  expect(bugs).toBe("https://github.com/acme/pulumi-ci/issues");
  // Messages then name pages by their address.
  expect(homepage).toBe("https://github.com/acme/pulumi-ci#readme");
  const schema = JSON.parse(readFileSync(join(directory, "plugin/schema.json"), "utf8"));
  const generated = schemaOf(described, manifest, quickstart);
  // An example for Go imports from the repository.
  expect(schema).toEqual(JSON.parse(JSON.stringify(generated).replaceAll(present, "acme/pulumi-ci")));
  expect(Object.keys(schema)).toEqual(Object.keys(generated));
  expect(schema.pluginDownloadURL).toBe("github://api.github.com/acme/pulumi-ci");
  expect(readFileSync(join(directory, "examples/quickstart-go/main.go"), "utf8")).toContain(
    '"github.com/acme/pulumi-ci/sdk/go/buildpipeline"',
  );
});
