import { readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import * as z from "zod";
import { PACKAGE, packageVersion } from "../../shared/process/package-files.js";

/** The part of the file that npm writes into `node_modules` that names where a package came from. */
const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ resolved: z.string().optional() })),
});

/**
 * Returns the dependency of another project's package.json on this package. It is a version if this package came from a
 * registry, and otherwise its file or folder.
 *
 * @param folder of that project
 */
export function dependencyFor(folder: string): string {
  const source = localSource();
  if (source === undefined) return `^${packageVersion()}`;
  const path = relative(folder, source);
  return `file:${(isAbsolute(path) ? source : path).replaceAll("\\", "/")}`;
}

/** Returns the tarball or folder that this package is from; undefined for one from a registry. */
function localSource(): string | undefined {
  const modules = dirname(PACKAGE);
  if (basename(modules) !== "node_modules") return PACKAGE;
  const resolved = resolvedIn(modules);
  if (resolved?.startsWith("file:") !== true) return undefined;
  // npm writes the path relative to the project.
  return resolve(dirname(modules), resolved.slice("file:".length));
}

function resolvedIn(modules: string): string | undefined {
  try {
    const lock = lockSchema.parse(JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")));
    return lock.packages[`node_modules/${basename(PACKAGE)}`]?.resolved;
  } catch {
    // Other package managers keep no such file: their usual source is a registry.
    return undefined;
  }
}
