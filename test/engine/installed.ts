import { join } from "node:path";
import { expect } from "vitest";
import { SECRETS_PROVIDER } from "./key-service.js";
import type { Project } from "./project.js";

type Pulumi = (...args: readonly string[]) => Promise<string>;

/** Imports a cluster with Pulumi's own command, which the plugin serves by name. */
function importByName(pulumi: Pulumi): Promise<string> {
  const flags = ["--yes", "--generate-code=false", "--protect=false"];
  return pulumi("import", "buildpipeline:index:Cluster", "mac", "Mac", ...flags);
}

/**
 * Runs preview, up, refresh, import and destroy on a quickstart whose packages are installed.
 *
 * @param importing Imports the cluster `Mac` as `mac`. Default: by name.
 * @param folder of the program, below the project's directory
 */
export async function runEveryCommand(
  project: Project,
  importing: (pulumi: Pulumi) => Promise<string> = importByName,
  folder = ".",
): Promise<void> {
  const pulumi: Pulumi = (...args) => project.pulumi("--cwd", folder, ...args);
  await pulumi("stack", "init", "test", "--secrets-provider", SECRETS_PROVIDER);
  expect(await pulumi("preview")).toContain("+ 13 to create");
  const deployed = await pulumi("up", "--yes", "--skip-preview");
  expect(deployed).not.toContain("using pulumi-resource-buildpipeline from $PATH");
  expect((await project.inventory())["/clusters"]).toEqual(["Linux", "Production"]);
  await pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");

  await project.colleague.sends("POST", "/clusters", { name: "Mac" });
  expect(await importing(pulumi)).toContain("= 1 imported");
  await pulumi("destroy", "--yes", "--skip-preview");
  expect(Object.values(await project.inventory()).flat()).toEqual([]);
}

/** Imports a cluster into a stack of the dynamic backend, by the command of the installed package. */
export async function importByCommand(project: Project, folder = "."): Promise<string> {
  const program = join(folder, "index.ts");
  project.write(program, `${project.read(program)}\nnew Cluster("mac", { name: "Mac" });\n`);
  return project.shell(`cd ${folder} && npx --no-install pulumi-buildpipeline import Cluster mac Mac --yes`);
}
