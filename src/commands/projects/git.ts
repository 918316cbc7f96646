import { execFile } from "node:child_process";
import { resolve } from "node:path";

/**
 * Returns the files that differ between a commit and `HEAD`, as absolute paths. Undefined if the text names no commit of
 * the repository.
 *
 * @param dots `...` is what a pull request changes: what `HEAD` has since they parted
 */
export async function changedIn(
  repository: string,
  commit: string,
  dots: ".." | "...",
): Promise<readonly string[] | undefined> {
  // To a difference, no commit means `HEAD`, and a text may be an option.
  const id = await git(
    repository,
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${commit}^{commit}`,
  );
  if (id === undefined) return undefined;
  const range = `${id.trim()}${dots}HEAD`;
  const printed = await git(
    repository,
    "diff",
    "--name-only",
    "--no-renames",
    "--ignore-submodules=none",
    "-z",
    range,
    "--",
  );
  return printed?.split("\0").flatMap((path) => (path === "" ? [] : [resolve(repository, path)]));
}

/** Returns the commit that is checked out; undefined outside of a repository. */
export async function commitOf(repository: string): Promise<string | undefined> {
  return (await git(repository, "rev-parse", "--verify", "HEAD"))?.trim();
}

/** Returns whether the commit that is checked out contains another one. Only full names of commits are looked up. */
export async function isAncestor(repository: string, commit: string): Promise<boolean> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return false;
  return (await git(repository, "merge-base", "--is-ancestor", commit, "HEAD")) !== undefined;
}

/** Returns the files that differ from the commit, without those that Git ignores. */
export async function uncommittedIn(repository: string): Promise<string[]> {
  const printed = await git(repository, "status", "--porcelain", "--no-renames", "-z");
  return (printed ?? "").split("\0").flatMap((line) => (line === "" ? [] : [line.slice(3)]));
}

function git(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolved) => {
    execFile("git", args, { cwd: folder, maxBuffer: 2 ** 28 }, (error, stdout) => {
      resolved(error === null ? stdout : undefined);
    });
  });
}
