import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { jsonAs } from "../../cli/terminal/files.js";
import { repositoryOf } from "../../shared/process/folders.js";
import { PACKAGE, packageVersion } from "../../shared/process/package-files.js";

/** The part of the file that npm writes into `node_modules` that names where a package came from. */
const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ resolved: z.string().optional() })),
});

/**
 * Returns a version if this package came from a registry, and otherwise its file or folder.
 *
 * @param home the folder of several projects, which has a copy of {@link tarballFor}
 */
export function dependencyFor(folder: string, home?: string): string {
  const source = (home && tarballFor(home)?.copy) ?? localSource();
  if (source === undefined) return `^${packageVersion()}`;
  const path = relative(folder, source);
  return `file:${(isAbsolute(path) ? source : path).replaceAll(sep, "/")}`;
}

/** Returns the tarball that this package is from if clones of a folder's repository would lack it, and the place of a copy. */
export function tarballFor(folder: string): { readonly source: string; readonly copy: string } | undefined {
  const source = localSource();
  if (source === undefined || !statSync(source, { throwIfNoEntry: false })?.isFile()) return undefined;
  const isInside = relative(repositoryOf(folder) ?? folder, source).split(sep)[0] !== "..";
  return isInside ? undefined : { source, copy: join(folder, basename(source)) };
}

/** Returns the tarball or folder that this package is from; undefined for one from a registry. */
function localSource(): string | undefined {
  const modules = dirname(PACKAGE);
  if (basename(modules) !== "node_modules") return PACKAGE;
  const lock = join(modules, ".package-lock.json");
  // Other package managers keep no such file: their usual source is a registry.
  const { packages = {} } = existsSync(lock) ? (jsonAs(lockSchema, readFileSync(lock, "utf8")) ?? {}) : {};
  const resolved = packages[`node_modules/${basename(PACKAGE)}`]?.resolved;
  if (resolved?.startsWith("file:") !== true) return undefined;
  // npm writes the path relative to the project.
  return resolve(dirname(modules), resolved.slice("file:".length));
}
