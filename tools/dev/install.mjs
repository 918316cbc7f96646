// Installed packages: exactly those that a lock file names.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "./checkout.mjs";
import { mustRun, step } from "./command.mjs";

/**
 * @typedef {{ version?: string, integrity?: string, resolved?: string, link?: boolean, optional?: boolean }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} Lock
 */

/** Installs the dependencies of the project. */
export async function installDependencies() {
  await install("dependencies", checkout, "--include=dev");
}

/**
 * Installs a tool that has a package.json and a lock file in a folder outside of the workspaces, so that tests and users
 * do without it.
 *
 * @param {string} name of the folder
 */
export async function installTool(name) {
  await install(`tools/${name}`, join(checkout, "tools", name), "--no-workspaces");
}

/** @param {string} what @param {string} folder @param {string} flag */
async function install(what, folder, flag) {
  const locked = readLock(join(folder, "package-lock.json"));
  if (installedAsLocked(locked, readLock(join(folder, "node_modules", ".package-lock.json")))) return;
  // No package needs its install script; older versions of npm do not know `allowScripts`.
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", flag];
  await step(`Installing ${what}`, () => mustRun(`Installing ${what}`, "npm", args, { cwd: folder }));
}

/** @param {string} file @returns {Lock | undefined} */
function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined; // Absent or half-written: the same as not installed.
  }
}

/**
 * Whether the installed packages are the locked ones. Compares contents, not times: Git sets a file's time when it
 * checks it out, and npm writes both files at about the same time.
 *
 * @param {Lock | undefined} locked package-lock.json
 * @param {Lock | undefined} installed node_modules/.package-lock.json, which npm writes last
 */
export function installedAsLocked(locked, installed) {
  if (locked?.packages === undefined || installed?.packages === undefined) return false;
  const packages = installed.packages;
  return Object.entries(locked.packages).every(([path, wanted]) => {
    if (!path.includes("node_modules/")) return true;
    const found = packages[path];
    // Optional packages are those of other platforms.
    if (found === undefined) return wanted.optional === true;
    if (wanted.link === true) return found.resolved === wanted.resolved;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}
