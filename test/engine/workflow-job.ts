import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import type { Project } from "./project.js";

interface Workflow {
  jobs: Record<string, { steps: { run?: string }[] }>;
}

interface Which {
  /** Default: `main`. */
  readonly branch?: string;
  /** A run that a person starts, of every project. */
  readonly all?: boolean;
  /** The folder of a preview's project. */
  readonly only?: string;
}

/** A folder of a project in a repository: the host's, the developer's clone and the runner's. */
export class Repository {
  /** @param environment assignments for a job, as a shell has them */
  constructor(
    readonly project: Project,
    readonly folder: string,
    readonly environment: (job: string) => string,
  ) {}

  async start(): Promise<void> {
    await this.shell(`
      git init --quiet --bare --initial-branch main ../host.git
      git init --quiet --initial-branch main
      git config user.name Ada && git config user.email ada@acme.example
      git remote add origin ../host.git
      git add . && git commit --quiet --message "An organization" && git push --quiet origin main
      git clone --quiet ../host.git ../runner`);
  }

  shell(line: string): Promise<string> {
    return this.project.shell(`cd ${this.folder}\n${line}`);
  }

  /** Changes files on a branch of its own, and pushes it. */
  async change(branch: string, edits: Readonly<Record<string, (text: string) => string>>): Promise<void> {
    await this.shell(`git checkout --quiet -b ${branch} main`);
    for (const [name, edit] of Object.entries(edits)) {
      const file = join(this.folder, name);
      const text = this.project.read(file);
      expect(edit(text)).not.toBe(text);
      this.project.write(file, edit(text));
    }
    await this.shell(
      `git add . && git commit --quiet --message ${branch} && git push --quiet origin ${branch}`,
    );
  }

  merge(branch: string): Promise<string> {
    return this.shell(
      `git checkout --quiet main && git merge --quiet ${branch} && git push --quiet origin main`,
    );
  }

  /** A file that the runner's last job wrote, of the whole run or of a stack. */
  made(...path: readonly string[]): string {
    return readFileSync(join(this.project.directory, this.folder, "..", "runner", "review", ...path), "utf8");
  }

  /** Runs a job, and expects how it ends. @returns what it printed */
  async ends(name: string, expected: { code: string; writes?: string[] }, which?: Which): Promise<string> {
    const { output, ...ended } = await this.job(name, which);
    expect(ended, output).toMatchObject(expected);
    return output;
  }

  /**
   * Runs the commands of a workflow's job in the runner's clone. What they install is there already.
   *
   * @returns how it ended, and the requests that it sent
   */
  async job(name: string, { branch = "main", all = false, only = "." }: Which = {}) {
    const workflow = join(this.folder, ".github", "workflows", "buildpipeline.yml");
    const { jobs }: Workflow = parse(this.project.read(workflow));
    const commands = jobs[name]?.steps.flatMap(({ run }) => run ?? []) ?? [];
    // Its own test installs.
    const script = commands
      .filter((line) => !line.startsWith("npm "))
      .join("\n")
      .replace(/\$\{\{ inputs\..*\}\}/g, all ? "--all" : "--since-deployment");
    this.project.emulator.clearRequests();
    const output = await this.shell(`
      cd ../runner
      git fetch --quiet && git checkout --quiet --detach origin/${branch}
      export ${this.environment(name)}
      export PROJECT='${only}'
      rm -rf change && [ ! -d review ] || cp -R review change
      ( set -e
        ${script} ) 2>&1 && echo "exit code 0" || echo "exit code $?"`);
    return {
      output,
      code: /exit code (\d+)/.exec(output.slice(output.lastIndexOf("exit code")))?.[1] ?? "",
      writes: this.project.writes(),
    };
  }
}
