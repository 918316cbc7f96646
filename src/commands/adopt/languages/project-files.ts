import { stringify } from "yaml";
import { IMPORT_FILE } from "../../../cli/pulumi/import-file.js";
import { CLI_RANGE } from "../../../cli/pulumi/pulumi.js";
import { packageSchema } from "../../../shared/process/package-files.js";
import { type Backend, typeToken } from "../../../shared/protocol/type-token.js";
import type { Grammar } from "./regular.js";

const PACKAGE_NAME = "pulumi-buildpipeline";

/** Returns the plugin as Pulumi.yaml names it. @param packages the folder with the installed packages */
export function pluginIn(packages: string): { readonly name: string; readonly path: string } {
  return { name: "buildpipeline", path: `${packages}/${PACKAGE_NAME}/plugin` };
}

/** Returns the name of a folder's project, of the characters that Pulumi and npm take. */
export function projectName(folderName: string): string {
  return folderName.replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "") || "build-pipeline";
}

/** The launcher of the Pulumi CLI, whose version it pins. */
export const LAUNCHER = { pulumi: "3.259.0" };

export interface Language extends Grammar {
  readonly title: string;
  /** Its runtime, as Pulumi.yaml names it. */
  readonly runtime: string | object;
  /** What Git ignores in a project, beside the import file. */
  readonly ignored: readonly string[];
  /** Returns the files that list what a project depends on. Absent where Pulumi.yaml is enough. */
  manifests?(project: NewProject): Record<string, string>;
}

export interface NewProject {
  readonly organization: string;
  readonly name: string;
  /** Dependency of a package.json on this package: a range of versions, or `file:` and a path. */
  readonly dependency: string;
  readonly backend: Backend;
  /** True if it refreshes before each preview. It then needs its access token in the environment. */
  readonly refreshes: boolean;
  readonly packages: string;
  /** Names of the projects whose stacks it reads. */
  readonly reads: readonly string[];
}

export function projectFiles(
  { file, runtime, ignored, manifests }: Language,
  project: NewProject,
): Record<string, string> {
  const { organization, name, dependency, backend, refreshes, packages, reads } = project;
  const isNative = file === undefined && backend === "plugin";
  // Nobody could download the plugin of a tarball, which npm installs with the package.
  const isPacked =
    file !== undefined && dependency.endsWith(".tgz") && pluginSchema().pluginDownloadURL === undefined;
  const settings = {
    name,
    description: `Buildkite resources of ${organization}: ${name}`,
    runtime,
    requiredPulumiVersion: CLI_RANGE,
    ...(refreshes && { options: { refresh: "always" } }),
    ...(isNative && { plugins: { providers: [pluginIn(packages)] } }),
    ...(file !== undefined && { packages: isPacked ? packedPackage() : pluginPackage() }),
    // A stack's state names them after its first deployment only.
    ...(reads.length > 0 && { buildpipeline: { reads } }),
  };
  return {
    // Pulumi reads YAML 1.1.
    "Pulumi.yaml": stringify(settings, { compat: "yaml-1.1" }),
    ...manifests?.(project),
    ...(isPacked && {
      "package.json": `${JSON.stringify({ private: true, dependencies: { [PACKAGE_NAME]: dependency } }, undefined, 2)}\n`,
    }),
    // After the import, the import file only repeats the state.
    ".gitignore": [...(isPacked ? ["node_modules/"] : []), ...ignored, IMPORT_FILE]
      .map((path) => `${path}\n`)
      .join(""),
  };
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
  readonly resources: Readonly<
    Record<string, { readonly inputProperties: Readonly<Record<string, MapType | undefined>> } | undefined>
  >;
}

let schema: PluginSchema | undefined;

export function pluginSchema(): PluginSchema {
  const read: PluginSchema = schema ?? JSON.parse(packageSchema());
  schema = read;
  return read;
}

/** The part of an argument's type that says how a language writes a map. */
interface MapType {
  readonly $ref?: string;
  readonly additionalProperties?: { readonly $ref?: string };
}

/** Returns what the languages of the plugin call the type of an argument's map: its own name, or that of any map. */
export function mapType(
  className: string,
  argument: string,
): { readonly own?: string; readonly ofAny: boolean } {
  const { inputProperties } = pluginSchema().resources[typeToken(className, "plugin")] ?? {};
  const { $ref, additionalProperties } = inputProperties?.[argument] ?? {};
  const own = $ref?.slice($ref.lastIndexOf(":") + 1);
  return { ...(own !== undefined && { own }), ofAny: additionalProperties?.$ref !== undefined };
}

/** Returns the package by which `pulumi install` gets the plugin, and writes its SDK into `sdks`. */
function pluginPackage(): object {
  const { name, version, pluginDownloadURL } = pluginSchema();
  return { [name]: { source: name, version, pluginDownloadURL } };
}

function packedPackage(): object {
  const { name, path } = pluginIn("./node_modules");
  return { [name]: path };
}

export function ignoringImportFile(gitignore: string): string {
  const isIgnored = gitignore.split(/\r?\n/).some((line) => line.trim().replace(/^\//, "") === IMPORT_FILE);
  return isIgnored ? gitignore : appended(gitignore, `${IMPORT_FILE}\n`);
}

/** Adds lines to a text, with its line breaks. */
export function appended(text: string, lines: string): string {
  const all = `${text === "" || text.endsWith("\n") ? "" : "\n"}${lines}`;
  return `${text}${text.includes("\r\n") ? all.replaceAll("\n", "\r\n") : all}`;
}
