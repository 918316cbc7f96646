import { lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

const WRITABLE_BY_OTHERS = process.platform === "win32" ? 0 : 0o022;

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
    const found = join(caches || join(homedir(), ".cache"), "pulumi-buildpipeline", "node");
    mkdirSync(found, { recursive: true, mode: 0o700 });
    const status = lstatSync(found);
    return status.isDirectory() && isOwn(status) && (status.mode & WRITABLE_BY_OTHERS) === 0
      ? found
      : undefined;
  } catch {
    return undefined; // A home that cannot be written to.
  }
}

/** Whether something belongs to this user. Windows has homes that others cannot write to, and no such numbers. */
function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}
