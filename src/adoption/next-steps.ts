import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { CONFIG_NAMESPACE } from "../configuration/settings.js";
import { dependencyFor } from "../project/package-source.js";
import { IMPORT_COMMAND } from "../project/pulumi.js";
import { type FoundSettings, SETTING_NAMES } from "../project/settings.js";

/** The package in a folder. */
const PACKAGE = join("node_modules", "pulumi-buildpipeline");

/** Facts that the steps depend on. */
export interface Situation {
  readonly folder: string;
  /** The folder's project has a stack that could be read. */
  readonly hasStack: boolean;
  readonly stack: string | undefined;
  /** The settings that the organization was read with. */
  readonly settings: FoundSettings;
}

/** Returns the commands that import an adopted organization into a stack, ready to paste into a shell. */
export function nextSteps({ folder, hasStack, stack, settings }: Situation): string[] {
  const place = relative(process.cwd(), folder);
  return [
    ...(place === "" ? [] : [`cd ${quoted(place)}`]),
    // A new project has a separate installation: a lock file, and the plugin where Pulumi.yaml names it.
    ...(existsSync(join(folder, PACKAGE)) || (hasStack && hasPackage(folder))
      ? []
      : [installCommand(folder)]),
    ...stackSteps(hasStack, stack),
    ...copiedSettings(settings, folder),
    IMPORT_COMMAND,
    "pulumi preview --expect-no-changes",
  ];
}

/** Returns the command that selects a stack. A new one must not be an existing one of the same name: `init` refuses that. */
export function stackSteps(hasStack: boolean, stack: string | undefined): string[] {
  if (!hasStack) return [`pulumi stack init ${quoted(stack ?? "production")}`];
  return stack === undefined ? [] : [`pulumi stack select ${quoted(stack)}`];
}

/** Checks that the program in a folder can load this package, and that the plugin is where Pulumi.yaml names it. */
export function hasPackage(folder: string): boolean {
  const plugin = pluginNamedIn(join(folder, "Pulumi.yaml"));
  if (plugin !== undefined && !existsSync(join(folder, plugin))) return false;
  try {
    createRequire(join(folder, "index.js")).resolve("pulumi-buildpipeline/provider");
    return true;
  } catch {
    return false;
  }
}

/** Returns the plugin's path in a project's settings. */
function pluginNamedIn(settings: string): string | undefined {
  if (!existsSync(settings)) return undefined;
  return /[\w./-]*node_modules\/pulumi-buildpipeline\/plugin/.exec(readFileSync(settings, "utf8"))?.[0];
}

/** Returns the command that installs what a folder's program needs. */
export function installCommand(folder: string): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (JSON.stringify(manifest).includes('"pulumi-buildpipeline":')) return "npm install";
  } catch {
    return "npm install";
  }
  const dependency = dependencyFor(folder);
  return `npm install ${quoted(dependency.startsWith("file:") ? dependency : `pulumi-buildpipeline@${dependency}`)}`;
}

/** Returns the commands that copy settings from the stack of another project, which the new one doesn't see. */
export function copiedSettings({ values, project }: FoundSettings, folder: string): string[] {
  if (project === undefined || project.directory === folder) return [];
  const from = `--cwd ${quoted(relative(folder, project.directory) || ".")}`;
  const ofStack = project.stack === undefined ? "" : ` --stack ${quoted(project.stack)}`;
  return SETTING_NAMES.filter((name) => values[name]?.from === "configuration").map((name) => {
    const key = `${CONFIG_NAMESPACE}:${name}`;
    const secret = values[name]?.secret === true ? " --secret" : "";
    return `pulumi config get ${key} ${from}${ofStack} | pulumi config set${secret} ${key}`;
  });
}

/** Returns a word as a POSIX shell reads it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./^-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
