import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ChildOptions } from "../../cli/process/child.js";
import { ENDING, errorIn } from "../../cli/pulumi/engine-messages.js";
import { type Diagnostic, engineEvent } from "../../cli/pulumi/events.js";
import { passphraseOf, settingsIn } from "../../cli/pulumi/project-folder.js";
import { type Project, pulumi, runPulumi } from "../../cli/pulumi/pulumi.js";
import type { ListedStack } from "../../cli/pulumi/stack-listing.js";
import { progress, stackName } from "../../cli/terminal/terminal.js";
import { shellWord } from "../../shared/messages/quoted.js";
import { howToResume } from "../drain/ends.js";
import type { Remark } from "../findings/consequences.js";
import { readViolations } from "../findings/findings.js";
import type { DeploymentLock } from "./deployment-lock.js";
import { type Reason, reasonIn } from "./outcome.js";
import { Results } from "./review-folder.js";

export interface Shared {
  /** The folder of all projects. */
  readonly root: string;
  readonly repository: string;
  readonly out: string;
  readonly interrupted: AbortSignal;
  /** Of a deployment. */
  readonly lock: DeploymentLock | undefined;
}

export class Job {
  readonly project: Project & { readonly environment: Readonly<Record<string, string>> };
  readonly results: Results;
  readonly lines: string[] = [];
  /** The process of Pulumi. */
  #running: number | undefined;
  /** Names of the projects whose stacks its preview reads. */
  reads: readonly string[] = [];

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

  /** Shows what runs, on a terminal. */
  progress(what: string): void {
    progress(`${stackName(this.stack)}: ${what} …`);
  }

  /** The first error that Pulumi printed outside of its JSON. */
  get error(): Reason | undefined {
    return this.lines.flatMap((line) => errorIn(line) ?? []).map(reasonIn)[0];
  }

  /** The command that says what a deployment has left unfinished. */
  get recovery(): string {
    const { folder, stack } = this.stack;
    const command = `buildpipeline recover --stack ${shellWord(stack)}`;
    return folder === "." ? command : `(cd ${shellWord(folder)} && ${command})`;
  }

  /** Runs Pulumi, and doesn't start it after a signal. */
  async pulumi(
    args: readonly string[],
    {
      env = {},
      onLine = this.log,
      onOutput,
    }: Partial<Pick<ChildOptions, "env" | "onLine" | "onOutput">> = {},
  ): Promise<{ readonly code: number; readonly stdout: string }> {
    const { interrupted, lock } = this.shared;
    const { directory, environment } = this.project;
    interrupted.throwIfAborted();
    const printed: string[] = [];
    this.progress(`pulumi ${args[0]} runs`);
    const code = await runPulumi(directory, [...args, "--stack", this.stack.stack, "--non-interactive"], {
      env: { ...environment, ...env },
      onLine,
      onOutput: onOutput ?? ((line) => printed.push(line)),
      onStart: (pid) => {
        this.#running = pid;
        lock?.add(pid, `Pulumi for ${stackName(this.stack)}`);
      },
    }).finally(() => {
      this.#running = undefined;
    });
    return { code, stdout: printed.join("\n") };
  }

  /** Says what goes on, and what is left to do, if a second Ctrl-C ends this process. */
  lastWords(): string[] {
    const { lock } = this.shared;
    const goesOn = `Pulumi goes on as process ${this.#running}, and records what it has begun. When it has ended, run \`${this.recovery}\`.`;
    const words = [
      ...(lock !== undefined && this.#running !== undefined ? [goesOn] : []),
      ...(this.results.has("drained") ? [howToResume([], this.results.path("drained"))] : []),
    ];
    return words.length === 0 ? [] : [`${stackName(this.stack)}: ${words.join(" ")}`];
  }

  policyArguments(): readonly string[] {
    const folder = join(this.shared.root, "policies");
    if (!existsSync(folder)) return [];
    const config = join(folder, "config.json");
    return ["--policy-pack", folder, ...(existsSync(config) ? ["--policy-pack-config", config] : [])];
  }

  /** `args` are a command that prints the engine's events. `errors`: why the policies could not be checked. */
  async violations(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly violations: readonly Remark[]; readonly errors: readonly Diagnostic[] }> {
    const policies = this.policyArguments();
    if (policies.length === 0) return { violations: [], errors: [] };
    const { code, stdout } = await this.pulumi([...args, ...policies], { env });
    const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
    const events = lines.map((line): unknown => JSON.parse(line));
    const violations = readViolations(events);
    if (code === 0 || violations.some(({ level }) => level === "danger")) return { violations, errors: [] };
    const errors = events
      .flatMap((event) => engineEvent(event)?.diagnosticEvent ?? [])
      .filter(({ severity, message }) => severity === "error" && !ENDING.test(message));
    const why = this.error === undefined ? "." : `: ${this.error.reason}`;
    const unknown = { severity: "error", message: `The policies could not be checked${why}` };
    return { violations, errors: errors.length > 0 ? errors : [unknown] };
  }
}

/** Installs the packages of a project that npm doesn't install, and its plugins. */
export async function install({ project: { directory, environment }, stack, log }: Job): Promise<void> {
  if (settingsIn(directory)?.runtime === "nodejs") return;
  log(`Installing the project's packages (${stack.folder}).`);
  await pulumi(directory, ["install", "--non-interactive"], environment);
}
