import { execFile } from "node:child_process";
import { resolve } from "node:path";

/** Files that differ between two commits, as absolute paths. Undefined if a commit isn't in the repository. */
export type Changed = readonly string[] | undefined;

/** Returns the folder of the repository that a folder is in; the folder itself if Git knows of none. */
export async function repositoryOf(folder: string): Promise<string> {
  const printed = await git(folder, "rev-parse", "--show-toplevel");
  return printed === undefined ? folder : resolve(printed.trim());
}

/** Returns what changed since `HEAD` and a commit parted: what a pull request changes. */
export async function changedSinceMerge(repository: string, base: string): Promise<Changed> {
  return files(
    repository,
    await git(repository, "diff", "--name-only", "--no-renames", "-z", `${base}...HEAD`, "--"),
  );
}

/** Returns what differs between a commit and `HEAD`. */
export async function changedBetween(repository: string, commit: string): Promise<Changed> {
  return files(
    repository,
    await git(repository, "diff", "--name-only", "--no-renames", "-z", commit, "HEAD", "--"),
  );
}

function files(repository: string, printed: string | undefined): Changed {
  return printed?.split("\0").flatMap((path) => (path === "" ? [] : [resolve(repository, path)]));
}

function git(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolved) => {
    execFile("git", args, { cwd: folder, maxBuffer: 2 ** 28 }, (error, stdout) => {
      resolved(error === null ? stdout : undefined);
    });
  });
}
