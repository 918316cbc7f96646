import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { IMPORT_FILE } from "../../cli/pulumi/import-file.js";
import { packageJsonIn, settingsIn } from "../../cli/pulumi/project-folder.js";
import { type FoundSettings, SETTING_NAMES } from "../../cli/pulumi/project-settings.js";
import { IMPORT_COMMAND, importResources, type Project } from "../../cli/pulumi/pulumi.js";
import { agreed, note } from "../../cli/terminal/terminal.js";
import { CONFIG_NAMESPACE } from "../../shared/configuration/settings.js";
import { shellPath, shellWord } from "../../shared/messages/quoted.js";
import type { Adoption } from "./adoption.js";
import { pluginIn } from "./languages/project-files.js";
import { dependencyFor } from "./package-source.js";

/** Returns the commands that import adopted objects into stacks, ready to paste into a shell. */
export function nextSteps(
  folder: string,
  projects: readonly Adoption[],
  {
    isSplit,
    stack,
    settings,
  }: {
    readonly isSplit: boolean;
    /** The stack that the steps are for. Default: the selected one, or `production` if there is none. */
    readonly stack: string | undefined;
    /** The settings that the organization was read with. */
    readonly settings: FoundSettings;
  },
): string[] {
  const forEach = (some: readonly Adoption[], ...commands: readonly string[]) => {
    if (some.length === 0) return [];
    if (!isSplit) return commands;
    const folders = some.map((project) => shellPath(project.folder)).join(" ");
    return [`for p in ${folders}; do (cd "$p" && ${commands.join(" && ")}) || break; done`];
  };
  const importing = projects.filter(({ adopted }) => adopted.length > 0);
  const old = importing.filter(({ hasStack }) => hasStack);
  const fresh = importing.filter(({ hasStack }) => !hasStack);
  const changed = projects.filter(({ adopted, exportsMore }) => adopted.length > 0 || exportsMore);
  const place = relative(process.cwd(), folder);
  const selectStep = stack === undefined ? [] : [`pulumi stack select ${shellWord(stack)}`];
  // It refuses a name that an existing stack has.
  const initStep = `pulumi stack init ${shellWord(stack ?? "production")}`;
  // All folders are next to each other.
  const copied = copiedSettings(settings, join(folder, fresh[0]?.folder ?? ""));
  const importStep = isSplit ? `${IMPORT_COMMAND} --yes` : IMPORT_COMMAND;
  return [
    ...(place === "" ? [] : [`cd ${shellPath(place)}`]),
    ...(isSplit ? ["npm install"] : installSteps(folder, old.length > 0)),
    ...forEach(old, ...selectStep, importStep),
    ...forEach(fresh, initStep, ...copied, importStep),
    ...importing.flatMap(({ folder: own, secrets }) =>
      secrets.map(
        ({ key }) => `pulumi config set --secret ${key}${isSplit ? ` --cwd ${shellPath(own)}` : ""}`,
      ),
    ),
    // The stacks of the others read these outputs.
    ...forEach(
      changed.filter(({ isReferredTo }) => isReferredTo),
      "pulumi up --yes",
    ),
    // The first deployment sends secrets.
    ...[false, true].flatMap((sends) =>
      forEach(
        changed.filter(({ hasSecrets }) => hasSecrets === sends),
        sends ? "pulumi preview" : "pulumi preview --expect-no-changes",
      ),
    ),
    // It records dependencies, and sends nothing but secrets that nobody can read.
    ...forEach(importing, isSplit ? "pulumi up --yes" : "pulumi up"),
  ];
}

function isNode(folder: string): boolean {
  return (settingsIn(folder)?.runtime ?? "nodejs") === "nodejs";
}

function installSteps(folder: string, hasStack: boolean): string[] {
  // A new project has a separate installation: a lock file, and the plugin where Pulumi.yaml names it.
  const isInstalled = isNode(folder) && existsSync(join(folder, "node_modules", "pulumi-buildpipeline"));
  return isInstalled || (hasStack && hasPackage(folder)) ? [] : installCommands(folder);
}

/** Checks that a project can load this package: its program, and the plugin where Pulumi.yaml names it. */
function hasPackage(folder: string): boolean {
  if (!isNode(folder)) return existsSync(join(folder, "sdks"));
  const { name: own } = pluginIn("");
  const plugin = settingsIn(folder)?.plugins?.providers?.find(({ name }) => name === own)?.path;
  if (plugin !== undefined && !existsSync(join(folder, plugin))) return false;
  try {
    createRequire(join(folder, "index.js")).resolve("pulumi-buildpipeline/provider");
    return true;
  } catch {
    return false;
  }
}

function installCommands(folder: string): string[] {
  const manifest = packageJsonIn(folder);
  const isListed = manifest !== undefined && "pulumi-buildpipeline" in manifest.dependencies;
  // It installs the plugin, its SDK, and the language's packages.
  if (!isNode(folder)) return [...(isListed ? ["npm install"] : []), "pulumi install"];
  if (manifest === undefined || isListed) return ["npm install"];
  const dependency = dependencyFor(folder);
  const command = `npm install ${shellWord(dependency.startsWith("file:") ? dependency : `pulumi-buildpipeline@${dependency}`)}`;
  return [command];
}

/** Returns the commands that copy settings from the stack of another project, which the new one doesn't see. */
function copiedSettings({ values, project }: FoundSettings, folder: string): string[] {
  if (project === undefined || project.directory === folder) return [];
  const from = `--cwd ${shellPath(relative(folder, project.directory) || ".")}`;
  const ofStack = project.stack === undefined ? "" : ` --stack ${shellWord(project.stack)}`;
  return SETTING_NAMES.filter((name) => values[name]?.from === "configuration").map((name) => {
    const key = `${CONFIG_NAMESPACE}:${name}`;
    const secret = values[name]?.secret === true ? " --secret" : "";
    return `pulumi config get ${key} ${from}${ofStack} | pulumi config set${secret} ${key}`;
  });
}

/** Imports what waits in a project's import file, if it has one. @throws if its packages are not installed */
export async function importAdopted(project: Project, yes: boolean): Promise<void> {
  const { directory } = project;
  if (!existsSync(join(directory, IMPORT_FILE))) return;
  if (!hasPackage(directory)) {
    throw new Error(
      `The package is not installed in ${directory}: run \`${installCommands(directory).join(" && ")}\` there, then \`${IMPORT_COMMAND}\`.`,
    );
  }
  if (!yes && !(await agreed("Import this into the state?"))) throw new Error("Nothing was imported.");
  await importResources(project, IMPORT_FILE, note);
}
