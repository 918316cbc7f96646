import { lstatSync, mkdirSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

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
    const caches = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
    const found = join(caches, "pulumi-buildpipeline", "node");
    mkdirSync(found, { recursive: true, mode: 0o700 });
    const { mode, uid } = lstatSync(found);
    const others = process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0);
    return others ? undefined : found;
  } catch {
    return undefined; // A home that cannot be written to.
  }
}
