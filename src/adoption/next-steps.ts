import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { CONFIG_NAMESPACE } from "../configuration/settings.js";
import { dependencyFor } from "../project/package-source.js";
import { IMPORT_COMMAND } from "../project/pulumi.js";
import { type FoundSettings, SETTING_NAMES } from "../project/settings.js";
import { readProject, settingsOf } from "./existing-project.js";
import type { Language } from "./languages/language.js";
import { PLUGIN } from "./project-files.js";

/** Installs what a program in another language needs: the plugin, its SDK, and the language's packages. */
const PLUGIN_COMMAND = "pulumi install";

/** Facts that the steps depend on. */
export interface Situation {
  readonly folder: string;
  readonly language: Language;
  /** The folder's project has a stack that could be read. */
  readonly hasStack: boolean;
  readonly stack: string | undefined;
  /** The settings that the organization was read with. */
  readonly settings: FoundSettings;
}

/** Returns the commands that import an adopted organization into a stack, ready to paste into a shell. */
export function nextSteps({ folder, language, hasStack, stack, settings }: Situation): string[] {
  const place = relative(process.cwd(), folder);
  return [
    ...(place === "" ? [] : [`cd ${quoted(place)}`]),
    ...installSteps(folder, language, hasStack),
    ...stackSteps(hasStack, stack),
    ...copiedSettings(settings, folder),
    IMPORT_COMMAND,
    "pulumi preview --expect-no-changes",
  ];
}

function installSteps(folder: string, language: Language, hasStack: boolean): string[] {
  if (language.file !== undefined) return [PLUGIN_COMMAND];
  // A new project has a separate installation: a lock file, and the plugin where Pulumi.yaml names it.
  const isInstalled = existsSync(join(folder, "node_modules", "pulumi-buildpipeline"));
  return isInstalled || (hasStack && hasPackage(folder)) ? [] : [installCommand(folder)];
}

/** Returns the command that selects a stack. `init` refuses a name that an existing stack has. */
export function stackSteps(hasStack: boolean, stack: string | undefined): string[] {
  if (!hasStack) return [`pulumi stack init ${quoted(stack ?? "production")}`];
  return stack === undefined ? [] : [`pulumi stack select ${quoted(stack)}`];
}

/** Checks that a project can load this package: its program, and the plugin where Pulumi.yaml names it. */
export function hasPackage(folder: string): boolean {
  const { runtime, plugins } = settingsOf(readProject(folder));
  if (runtime !== "nodejs") return existsSync(join(folder, "sdks"));
  const plugin = plugins?.providers?.find(({ name }) => name === PLUGIN.name)?.path;
  if (plugin !== undefined && !existsSync(join(folder, plugin))) return false;
  try {
    createRequire(join(folder, "index.js")).resolve("pulumi-buildpipeline/provider");
    return true;
  } catch {
    return false;
  }
}

/** Returns the command that installs what a folder's program needs. */
export function installCommand(folder: string): string {
  const { files } = readProject(folder);
  if (settingsOf({ files }).runtime !== "nodejs") return PLUGIN_COMMAND;
  try {
    const manifest: unknown = JSON.parse(files.get("package.json") ?? "");
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
