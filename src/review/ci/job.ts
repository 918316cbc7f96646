import { existsSync } from "node:fs";
import { join } from "node:path";
import { errorIn } from "../../cli/pulumi/engine-messages.js";
import { passphraseOf, settingsIn } from "../../cli/pulumi/project-folder.js";
import { type Project, pulumi } from "../../cli/pulumi/pulumi.js";
import type { ListedStack } from "../../cli/pulumi/stack-listing.js";
import type { ChildOptions, Children } from "../projects/children.js";
import { type Danger, readViolations } from "../report/dangers.js";
import { Results } from "./review-folder.js";

export interface Shared {
  /** The folder of all projects. */
  readonly root: string;
  readonly repository: string;
  readonly out: string;
  readonly children: Children;
}

export class Job {
  readonly project: Project & { readonly environment: Readonly<Record<string, string>> };
  readonly results: Results;
  readonly lines: string[] = [];

  constructor(
    readonly stack: ListedStack,
    readonly shared: Shared,
    readOnly: boolean,
  ) {
    const environment = { ...passphraseOf(stack), ...(readOnly && { BUILDPIPELINE_READ_ONLY: "true" }) };
    this.project = { directory: join(shared.root, stack.folder), stack: stack.stack, environment };
    this.results = new Results(shared.out, stack);
  }

  readonly log = (line: string): void => {
    if (line.trim() !== "" && this.lines.at(-1) !== line) this.lines.push(line);
  };

  /** The first error that Pulumi printed outside of its JSON. */
  get error(): string | undefined {
    return this.lines.flatMap((line) => errorIn(line) ?? [])[0];
  }

  /** A signal reaches the Pulumi CLI alone, because a provider that is killed forgets a creation. */
  async pulumi(
    args: readonly string[],
    {
      env = {},
      onLine = this.log,
      onOutput,
    }: Partial<Pick<ChildOptions, "env" | "onLine" | "onOutput">> = {},
  ): Promise<{ readonly code: number; readonly stdout: string }> {
    const { directory, environment } = this.project;
    const printed: string[] = [];
    const withStack = [...args, "--stack", this.stack.stack, "--non-interactive"];
    const code = await this.shared.children.run("pulumi", withStack, {
      cwd: directory,
      env: { PULUMI_SKIP_UPDATE_CHECK: "true", ...environment, ...env },
      onLine,
      onOutput: onOutput ?? ((line) => printed.push(line)),
      isGroup: true,
    });
    return { code, stdout: printed.join("\n") };
  }

  policyArguments(): readonly string[] {
    const folder = join(this.shared.root, "policies");
    if (!existsSync(folder)) return [];
    const config = join(folder, "config.json");
    return ["--policy-pack", folder, ...(existsSync(config) ? ["--policy-pack-config", config] : [])];
  }

  /** `args` are a command that prints the engine's events. `isBroken`: the policies could not be checked. */
  async violations(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly violations: readonly Danger[]; readonly isBroken: boolean }> {
    const policies = this.policyArguments();
    if (policies.length === 0) return { violations: [], isBroken: false };
    const { code, stdout } = await this.pulumi([...args, ...policies], { env });
    const events = stdout.split("\n").filter((line) => line.startsWith("{"));
    const violations = readViolations(events.map((event): unknown => JSON.parse(event)));
    return { violations, isBroken: code !== 0 && !violations.some(({ level }) => level === "danger") };
  }
}

/** Installs the packages of a project that npm doesn't install, and its plugins. */
export async function install({ project: { directory, environment }, stack, log }: Job): Promise<void> {
  if (settingsIn(directory)?.runtime === "nodejs") return;
  log(`Installing the packages of ${stack.folder}.`);
  await pulumi(directory, ["install", "--non-interactive"], environment);
}
