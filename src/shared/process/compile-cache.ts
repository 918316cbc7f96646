import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmdirSync, type Stats, statSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { makeFolders } from "./folders.js";

/**
 * Keeps compiled code for the next process, because providers and commands are many and short. `NODE_COMPILE_CACHE` and
 * `NODE_DISABLE_COMPILE_CACHE` apply as usual. The cache is in the user's home. In Node's default, the directory for
 * temporary files, other users of the machine could put code there.
 */
const directory = ownDirectory();
if (directory !== undefined) enableCompileCache(directory);

/** Writes it down now. The engine ends its providers by force, and then Node writes nothing. */
export function keepCompiledCode(): void {
  setImmediate(flushCompileCache);
}

/** Returns a directory that only this user can write to. Undefined if there is none. */
function ownDirectory(): string | undefined {
  try {
    const { XDG_CACHE_HOME: caches = "" } = process.env;
    // A run as another user, for example with sudo, leaves nothing in this home.
    if (caches === "" && !isOwn(statSync(homedir()))) return undefined;
    const found = join(resolve(caches || join(homedir(), ".cache")), "pulumi-buildpipeline", "node");
    makeFolders(found, 0o700);
    const usable = lstatSync(found).isDirectory() && isOwn(statSync(found));
    if (!usable || !isOutOfReach(found) || !isOutOfReach(realpathSync(found))) return undefined;
    // Node makes folders in it as `makeFolders` mustn't.
    if (readdirSync(found).length === 0) rmdirSync(mkdtempSync(join(found, "try-")));
    return found;
  } catch {
    return undefined; // A home that cannot be written to.
  }
}

/** Returns whether something belongs to this user. Windows has homes that others can't write to, and no such numbers. */
function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}

/** Returns whether no other user but root can replace a directory, or any directory that it is in. */
function isOutOfReach(directory: string): boolean {
  if (process.getuid === undefined) return true;
  const status = lstatSync(directory);
  if (!isOwn(status) && status.uid !== 0) return false;
  // With the sticky bit, others can add files to a directory, but not replace any. Links have no permissions.
  const shared = (status.mode & 0o1000) !== 0 || status.isSymbolicLink();
  // A group of the user's own number is the user's private group.
  const open = status.gid === process.getuid() ? 0o002 : 0o022;
  if (!shared && (status.mode & open) !== 0) return false;
  const parent = dirname(directory);
  return parent === directory || isOutOfReach(parent);
}
