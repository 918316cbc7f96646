import { existsSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/**
 * Returns the path of something in a folder, whether it exists or not.
 *
 * @throws if the path leaves the folder, or a part of it is a symbolic link, which may lead anywhere
 */
export function inside(folder: string, ...names: readonly string[]): string {
  const parts = relative(resolve(folder), resolve(folder, ...names)).split(sep);
  if (parts.includes("") || parts.includes(".."))
    throw new Error(`${names.join("/")} is not in the folder ${folder}.`);
  let place = folder;
  for (const part of parts) {
    place = join(place, part);
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new Error(
        `${place} is a symbolic link, which may lead out of ${folder}. Remove the link, and run this again.`,
      );
  }
  return place;
}

/**
 * Makes a folder and those that it is in, as far as they are missing. Node's own `recursive` reports a read-only disk as
 * a missing folder, and never ends where the system denies that an existing folder is there, as automounters do.
 *
 * @returns the folders that it made, the outermost first
 */
export function makeFolders(folder: string, mode?: number): string[] {
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return [];
    throw new Error(`${folder} is not a folder. Remove it, or name another place.`);
  }
  const made = makeFolders(dirname(folder), mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // Another process made it meanwhile.
    if (existsSync(folder)) return made;
    throw error;
  }
  return [...made, folder];
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Returns the root of the Git repository that a folder is in. In a worktree and a submodule, `.git` is a file. */
export function repositoryOf(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const own = join(folder, ".git");
    if (existsSync(join(own, "HEAD")) || lstatSync(own, { throwIfNoEntry: false })?.isFile()) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
