import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { packPackage } from "./npm-registry.js";
import { Project } from "./project.js";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

let directory: string;
let project: Project;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "buildpipeline-adopt-"));
  project = await Project.start(undefined, { seed: false }, directory);
});
afterAll(async () => {
  await project?.close();
  rmSync(directory, { recursive: true, force: true });
});

test("The next steps that adopt prints import the organization when they are pasted, and Git ignores import.json", async () => {
  const { organization, url, accessToken } = project.emulator;
  await project.colleague.sends("POST", "/clusters", { name: "Linux" });
  await project.colleague.sends("POST", "/teams", { name: "Platform", privacy: "visible" });
  // The settings are those of another project's stack.
  project.write("Pulumi.yaml", "name: settings\nruntime: nodejs\n");
  await project.newStack("shared");
  await project.pulumi("config", "set", "buildpipeline:organization", organization);
  await project.pulumi("config", "set", "buildpipeline:baseUrl", url);
  await project.shell("pulumi config set --secret buildpipeline:accessToken", accessToken);
  project.forget("BUILDPIPELINE_BASE_URL", "BUILDPIPELINE_ORGANIZATION", "BUILDPIPELINE_ACCESS_TOKEN");
  await project.shell(`env -u NODE_OPTIONS npm install --no-audit --no-fund ${packPackage(directory)}`);
  project.withoutInstalledCommands();

  const printed = await project.shell("npx --no-install pulumi-buildpipeline adopt 'our infrastructure'");
  const steps = /Next:\n((?: {2}.+\n)+)/.exec(printed)?.[1] ?? "";
  expect(steps.split("\n").map((line) => line.trim())).toContain("npm install");
  // Who pastes them answers the question of `pulumi import`.
  await project.shell(`unset NODE_OPTIONS; export PULUMI_SKIP_CONFIRMATIONS=true\n${steps}`);

  const { deployment } = JSON.parse(await project.shell("cd 'our infrastructure' && pulumi stack export"));
  const types = deployment.resources.map(({ type }: { type: string }) => type.split(":").at(-1));
  expect(types).toEqual(expect.arrayContaining(["Cluster", "Team"]));
  const tracked = await project.shell(
    "cd 'our infrastructure' && git init --quiet && git add . && git ls-files",
  );
  expect(tracked).toContain("index.ts");
  expect(tracked).not.toContain("import.json");
});
