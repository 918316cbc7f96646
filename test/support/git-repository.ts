import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Scratch } from "./command.js";

/** Ada, and nothing that would run after each command. */
const SETTINGS = ["user.name=Ada", "user.email=ada@acme.example", "maintenance.auto=false"].flatMap(
  (setting) => ["-c", setting],
);

/** What Git made of first commits, by their files. Five processes for each test would take longer than most tests do. */
const firstCommits = new Map<string, ReadonlyMap<string, Buffer>>();

/** A folder in which Ada commits, in a directory for the files of one test. */
export class GitRepository {
  readonly scratch = new Scratch();
  readonly root = this.scratch.path("repository");

  constructor() {
    mkdirSync(this.root);
  }

  /** Makes it a repository whose first commit, on the branch `main`, has these files. */
  begin(files: Readonly<Record<string, string>>, branch = "main"): void {
    this.write(files);
    const git = join(this.root, ".git");
    const name = JSON.stringify([files, branch]);
    const known = firstCommits.get(name);
    if (known === undefined) {
      this.git("init", "--quiet", "--template=", "--initial-branch", "main");
      this.commit();
      if (branch !== "main") this.git("checkout", "--quiet", "-b", branch);
      firstCommits.set(name, contents(git));
      return;
    }
    for (const [path, content] of known) {
      mkdirSync(dirname(join(git, path)), { recursive: true });
      writeFileSync(join(git, path), content);
    }
  }

  git(...args: readonly string[]): string {
    return String(execFileSync("git", [...SETTINGS, ...args], { cwd: this.root })).trim();
  }

  write(files: Readonly<Record<string, string | Buffer>>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), content);
    }
  }

  /** Removes a file, or a folder with everything in it. */
  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
  }

  /** Writes files and commits everything. @returns the commit */
  commit(files: Readonly<Record<string, string>> = {}): string {
    this.write(files);
    // One process: each that a large one starts costs a copy of its page tables.
    const git = `git ${SETTINGS.join(" ")}`;
    const script = `${git} add . && ${git} commit --quiet --message "A change" && git rev-parse HEAD`;
    return execFileSync("sh", ["-c", script], { cwd: this.root, encoding: "utf8" }).trim();
  }
}

/** Returns what the files in a folder contain, by their paths in it. */
export function contents(folder: string): ReadonlyMap<string, Buffer> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}
