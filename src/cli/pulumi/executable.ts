import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { messageOf } from "../../shared/messages/of-error.js";
import { packageJsonIn } from "./project-folder.js";

const NAME = process.platform === "win32" ? "pulumi.exe" : "pulumi";

/**
 * Finds the Pulumi CLI on the PATH. npm's package `pulumi` puts a launcher there, which passes no signals on and downloads.
 * In its place, this function takes the CLI that the launcher has installed, or else looks further along the PATH.
 *
 * @returns its file and the PATH to run it with, which its language hosts lead; or why there is none
 */
export function findPulumi(
  environment: NodeJS.ProcessEnv,
): { readonly file: string; readonly path: string } | { readonly missing: string } {
  // A copy of the environment has `Path` on Windows.
  const { PATH = process.env.PATH ?? "", PULUMI_HOME, PULUMI_VERSION } = environment;
  const files = PATH.split(delimiter).flatMap((folder) => (folder === "" ? [] : [join(folder, NAME)]));
  let missing = "the Pulumi CLI is not on the PATH";
  for (const file of files.filter(isExecutable)) {
    const version = launcherVersion(file);
    if (version === undefined) return { file, path: PATH };
    const home = PULUMI_HOME || join(homedir(), ".pulumi");
    const bin = join(home, "versions", PULUMI_VERSION || version, "bin");
    const installed = join(bin, NAME);
    if (isExecutable(installed)) return { file: installed, path: `${bin}${delimiter}${PATH}` };
    missing = "npm's `pulumi` has not installed the Pulumi CLI yet: run `npx pulumi version`";
  }
  return { missing };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Returns the version of the CLI that a launcher installs. Undefined for any other command. */
function launcherVersion(file: string): string | undefined {
  // npm links the launcher, and pnpm writes a script that starts it.
  const folders = [dirname(realpathSync(file)), join(dirname(file), "..", "pulumi")];
  return folders.map(packageJsonIn).find((manifest) => manifest?.name === "pulumi")?.version;
}

/**
 * Puts the Pulumi CLI itself first on the PATH, because an npm launcher passes no signals on, and then the Node that runs
 * this command, for the programs. Folders of npm leave the PATH: Pulumi would prefer the plugin in them to the installed
 * version. The launcher of the repository decides on the version, and installs it at its first use. Where it can't, any other
 * CLI on the PATH serves.
 *
 * @returns which CLI is used in place of the launcher's @throws if there is none
 */
export async function resolvePulumi(root: string): Promise<string | undefined> {
  const own = join(root, "node_modules", ".bin");
  const launcher = join(own, "pulumi");
  const find = (path?: string) => findPulumi({ ...process.env, ...(path !== undefined && { PATH: path }) });
  let refusal: string | undefined;
  if (existsSync(launcher) && "missing" in find(own))
    await promisify(execFile)(launcher, ["version"]).catch((error: unknown) => {
      // It says before what it is about to do.
      refusal = messageOf(error).trim().split("\n").at(-1);
    });
  const ofRepository = find(own);
  const found = "missing" in ofRepository ? find() : ofRepository;
  if (refusal !== undefined && "missing" in found)
    throw new Error(
      `npm's \`pulumi\` could not install the Pulumi CLI (${refusal}), and there is no other on the PATH. Install one, or run ` +
        "`npx pulumi version` where it can be downloaded.",
    );
  const others = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join("node_modules", ".bin")));
  const cli = "missing" in found ? [] : [dirname(found.file)];
  process.env.PATH = [...cli, dirname(process.execPath), ...others].join(delimiter);
  return refusal === undefined || "missing" in found
    ? undefined
    : `npm's \`pulumi\` could not install the Pulumi CLI (${refusal}), so ${found.file} is used.`;
}
