import { resolve } from "node:path";
import * as z from "zod";
import { onStack, type Project } from "../../cli/pulumi/pulumi.js";
import { git as printedByGit } from "../../cli/pulumi/repository.js";

/**
 * Returns absolute paths of tracked files, by the content that they have now, committed or not. Undefined if the text names
 * no commit of the repository. What a pull request changes is compared with the commit where it parted from that one.
 */
export async function changedIn(
  repository: string,
  commit: string,
  isPullRequest: boolean,
): Promise<readonly string[] | undefined> {
  // To a difference, no commit means `HEAD`, and a text may be an option.
  const id = isFullName(commit)
    ? commit
    : await git(repository, "rev-parse --verify --quiet --end-of-options", `${commit}^{commit}`);
  if (id === undefined) return undefined;
  const base = isPullRequest ? await git(repository, "merge-base", id.trim(), "HEAD") : id;
  if (base === undefined) return undefined;
  const words = "diff --name-only --no-renames --ignore-submodules=untracked -z";
  const printed = await git(repository, words, base.trim(), "--");
  return printed?.split("\0").flatMap((path) => (path === "" ? [] : [resolve(repository, path)]));
}

/** Undefined outside of a repository. */
export async function commitOf(repository: string): Promise<string | undefined> {
  return (await git(repository, "rev-parse --verify HEAD"))?.trim();
}

/** Only full names of commits are looked up. */
export async function isAncestor(repository: string, commit: string): Promise<boolean> {
  if (!isFullName(commit)) return false;
  return (await git(repository, "merge-base --is-ancestor", commit, "HEAD")) !== undefined;
}

/**
 * Returns the messages of a commit and of those that come with it. These are since the main branch, or with a merge into
 * it, and since the last deployment of the stack, as far as that is known. A shallow clone may lack some.
 */
export async function messagesOf(repository: string, commit: string, project: Project): Promise<string> {
  if (!isFullName(commit)) return "";
  const [base, commits] = await Promise.all([
    git(repository, "merge-base origin/HEAD", commit),
    deployments(project),
  ]);
  const since = base === undefined || base.trim() === commit ? `${commit}^1` : base.trim();
  const bases = [since, ...commits.slice(0, 1).flatMap(({ commit: own }) => (isFullName(own) ? own : []))];
  const log = (range: string, ...args: readonly string[]) =>
    git(repository, "log --format=%B%n", ...args, range, "--");
  const own = log(commit, "--max-count=1");
  return (await Promise.all([own, ...bases.map((from) => log(`${from}..${commit}`))])).join("\n");
}

function isFullName(commit: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(commit);
}

export async function isShallow(repository: string): Promise<boolean> {
  return (await git(repository, "rev-parse --is-shallow-repository"))?.trim() === "true";
}

/**
 * Returns the commit of the work tree, undefined outside of a repository, and the files that differ from it. Git refuses to
 * compare files without their filter, such as that of Git LFS: what isn't known may differ.
 */
export async function workTreeOf(
  repository: string,
): Promise<{ readonly commit: string | undefined; readonly uncommitted: readonly string[] }> {
  const words = "status --porcelain=v2 --branch --no-ahead-behind --no-renames -z";
  const lines = (await git(repository, words))?.split("\0");
  const commit = lines?.flatMap((line) => /^# branch\.oid ([0-9a-f]{40,64})$/.exec(line)?.[1] ?? [])[0];
  if (lines !== undefined)
    return { commit, uncommitted: lines.flatMap((line) => STATUS.exec(line)?.groups?.path ?? []) };
  const head = await commitOf(repository);
  const unknown = head === undefined ? [] : ["unknown files, because git status fails here"];
  return { commit: head, uncommitted: unknown };
}

/** A line about a file: one that changed, one with a conflict, or one that Git doesn't track. */
const STATUS = /^(?:1 (?:\S+ ){7}|u (?:\S+ ){9}|\? )(?<path>.+)$/s;

/** Undefined if Git refuses, for example because there is no such commit. */
export async function git(
  folder: string,
  words: string,
  ...args: readonly string[]
): Promise<string | undefined> {
  try {
    return await printedByGit(folder, [...words.split(" "), ...args]);
  } catch (error) {
    // A signal also ends Git, whose silence would then say that there is no repository, or no change.
    if (error instanceof Error && "signal" in error && error.signal) throw error;
    return undefined;
  }
}

const historySchema = z.array(
  z.object({
    kind: z.string(),
    result: z.string(),
    startTime: z.string().optional(),
    environment: z.record(z.string(), z.string()).nullish(),
  }),
);

/**
 * Undefined where a commit of its deployments isn't known.
 *
 * @param changedSince returns what {@link changedIn} does for a commit
 */
export async function changedSinceDeployment(
  project: Project,
  changedSince: (commit: string) => Promise<readonly string[] | undefined>,
): Promise<readonly string[] | undefined> {
  const commits = await deployments(project);
  const changes = await Promise.all(commits.map(({ commit }) => changedSince(commit)));
  const known = changes.filter((changed) => changed !== undefined);
  return known.length === 0 || known.length < changes.length ? undefined : known.flat();
}

/** A commit that a stack was deployed from, or partly, and that is later than the present one. */
export interface LaterDeployment {
  readonly commit: string;
  /** The clone lacks it, or what is between the two, and the present one was there before the deployment. */
  readonly isUnsure: boolean;
}

export async function laterDeployment(
  project: Project,
  repository: string,
  head: string,
): Promise<LaterDeployment | undefined> {
  const is = async (words: string, ...commits: readonly string[]) =>
    (await git(repository, words, ...commits)) !== undefined;
  let unsure: LaterDeployment | undefined;
  for (const { commit, startTime = "" } of await deployments(project)) {
    if (!isFullName(commit) || commit === head) continue;
    if (await is("merge-base --is-ancestor", commit, head)) continue;
    if (await is("merge-base --is-ancestor", head, commit)) return { commit, isUnsure: false };
    const time = await git(repository, "log --max-count=1 --format=%cI", head);
    if (Date.parse(time?.trim() ?? "") >= Date.parse(startTime)) continue;
    const isWhole = (await is("cat-file -e", commit)) && !(await isShallow(repository));
    if (!isWhole) unsure = { commit, isUnsure: true };
  }
  return unsure;
}

/**
 * Returns the commits that a stack was deployed from, and when, as Pulumi notes them with each deployment. These are that of
 * the last successful deployment, and those that were tried since, which may be deployed in part. None if there is none, if
 * files differed from a commit, or if the stack was destroyed since.
 */
async function deployments(project: Project) {
  try {
    const printed = await onStack(project, ["stack", "history", "--json", "--page-size", "50"]);
    const changes = historySchema
      .parse(JSON.parse(printed))
      .filter(({ kind }) => kind === "update" || kind === "destroy");
    const last = changes.findIndex(({ kind, result }) => kind === "update" && result === "succeeded");
    const tried = changes.slice(0, last + 1).toReversed();
    const known = new Map<string, { readonly commit: string; readonly startTime?: string | undefined }>();
    for (const { kind, startTime, environment } of tried) {
      const { "git.head": commit, "git.dirty": isDirty } = environment ?? {};
      // Pulumi leaves out what it couldn't find out.
      if (commit === undefined || kind === "destroy" || isDirty !== "false") return [];
      known.set(commit, { commit, startTime });
    }
    return [...known.values()];
  } catch {
    // What isn't known counts as never deployed: its project is then previewed.
    return [];
  }
}
