import { satisfies } from "semver";
import { messageOf } from "../../shared/messages/of-error.js";
import { type Manifest, manifestIn, PACKAGE } from "../../shared/process/package-files.js";
import { projectDirectory } from "../shared/pulumi/project-folder.js";
import { pulumi } from "../shared/pulumi/pulumi.js";
import { type Check, ok, problem, warning } from "./check.js";
import { compareVersions, installedVersion } from "./repository-versions.js";

/** From this version on the CLI writes imports with outputs into the state. */
const CLI_FOR_IMPORTS = "3.254.0";

/** Node, this package, the Pulumi SDK that programs use, and the Pulumi CLI. */
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

/** Warns where this package has never run. */
export function platformCheck(platform: string): Check[] {
  if (platform === "linux") return [];
  const system = { darwin: "macOS", win32: "Windows" }[platform] ?? platform;
  const action = `Use Linux, a container or ${platform === "win32" ? "WSL" : "a virtual machine"} for deployments.`;
  return [warning("platform", `pulumi-buildpipeline is untested on ${system}.`, action)];
}

/** Checks the packages that the program of a project loads. They may differ from this command's. */
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
  if (isWithin(version, `>=${CLI_FOR_IMPORTS}`)) return ok("cli", `Pulumi CLI ${version}`);
  return warning(
    "cli",
    `Pulumi CLI ${version}`,
    `Importing with a file needs ${CLI_FOR_IMPORTS} or later; everything else works.`,
  );
}

/** Checks whether a version is in a range. Pulumi's releases between versions count as well. */
function isWithin(version: string, range: string): boolean {
  return satisfies(version, range, { includePrerelease: true });
}
