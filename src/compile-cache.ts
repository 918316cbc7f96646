import { lstatSync, mkdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/**
 * What Node compiles is kept for the next process: providers and commands are many, and short. `NODE_COMPILE_CACHE` and
 * `NODE_DISABLE_COMPILE_CACHE` count as they always do. Node's own place for it is in the directory for temporary files,
 * where whoever is first on a shared machine decides what the others run; so it is in the user's home.
 */
const directory = ownDirectory();
if (directory !== undefined) enableCompileCache(directory);

/** Writes it down now. The engine ends its providers by force, and then Node writes nothing. */
export function keepCompiledCode(): void {
  setImmediate(flushCompileCache);
}

/** A directory that nobody else can write to; undefined where there is none. */
function ownDirectory(): string | undefined {
  try {
    const { XDG_CACHE_HOME: caches = "" } = process.env;
    // As another user, with sudo say, nothing is left behind in somebody's home.
    if (caches === "" && !isOwn(statSync(homedir()))) return undefined;
    const found = join(resolve(caches || join(homedir(), ".cache")), "pulumi-buildpipeline", "node");
    mkdirSync(found, { recursive: true, mode: 0o700 });
    const usable = lstatSync(found).isDirectory() && isOwn(statSync(found));
    return usable && isOutOfReach(found) && isOutOfReach(realpathSync(found)) ? found : undefined;
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
  // What others put into a directory with the sticky bit can't replace what is there. Links have no permissions.
  const shared = (status.mode & 0o1000) !== 0 || status.isSymbolicLink();
  // A group of the user's own number is the user's private group.
  const open = status.gid === process.getuid() ? 0o002 : 0o022;
  if (!shared && (status.mode & open) !== 0) return false;
  const parent = dirname(directory);
  return parent === directory || isOutOfReach(parent);
}
