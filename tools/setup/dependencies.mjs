// node_modules, installed exactly as the lock file says.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../checkout.mjs";
import { mustRun } from "../child.mjs";
import { step } from "../steps.mjs";

/**
 * @typedef {{ version?: string, integrity?: string, resolved?: string, link?: boolean, optional?: boolean }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} Lock
 */

/** Installs the dependencies when what is installed is not what package-lock.json says. */
export async function installDependencies() {
  if (installedAsLocked(readLock("package-lock.json"), readLock("node_modules/.package-lock.json"))) return;
  await step("Installing dependencies", () =>
    mustRun(
      "Installing the dependencies",
      "npm",
      // No package needs its install script; older versions of npm do not know `allowScripts`.
      ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--include=dev", "--loglevel=error"],
      { cwd: checkout },
    ),
  );
}

/**
 * Installs a tool that has a package.json and a lock file in a folder outside of the workspaces, so that tests and users
 * do without it.
 *
 * @param {string} name
 * @param {string} folder
 */
export async function installSeparately(name, folder) {
  const locked = readLock("package-lock.json", folder);
  if (installedAsLocked(locked, readLock("node_modules/.package-lock.json", folder))) return;
  await step(`Installing ${name}`, () =>
    mustRun(
      `Installing ${name}`,
      "npm",
      ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-workspaces", "--loglevel=error"],
      { cwd: folder },
    ),
  );
}

/** @param {string} file @param {string} [folder] @returns {Lock | undefined} */
function readLock(file, folder = checkout) {
  try {
    return JSON.parse(readFileSync(join(folder, file), "utf8"));
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
  for (const [path, wanted] of Object.entries(locked.packages)) {
    if (!path.startsWith("node_modules/") && !path.includes("/node_modules/")) continue;
    const found = installed.packages[path];
    if (found === undefined) {
      // Optional packages are those of other platforms.
      if (wanted.optional === true) continue;
      return false;
    }
    if (found.version !== wanted.version || found.integrity !== wanted.integrity) return false;
    if (wanted.link === true && found.resolved !== wanted.resolved) return false;
  }
  return true;
}
