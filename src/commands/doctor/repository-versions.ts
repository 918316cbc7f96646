import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { compare, valid } from "semver";
import { messageOf } from "../../shared/messages/of-error.js";
import { repositoryOf } from "../../shared/process/folders.js";
import { manifestIn } from "../../shared/process/package-files.js";
import { filesBelow, projectDirectory, settingsIn } from "../shared/pulumi/project-folder.js";
import { type Check, ok, skipped, warning } from "./check.js";

const newestFirst = (one: string, other: string) => compare(other, one);

/** Checks that all projects of a repository use one version of this package, in every language. */
export function compareVersions(): Check[] {
  const start = process.cwd();
  const root = repositoryOf(start) ?? projectDirectory(start);
  if (root === undefined) return [];
  try {
    return compareVersionsIn(root);
  } catch (error) {
    return [
      skipped("versions", `The versions of pulumi-buildpipeline are not compared: ${messageOf(error)}`),
    ];
  }
}

function compareVersionsIn(root: string): Check[] {
  const installed = installedPlugins();
  const places = new Map<string, string[]>();
  const add = (version: string, place: string) =>
    places.set(version, [...(places.get(version) ?? []), place.replaceAll("\\", "/")]);
  for (const folder of new Set([...filesBelow(root)].map((file) => dirname(file))))
    for (const [file, version] of versionsIn(folder, installed))
      if (version !== undefined) add(version, relative(root, join(folder, file)));
  const [newest] = [...places.keys()].sort(newestFirst);
  if (newest === undefined) return [];
  // Older ones stay installed, and other repositories may use them.
  if (installed[0] !== undefined && !installed.includes(newest)) add(installed[0], "Pulumi's plugins");
  const versions = [...places].sort(([one], [other]) => newestFirst(one, other));
  if (versions.length === 1) return [ok("versions", `${root} uses pulumi-buildpipeline ${newest} only`)];
  const where = names(join(root, "package.json"), "workspaces")
    ? " --workspaces --include-workspace-root` there."
    : "` in each folder with a package.json that names it.";
  const found = versions.map(([version, own]) => `${version} by ${own.join(", ")}`);
  return [
    warning(
      "versions",
      `${root} uses several versions of pulumi-buildpipeline: ${found.join("; ")}.`,
      `Run \`npm install pulumi-buildpipeline@${versions[0]?.[0]}${where} Where Pulumi.yaml names a version, change it, and run ` +
        "`pulumi install`.",
    ),
  ];
}

/** Returns the versions in Pulumi's folder of plugins, the newest first: that is the one without a version in Pulumi.yaml. */
function installedPlugins(): string[] {
  const folder = join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "plugins");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .flatMap((name) => valid(/^resource-buildpipeline-v(.+)$/.exec(name)?.[1]) ?? [])
    .sort(newestFirst);
}

/** Yields files of a folder, and the version that each is, names or leads to. */
function* versionsIn(
  folder: string,
  installed: readonly string[],
): Generator<readonly [string, string | undefined]> {
  if (names(join(folder, "package.json"), "pulumi-buildpipeline"))
    yield ["package.json", installedVersion("pulumi-buildpipeline", folder)];
  if (projectDirectory(folder) !== folder) return;
  const { plugins: { providers = [] } = {}, packages: { buildpipeline: named } = {} } =
    settingsIn(folder) ?? {};
  const [source, version] = typeof named === "string" ? named.split("@") : [named?.source, named?.version];
  const plugins = providers.filter(({ name }) => name === "buildpipeline");
  if (named !== undefined) plugins.push({ version, ...(source?.startsWith(".") && { path: source }) });
  for (const { path, version } of plugins)
    yield [
      "Pulumi.yaml",
      path === undefined
        ? (version ?? installed[0])
        : installedVersion("pulumi-buildpipeline", join(folder, path)),
    ];
  // The SDK that `pulumi install` wrote.
  const sdk = join(folder, "sdks", "buildpipeline");
  for (const file of existsSync(sdk) ? readdirSync(sdk, { recursive: true, encoding: "utf8" }) : [])
    if (basename(file) === "pulumi-plugin.json")
      yield ["sdks", JSON.parse(readFileSync(join(sdk, file), "utf8")).version];
}

function names(manifest: string, key: string): boolean {
  return existsSync(manifest) && readFileSync(manifest, "utf8").includes(JSON.stringify(key));
}

/** Returns the version of a package that a file in a folder would load. */
export function installedVersion(name: string, folder: string): string | undefined {
  try {
    const { resolve } = createRequire(join(folder, "index.js"));
    return manifestIn(dirname(resolve(`${name}/package.json`))).version;
  } catch {
    return undefined;
  }
}
