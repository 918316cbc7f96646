import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Scratch } from "./command.js";

/** Ada, and nothing that would run after each command. */
const SETTINGS = ["user.name=Ada", "user.email=ada@acme.example", "maintenance.auto=false"].flatMap(
  (setting) => ["-c", setting],
);

/** A folder in which Ada commits, in a directory for the files of one test. */
export class GitRepository {
  readonly scratch = new Scratch();
  readonly root = this.scratch.path("repository");

  constructor() {
    mkdirSync(this.root);
  }

  init(): void {
    this.git("init", "--quiet", "--initial-branch", "main");
  }

  git(...args: readonly string[]): string {
    return String(execFileSync("git", [...SETTINGS, ...args], { cwd: this.root })).trim();
  }

  write(files: Readonly<Record<string, string>>): void {
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
