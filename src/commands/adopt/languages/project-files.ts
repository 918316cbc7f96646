import { stringify } from "yaml";
import { packageSchema } from "../../../shared/process/package-files.js";
import type { Backend } from "../../../shared/protocol/type-token.js";
import { IMPORT_FILE } from "../../shared/pulumi/import-file.js";

/** Returns the plugin as Pulumi.yaml names it. @param packages the folder with the installed packages */
export function pluginIn(packages: string): { readonly name: string; readonly path: string } {
  return { name: "buildpipeline", path: `${packages}/pulumi-buildpipeline/plugin` };
}

/** Returns the name of a folder's project, of the characters that Pulumi and npm take. */
export function projectName(folderName: string): string {
  return folderName.replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "") || "build-pipeline";
}

/** The launcher of the Pulumi CLI, whose version it pins. */
export const LAUNCHER = { pulumi: "3.259.0" };

/** A project that is written. */
export interface NewProject {
  readonly organization: string;
  /** Its name in Pulumi. */
  readonly name: string;
  /** Dependency of a package.json on this package: a range of versions, or `file:` and a path. */
  readonly dependency: string;
  /** The backend of the resources: the dynamic provider, or the plugin. */
  readonly backend: Backend;
  /** True if it refreshes before each preview. It then needs its access token in the environment. */
  readonly refreshes: boolean;
  /** The folder that has the installed packages. */
  readonly packages: string;
}

/** Returns Pulumi.yaml of a new project. */
export function projectSettings(
  { organization, name, refreshes }: NewProject,
  runtime: string | object,
  plugin: object | false,
): string {
  return stringify({
    name,
    description: `Buildkite resources of ${organization}: ${name}`,
    runtime,
    ...(refreshes && { options: { refresh: "always" } }),
    ...plugin,
  });
}

/** The parts of the plugin's schema that a project in another language than TypeScript names. */
interface PluginSchema {
  readonly name: string;
  readonly version: string;
  /** Absent while nobody owns the repository. */
  readonly pluginDownloadURL?: string;
  readonly language: {
    readonly go: { readonly importBasePath: string };
    readonly python: { readonly requires: { readonly pulumi: string } };
  };
}

export function pluginSchema(): PluginSchema {
  return JSON.parse(packageSchema());
}

/** Returns the settings by which `pulumi install` gets the plugin, and writes its SDK into `sdks`. */
export function pluginPackage(): object {
  const { name, version, pluginDownloadURL } = pluginSchema();
  return { packages: { [name]: { source: name, version, pluginDownloadURL } } };
}

/** Returns the `.gitignore` of a new project: after the import, the import file only repeats the state. */
export function ignoring(...paths: readonly string[]): string {
  return [...paths, IMPORT_FILE].map((path) => `${path}\n`).join("");
}

/** Returns a project's `.gitignore` with the import file in it. */
export function ignoringImportFile(gitignore: string): string {
  const isIgnored = gitignore.split(/\r?\n/).some((line) => line.trim().replace(/^\//, "") === IMPORT_FILE);
  if (isIgnored) return gitignore;
  return appended(gitignore, ignoring());
}

/** Returns a text with more lines at its end. */
export function appended(text: string, lines: string): string {
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${lines}`;
}
