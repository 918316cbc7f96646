import { join } from "node:path";
import { expect } from "vitest";
import type { Backend } from "./backends.js";
import { objectsOf } from "./every-kind.js";
import { SECRETS_PROVIDER } from "./key-service.js";
import type { Project } from "./project.js";

/**
 * Runs preview, up, refresh, import and destroy on a quickstart whose packages are installed.
 *
 * @param folder of the program, below the project's directory
 */
export async function runEveryCommand(
  project: Project,
  backend: Backend = "plugin",
  folder = ".",
): Promise<void> {
  project.withoutInstalledCommands();
  const pulumi = (...args: readonly string[]) => project.pulumi("--cwd", folder, ...args);
  await pulumi("stack", "init", "test", "--secrets-provider", SECRETS_PROVIDER);
  expect(await pulumi("preview")).toContain("+ 15 to create");
  const deployed = await pulumi("up", "--yes", "--skip-preview");
  expect(deployed).not.toContain("using pulumi-resource-buildpipeline from $PATH");
  expect((await project.inventory())["/clusters"]).toEqual(["Linux", "Production"]);
  await pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");

  await project.colleague.sends("POST", "/clusters", { name: "Mac" });
  const flags = ["--yes", "--generate-code=false", "--protect=false"];
  // The plugin serves Pulumi's own command by name. The dynamic backend has the package's command.
  const imported =
    backend === "plugin"
      ? pulumi("import", "buildpipeline:index:Cluster", "mac", "Mac", ...flags)
      : importByCommand(project, folder);
  expect(await imported).toContain("= 1 imported");
  await pulumi("destroy", "--yes", "--skip-preview");
  expect(objectsOf(project.emulator)).toEqual([]);
}

/** Deploys what a stack's project has, which then is unchanged, and destroys it. */
export async function deploys(
  project: Project,
  clusters: readonly string[],
  environment = "",
): Promise<void> {
  const pulumi = (command: string) => project.shell(`${environment} pulumi ${command}`);
  await pulumi("up --yes --skip-preview");
  expect((await project.inventory())["/clusters"]).toEqual(clusters);
  await pulumi("preview --expect-no-changes");
  await pulumi("destroy --yes --skip-preview");
  expect(objectsOf(project.emulator)).toEqual([]);
}

function importByCommand(project: Project, folder: string): Promise<string> {
  const program = join(folder, "index.ts");
  project.write(program, `${project.read(program)}\nnew Cluster("mac", { name: "Mac" });\n`);
  return project.shell(`cd ${folder} && npx --no-install pulumi-buildpipeline import Cluster mac Mac --yes`);
}
