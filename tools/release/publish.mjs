// The uploads to GitHub. Other registries trust the workflow .github/workflows/release.yml, which uploads to them.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkout } from "../dev/checkout.mjs";
import { mustRun, Problem, step } from "../dev/command.mjs";
import { version } from "./version.mjs";

/**
 * Uploads what was built to the page that plugins are downloaded from, and tags the Go module.
 *
 * @param {{ out: string, artifacts: readonly string[], notes: string, goModule: string }} release
 */
export async function publish({ out, artifacts, notes, goModule }) {
  const tag = `v${version}`;
  const tagged = (await git("tag", "--points-at", "HEAD")).split("\n");
  if (!tagged.includes(tag)) throw new Problem(`Tag this commit with ${tag} first. Nothing was uploaded.`);
  if ((await git("status", "--porcelain")) !== "") {
    throw new Problem("The working tree has changes. Nothing was uploaded.");
  }
  const paths = artifacts.map((file) => join(out, file));
  await step("GitHub release", () =>
    mustRun("Creating the release", "gh", ["release", "create", tag, "--notes-file", notes, ...paths]),
  );
  await step("Go module", () => tagGoModule(only(paths, /-go-.*\.zip$/), goModule));
}

/** @param {readonly string[]} paths @param {RegExp} pattern */
function only(paths, pattern) {
  const [first, second] = paths.filter((path) => pattern.test(path));
  if (first === undefined || second !== undefined) throw new Problem(`Not one artifact is like ${pattern}.`);
  return first;
}

/**
 * Go takes modules from the repository: a tag of a commit that has the module, on no branch.
 *
 * @param {string} zip @param {string} goModule
 */
async function tagGoModule(zip, goModule) {
  const work = mkdtempSync(join(tmpdir(), "buildpipeline-go-"));
  try {
    await mustRun("Unpacking the Go module", "unzip", ["-q", zip, "-d", work]);
    const tree = join(work, "tree");
    cpSync(join(work, `${goModule}@v${version}`), join(tree, "sdk", "go"), { recursive: true });
    const env = { ...process.env, GIT_INDEX_FILE: join(work, "index"), GIT_WORK_TREE: tree };
    const inTree = (/** @type {string[]} */ ...args) =>
      mustRun(`git ${args[0]}`, "git", ["--git-dir", join(checkout, ".git"), ...args], { cwd: tree, env });
    await inTree("add", "--all", "--force", ".");
    const written = (await inTree("write-tree")).trim();
    const message = `Go SDK of v${version}`;
    const commit = (await inTree("commit-tree", written, "-p", "HEAD", "-m", message)).trim();
    const tag = `sdk/go/v${version}`;
    await git("tag", tag, commit);
    // gh has the token of the release; the checkout keeps none.
    await git(
      "-c",
      "credential.helper=",
      "-c",
      "credential.helper=!gh auth git-credential",
      "push",
      "origin",
      tag,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param {string[]} args */
async function git(...args) {
  return (await mustRun(`git ${args[0]}`, "git", args, { cwd: checkout })).trimEnd();
}
