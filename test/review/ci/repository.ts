import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, vi } from "vitest";
import { type Emulator, startEmulator } from "../../../src/emulator/index.js";
import { buildpipeline, clientOf, command, type Ended, settingsOf } from "../../support/command.js";
import { writeCommand } from "../../support/commands-on-path.js";
import { environment } from "../../support/environment.mjs";
import { GitRepository } from "../../support/git-repository.js";

type Files = Readonly<Record<string, string>>;

/** What the stand-in for the Pulumi CLI does for a command, by `<command>` or `<project> <command>`. */
export type Scenario = Readonly<
  Record<
    string,
    {
      stdout?: unknown;
      stderr?: string;
      code?: number;
      waits?: boolean;
      records?: boolean | "late";
      /** The state that it leaves. */
      breaks?: unknown;
    }
  >
>;

/**
 * A Pulumi CLI that does what a test's scenario says: by project and command, what it prints and how it ends. It writes
 * down its calls. A shell starts ten times as fast as Node, and what it does by itself starts nothing more: the scenario is
 * variables for it.
 */
const STAND_IN = `
project=\${PWD##*/}
case "$1 $2" in "stack export" | "stack ls" | "stack history" | "policy analyze") name="$1 $2" ;; *) name=$1 ;; esac
call=$name play=$name last=
for arg in "$@"; do
  case $arg in --plan* | --policy-pack* | --refresh*) call="$call $arg" ;; esac
  case "$name $arg" in "preview --refresh="*) play=policies ;; esac
  [ "$last" = --save-plan ] && echo {} >"$arg"
  last=$arg
done
echo "$project: $call\${PULUMI_CONFIG_PASSPHRASE:+ $PULUMI_CONFIG_PASSPHRASE}\${BUILDPIPELINE_READ_ONLY:+ (reads)}" >>"$STAND_IN/calls"
waits= code= records= stdout= stderr=
for file in "$play" "$project $play"; do
  file="$STAND_IN/scenario/$file"
  [ -f "$file" ] && . "$file"
  [ -f "$file.breaks" ] && cp "$file.breaks" "$STAND_IN/scenario/stack export"
done
[ "$waits" ] && exec '${process.execPath}' '${join(__dirname, "waiting-pulumi.mjs")}' "$project" "$stdout" "$code" "$records"
printf %s "$stdout"
printf %s "$stderr" >&2
exit \${code:-0}`;

export const stateOf = (time: string, resources: readonly object[] = []) => ({
  version: 3,
  deployment: { manifest: { time }, resources },
});

/** An event of the engine about a step. */
export const done = (op: string, name: string, more: object = {}) => {
  const metadata = { op, urn: `urn:pulumi:production::acme::buildpipeline:index:Queue::${name}` };
  return JSON.stringify({ sequence: 1, resOutputsEvent: { metadata, ...more } });
};
/** An event of the engine at the beginning of a step. */
export const begun = (op: string, name: string) => {
  const metadata = { op, urn: `urn:pulumi:production::acme::buildpipeline:index:Queue::${name}` };
  return JSON.stringify({ sequence: 1, resourcePreEvent: { metadata } });
};
export const diagnostic = (severity: string, message: string, urn?: string) =>
  JSON.stringify({ sequence: 2, diagnosticEvent: { severity, message, urn } });

const URN = "urn:pulumi:production::acme::buildpipeline:index:Queue::small";

const STACK = {
  urn: "urn:pulumi:production::acme-queues::pulumi:pulumi:Stack::acme-queues-production",
  type: "pulumi:pulumi:Stack",
};
/** Nothing changes: a preview that shows everything, so that this is proven. */
export const SAME = {
  steps: ["refresh", "same"].map((op) => ({ op, urn: STACK.urn, oldState: STACK, newState: STACK })),
  changeSummary: { same: 1 },
};

/** The preview of a stack that changes nothing and reads a stack of another project. */
export const reading = (project: string) => {
  const id = `organization/${project}/production`;
  const type = "pulumi:pulumi:StackReference";
  const newState = {
    urn: `urn:pulumi:production::p::${type}::${id}`,
    type,
    id,
    custom: true,
    external: true,
  };
  return { ...SAME, steps: [...SAME.steps, { op: "read", urn: newState.urn, newState }] };
};

/** A repository of projects in a team's hands, an emulator, and a stand-in for the Pulumi CLI. */
export class Repository extends GitRepository {
  emulator!: Emulator;

  static async start(projects: readonly string[] = ["queues"], more: Files = {}): Promise<Repository> {
    const repository = new Repository();
    repository.emulator = await startEmulator({ seed: false });
    writeCommand(repository.scratch.path("bin"), "pulumi", STAND_IN);
    const files = projects.map((name) => ({
      [`${name}/Pulumi.yaml`]: `name: acme-${name}\nruntime: nodejs\n`,
      [`${name}/index.ts`]: "// A program\n",
    }));
    repository.begin(Object.assign({ ".gitignore": "review/\n" }, ...files, more));
    repository.plays({});
    return repository;
  }

  async close(): Promise<void> {
    this.scratch.remove();
    await this.emulator.close();
  }

  get client() {
    return clientOf(this.emulator);
  }

  plays(scenario: Scenario): void {
    const usual: Scenario = {
      "stack export": { stdout: stateOf("2027-01-01T00:00:00Z", [STACK]) },
      "stack ls": { stdout: [{ name: "production" }] },
      stack: { stdout: "production" },
      whoami: { stdout: { url: "https://api.pulumi.com" } },
      config: { stdout: {} },
      preview: { stdout: SAME },
      refresh: { stdout: { ...SAME, steps: SAME.steps.slice(0, 1) } },
      up: { stdout: "" },
    };
    const folder = this.scratch.path("scenario");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const text = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : `${value}`);
    const set = (values: object) =>
      Object.entries(values).map(([name, value]) => `${name}='${text(value).replaceAll("'", "'\\''")}'\n`);
    for (const [name, { breaks, ...play }] of Object.entries({ ...usual, ...scenario })) {
      writeFileSync(join(folder, name), set(play).join(""));
      if (breaks !== undefined)
        writeFileSync(join(folder, `${name}.breaks`), set({ stdout: breaks }).join(""));
    }
  }

  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const PATH = `${this.scratch.path("bin")}:${process.env.PATH}`;
    return { ...settingsOf(this.emulator), PATH, STAND_IN: this.scratch.directory, ...more };
  }

  ci(args: string, more: Readonly<Record<string, string>> = {}): Promise<Ended> {
    // Tries again without waiting.
    const clock = { now: Date.now, sleep: async () => undefined };
    return buildpipeline(["ci", ...args.split(" ")], { cwd: this.root, env: this.env(more), clock });
  }

  recover(...args: readonly string[]): Promise<Ended> {
    return buildpipeline(["recover", ...args], { cwd: join(this.root, "queues"), env: this.env() });
  }

  /** Runs `buildpipeline ci`, and reads what it prints for programs. */
  async outcomes(args: string, more: Readonly<Record<string, string>> = {}) {
    const { code, stdout, stderr } = await this.ci(`${args} --json`, more);
    const printed = JSON.parse(stdout || '{"outcomes":[]}') as {
      outcomes: {
        folder: string;
        stack: string;
        end: string;
        reason?: string;
        next?: string;
        commit?: string;
      }[];
      unmanaged?: { name: string }[] | null;
    };
    const ends = Object.fromEntries(printed.outcomes.map(({ folder, end }) => [folder, end]));
    return { code, stderr, ...printed, ends };
  }

  /** Starts `buildpipeline ci` as a process of its own, in a process group of its own. */
  start(args: string, more: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [command, "ci", ...args.split(" ")], {
      cwd: this.root,
      env: environment(this.env(more)),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const code = new Promise<number | null>((resolve) => child.once("close", resolve));
    const ended = Promise.all([code, text(child.stdout), text(child.stderr)]).then(
      ([code, stdout, stderr]): Ended => ({ code, stdout, stderr }),
    );
    return { child, ended };
  }

  /** Waits for a Pulumi that waits, and returns its process. */
  waiting(): Promise<number> {
    const found = () => this.calls().flatMap((line) => /: waits as (\d+)$/.exec(line)?.[1] ?? []);
    return vi.waitUntil(() => Number(found().at(-1)), { timeout: 120_000, interval: 20 });
  }

  calls(): string[] {
    const file = this.scratch.path("calls");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  }

  forgetCalls(): void {
    rmSync(this.scratch.path("calls"), { force: true });
  }

  result(...path: readonly string[]): string {
    return join(this.root, "review", ...path);
  }

  read(...path: readonly string[]): string {
    return readFileSync(this.result(...path), "utf8");
  }

  /** Creates a queue in a cluster, and returns it with a scenario in which a deployment deletes it. */
  async queueToDelete(inputs: Readonly<Record<string, unknown>> = {}) {
    const cluster = await this.client.clusters.create({ name: "Linux" });
    const queue = await this.client.queues.create(cluster.id, { key: "small" });
    const { organization } = this.emulator;
    const all = { organization, clusterId: cluster.id, key: "small", ...inputs };
    const type = "buildpipeline:index:Queue";
    const outputs = { ...all, id: queue.id };
    const resource = { urn: URN, custom: true, id: queue.id, type, inputs: all, outputs };
    const deletion = { op: "delete", urn: URN, oldState: resource };
    const scenario: Scenario = {
      "stack export": { stdout: stateOf("2027-01-01T00:00:00Z", [resource]) },
      preview: { stdout: { steps: [deletion], changeSummary: { delete: 1 } } },
    };
    return { cluster, queue, scenario };
  }
}

/** The repository of a test. */
export let repository: Repository;

/** Gives each test of a file a repository of these projects and of other files. */
export function repositoryForEach(projects?: readonly string[], files?: Files): void {
  beforeEach(async () => {
    repository = await Repository.start(projects, files);
  });
  afterEach(() => repository.close());
}
