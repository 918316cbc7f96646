import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, dirname, join, relative, sep } from "node:path";
import { compare, satisfies, valid } from "semver";
import { filesBelow, projectDirectory, settingsIn } from "../../cli/pulumi/project-folder.js";
import { CLI_RANGE, pulumi } from "../../cli/pulumi/pulumi.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { repositoryOf } from "../../shared/process/folders.js";
import { type Manifest, manifestIn, PACKAGE } from "../../shared/process/package-files.js";
import { type Check, ok, problem, skipped, warning } from "./check.js";

export async function checkVersions(): Promise<Check[]> {
  const own = manifestIn(PACKAGE);
  return [
    ok("node", `Node ${process.versions.node} (needed: ${own.engines?.node})`),
    ok("package", `pulumi-buildpipeline ${own.version}`),
    ...platformCheck(process.platform),
    ...projectChecks(own),
    ...compareVersions(),
    await cliCheck(),
  ];
}

export function platformCheck(platform: string): Check[] {
  if (platform === "linux") return [];
  const system = { darwin: "macOS", win32: "Windows" }[platform] ?? platform;
  const action = `Use Linux, a container or ${platform === "win32" ? "WSL" : "a virtual machine"} for deployments.`;
  return [warning("platform", `pulumi-buildpipeline is untested on ${system}.`, action)];
}

/** The packages that a project's program loads may differ from this command's. */
function projectChecks(own: Manifest): Check[] {
  const directory = projectDirectory(process.cwd());
  const checks: Check[] = [];
  if (directory !== undefined) {
    const version = installedVersion("pulumi-buildpipeline", directory);
    if (version === undefined) {
      const missing = `pulumi-buildpipeline is not installed in the program's directory (${directory}).`;
      checks.push(
        problem("program", missing, "Install it there: refresh and destroy load it from there as well."),
      );
    } else if (version !== own.version) {
      const difference = `The program loads pulumi-buildpipeline ${version}; this command is of ${own.version}.`;
      checks.push(
        warning("program", difference, "Run the command as `npx pulumi-buildpipeline` in the project."),
      );
    }
  }
  const needed = own.peerDependencies?.["@pulumi/pulumi"] ?? "";
  const version = installedVersion("@pulumi/pulumi", directory ?? PACKAGE);
  if (version === undefined)
    return [...checks, problem("sdk", "The Pulumi SDK is not installed.", "npm install @pulumi/pulumi")];
  const found = `Pulumi SDK ${version} (needed: ${needed})`;
  const action = `npm install "@pulumi/pulumi@${needed}"`;
  return [...checks, isWithin(version, needed) ? ok("sdk", found) : problem("sdk", found, action)];
}

async function cliCheck(): Promise<Check> {
  let version: string;
  try {
    version = (await pulumi(process.cwd(), ["version"])).trim().replace(/^v/, "");
  } catch (error) {
    return problem("cli", `No Pulumi CLI: ${messageOf(error)}.`, "See https://www.pulumi.com/docs/install/");
  }
  if (isWithin(version, CLI_RANGE)) return ok("cli", `Pulumi CLI ${version}`);
  const action = `Importing with a file needs ${CLI_RANGE.slice(2)} or later, and a project whose Pulumi.yaml requires that is refused; everything else works.`;
  return warning("cli", `Pulumi CLI ${version}`, action);
}

/** Pulumi's releases between versions count as well. */
function isWithin(version: string, range: string): boolean {
  return satisfies(version, range, { includePrerelease: true });
}

const newestFirst = (one: string, other: string) => compare(other, one);

/** Checks that all projects of a repository use one version of this package, in every language. */
function compareVersions(): Check[] {
  const start = process.cwd();
  const root = repositoryOf(start) ?? projectDirectory(start);
  try {
    return root === undefined ? [] : [...runtimeCheck(projectDirectory(start)), ...compareVersionsIn(root)];
  } catch (error) {
    return [
      skipped("versions", `The versions of pulumi-buildpipeline are not compared: ${messageOf(error)}`),
    ];
  }
}

function runtimeCheck(directory = process.cwd()): Check[] {
  if (settingsIn(directory)?.runtime !== "bun") return [];
  const found =
    "Pulumi supports no dynamic providers with `runtime: bun` (pulumi#22040). Those of this package work where Node is on the PATH.";
  const action =
    'Install Node 22.19 or later wherever this project is deployed, use `runtime: nodejs`, or import from "pulumi-buildpipeline/native" and install the plugin.';
  return [warning("runtime", found, action)];
}

function compareVersionsIn(root: string): Check[] {
  const installed = installedPlugins();
  const places = new Map<string, string[]>();
  const add = (version: string, place: string) =>
    places.set(version, [...(places.get(version) ?? []), place.replaceAll(sep, "/")]);
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

function installedVersion(name: string, folder: string): string | undefined {
  try {
    const { resolve } = createRequire(join(folder, "index.js"));
    return manifestIn(dirname(resolve(`${name}/package.json`))).version;
  } catch {
    return undefined;
  }
}
