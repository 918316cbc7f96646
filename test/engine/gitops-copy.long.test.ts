import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PROVIDED_VERSION } from "../../tools/dev/pulumi-cli/release.mjs";
import { writeCommand } from "../support/commands-on-path.js";
import { quickInstall } from "./quick-start.js";

const CHECKOUT = join(__dirname, "..", "..");

let directory: string;
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The commands of docs/guides/gitops.md that begin with a word, and what ci/install.sh then finds. */
function plays(first: string, folder: string): void {
  const bin = join(directory, "bin");
  // The CLI is there already.
  writeCommand(bin, "pulumi", `echo v${PROVIDED_VERSION}`);
  const node = join(process.execPath, "..");
  const shell = (command: string, cwd: string) =>
    execFileSync("bash", ["-euc", command], {
      cwd,
      env: { ...process.env, ...quickInstall, PATH: `${bin}:${node}:${process.env.PATH}` },
      stdio: ["ignore", "pipe", "pipe"],
    });
  const documented = readFileSync(join(CHECKOUT, "docs", "guides", "gitops.md"), "utf8");
  const commands = [...documented.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  const block = commands.find((text) => text.trim().startsWith(first)) ?? "";
  expect(block).toContain("npm install");
  // What prepares a release needs the checkout's tools; it is built already.
  shell(block.replace("npm pack --silent", "npm pack --silent --ignore-scripts"), folder);
  const project = join(directory, "ci");
  rmSync(join(project, "node_modules"), { recursive: true });
  shell("ci/install.sh", project);
  expect(existsSync(join(project, "node_modules", ".bin", "buildpipeline"))).toBe(true);
  expect(String(shell("git ls-files", project))).toMatch(/^ci\/nightly\.sh$/m);
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "gitops-copy-"));
  // The checkout next to the new folder. It has no packages of its own for the example.
  symlinkSync(CHECKOUT, join(directory, "pulumi-buildpipeline"));
});

test("a copy of examples/gitops installs by the commands of docs/guides/gitops.md, and its jobs by ci/install.sh", () => {
  plays("cp -R pulumi-buildpipeline/examples/gitops ci", directory);
});

test("a project that was there gets the scripts by the commands of docs/guides/gitops.md", () => {
  const project = join(directory, "ci");
  mkdirSync(project);
  const dependencies = {
    "@pulumi/pulumi": "^3.216.0",
    "pulumi-buildpipeline": "file:../pulumi-buildpipeline",
  };
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, dependencies }));
  writeFileSync(join(project, ".gitignore"), "node_modules/\nimport.json\n");
  plays("cp -R ../pulumi-buildpipeline/examples/gitops/ci", project);
  expect(readFileSync(join(project, ".gitignore"), "utf8")).toMatch(/^import\.json\n[\s\S]*^\/review\/$/m);
});
