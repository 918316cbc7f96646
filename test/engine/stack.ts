import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  type Deployment,
  LocalWorkspace,
  PulumiCommand,
  type PulumiFn,
  Stack,
  type Workspace,
} from "@pulumi/pulumi/automation/index.js";
import { beforeAll, beforeEach, expect } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";
import { Colleague } from "../support/colleague.js";
import { outputsIn, type Resources, resourcesIn } from "./checkpoint.js";
import { countedCommand, countedEnvironment, countedRoot } from "./counted-commands.js";
import { CHECKOUT, closedAtEnd, temporaryFolder, WITHIN_CHECKOUT } from "./ending.js";
import { keyService, SECRETS_PROVIDER } from "./key-service.js";
import { quickStart } from "./quick-start.js";
import "./separate-connections.cjs";

const OWN_TYPE = /^(?:pulumi-nodejs:dynamic\/buildpipeline|buildpipeline:index):/;

export interface EngineOutcome {
  /** Everything it printed, standard error included. */
  readonly output: string;
  /** What happened to each resource, by its name in the program: `create`, `update`, `replace`, `delete`, `same`. */
  readonly steps: Readonly<Record<string, readonly string[]>>;
  /** Names of the properties that a resource's update or replacement is about. */
  readonly diffs: Readonly<Record<string, readonly string[]>>;
  /** The stack's outputs after `up`, secrets in plain text. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly external?: boolean;
  /** It was replaced, and waits for its deletion. */
  readonly delete?: boolean;
  /** It was deleted to be replaced, and its replacement does not exist yet. */
  readonly pendingReplacement?: boolean;
  /** It exists, but was not finished: why. */
  readonly initErrors?: readonly string[];
}

export interface Options {
  /** Environment variables beside the emulator's settings; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Flags for one command, by the names of the Automation API. */
  readonly replace?: string[];
  readonly target?: string[];
  readonly exclude?: string[];
  readonly excludeProtected?: boolean;
  readonly expectNoChanges?: boolean;
  /** `refresh` and `destroy` run the program, and so use the stack's configuration as it is now. */
  readonly runProgram?: boolean;
  /** The program that `refresh` and `destroy` run then. Default: the last one. */
  readonly program?: PulumiFn;
  /** `up` refreshes first. */
  readonly refresh?: boolean;
  /** An update plan: a preview writes this file, and `up` keeps to it. */
  readonly plan?: string;
}

/**
 * A stack of its own on the real engine, against an emulator of its own. Programs run in this process, by Pulumi's
 * Automation API; the provider runs where it always does, in the dynamic-provider host that the engine starts. It is
 * closed when its test file ends.
 */
export class TestStack {
  /** Errors and warnings of all commands, in their order. */
  readonly observed: string[] = [];
  /** The same with remarks, such as that a pipeline was archived. */
  readonly said: string[] = [];
  declare emulator: Emulator;
  /** Somebody who works on the same service by hand. */
  declare colleague: Colleague;
  declare directory: string;
  declare private stack: Stack;
  #program: PulumiFn = async () => undefined;
  /** The stack's files as they were when it was created. */
  #created: readonly { readonly file: string; readonly text: string }[] = [];

  /** A stack for all tests of a group or a file. */
  static forAll(options: EmulatorOptions = {}): TestStack {
    const stack = new TestStack();
    beforeAll(() => stack.#start(options));
    return stack;
  }

  /** An empty stack and a new emulator for each test of a group or a file. */
  static forEach(options: EmulatorOptions = {}): TestStack {
    const stack = TestStack.forAll(options);
    beforeEach(() => stack.#empty(options));
    return stack;
  }

  static async start(options: EmulatorOptions = {}): Promise<TestStack> {
    const stack = new TestStack();
    await stack.#start(options);
    return stack;
  }

  async #serve(options: EmulatorOptions): Promise<void> {
    this.emulator = closedAtEnd(await startEmulator({ seed: false, ...options }));
    this.colleague = new Colleague(this.emulator);
  }

  async #start(options: EmulatorOptions): Promise<void> {
    await this.#serve(options);
    const directory = temporaryFolder("stack", WITHIN_CHECKOUT);
    this.directory = directory;
    const backend = join(directory, "state");
    mkdirSync(backend);
    const workspace = await LocalWorkspace.create({
      pulumiCommand: await pulumiCommand(),
      workDir: directory,
      program: () => this.#program(),
      projectSettings: projectSettings(backend),
      secretsProvider: SECRETS_PROVIDER,
      envVars: {
        ...definedOnly(countedEnvironment(expect.getState().testPath ?? "")),
        ...(await keyService()),
        PULUMI_CONFIG_PASSPHRASE: "test",
        ...quickStart,
        PULUMI_HOME: join(directory, "home"),
      },
    });
    this.stack = await newStack("test", workspace);
    const files = [this.#stateFile, join(directory, "Pulumi.test.yaml")];
    this.#created = files.map((file) => ({ file, text: readFileSync(file, "utf8") }));
  }

  /** Puts the stack's files back as they were when it was created, which saves a `pulumi stack init`. */
  async #empty(options: EmulatorOptions): Promise<void> {
    for (const { file, text } of this.#created) writeFileSync(file, text);
    this.observed.length = 0;
    this.said.length = 0;
    this.#program = async () => undefined;
    await this.#serve(options);
  }

  get #stateFile(): string {
    return join(this.directory, "state", ".pulumi", "stacks", "test", "test.json");
  }

  up(program: PulumiFn | undefined, options: Options = {}): Promise<EngineOutcome> {
    return this.#command("up", program, options);
  }

  preview(program: PulumiFn | undefined, options: Options = {}): Promise<EngineOutcome> {
    return this.#command("preview", program, options);
  }

  refresh(options: Options = {}): Promise<EngineOutcome> {
    return this.#command("refresh", options.program, options);
  }

  destroy(options: Options = {}): Promise<EngineOutcome> {
    return this.#command("destroy", options.program, options);
  }

  /** Sets a value of the stack's configuration. Only a secret one needs a command of the CLI, which encrypts it. */
  async configure(key: string, value: string, { secret = false } = {}): Promise<void> {
    const { name, workspace } = this.stack;
    if (secret) return this.stack.setConfig(key, { value, secret });
    const settings = await workspace.stackSettings(name);
    await workspace.saveStackSettings(name, { ...settings, config: { ...settings.config, [key]: value } });
  }

  /** Puts the emulator's settings into the stack's configuration. */
  async useConfiguration(): Promise<void> {
    const { url, organization, accessToken } = this.emulator;
    await this.configure("buildpipeline:baseUrl", url);
    await this.configure("buildpipeline:organization", organization);
    await this.configure("buildpipeline:accessToken", accessToken, { secret: true });
  }

  /** Runs a command of the CLI in the stack's folder, with its settings. @returns everything that it printed */
  async cli(...args: readonly string[]): Promise<string> {
    const env = { ...process.env, ...this.stack.workspace.envVars };
    const { stdout, stderr } = await promisify(execFile)(countedCommand, args, { cwd: this.directory, env });
    return `${stdout}\n${stderr}`;
  }

  /** Makes another stack of the project, on the same service. @returns its `up` */
  async beside(name: string): Promise<(program: PulumiFn) => Promise<EngineOutcome>> {
    const { workspace } = this.stack;
    const other = new TestStack();
    Object.assign(other, this, { stack: await newStack(name, workspace) });
    return async (program) => {
      // A workspace has one program for all of its stacks.
      workspace.program = program;
      const outcome = await other.up(program);
      workspace.program = () => this.#program();
      return outcome;
    };
  }

  export(): Promise<Deployment> {
    return this.stack.exportStack();
  }

  import(deployment: Deployment): Promise<void> {
    return this.stack.importStack(deployment);
  }

  /** What a failing command says. Fails when the command does not. */
  async refused(command: Promise<EngineOutcome>): Promise<string> {
    let outcome: EngineOutcome;
    try {
      outcome = await command;
    } catch (error) {
      return String(error instanceof Error ? error.message : error);
    }
    throw new Error(`The command succeeded, and should not have:\n${outcome.output}`);
  }

  /** Resources of this package in the state, by the name in the program; secrets in plain text. */
  async state(): Promise<Readonly<Record<string, StateResource>>> {
    const found: Record<string, StateResource> = {};
    for (const resource of await this.entries()) found[nameOf(resource.urn)] = resource;
    return found;
  }

  /** Resources of this package in the state, in its order; of a name there may be several that wait for deletion. */
  async entries(): Promise<readonly StateResource[]> {
    const resources = await this.#resources();
    return resources
      .map((resource) => ({ urn: "", type: "", id: "", inputs: {}, outputs: {}, ...resource }))
      .filter(({ type }) => OWN_TYPE.test(type));
  }

  async #resources(): Promise<Resources> {
    return resourcesIn(this.#stateFile) ?? (await this.export()).deployment?.resources ?? [];
  }

  /** Every byte that the stack keeps on disk: state, backups, history. */
  files(): string {
    const entries = readdirSync(join(this.directory, "state"), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
      .join("\n");
  }

  /** Requests that the emulator saw since the last call, as `METHOD path`. */
  requests(): string[] {
    const seen = this.emulator.requests.map(({ method, path }) => `${method} ${path}`);
    this.emulator.clearRequests();
    return seen;
  }

  /** Those of the requests since the last call that can change something. */
  writes(): string[] {
    return this.requests().filter((request) => !request.startsWith("GET"));
  }

  async #command(
    verb: "up" | "preview" | "refresh" | "destroy",
    program: PulumiFn | undefined,
    { env, program: _, ...flags }: Options,
  ): Promise<EngineOutcome> {
    if (program !== undefined) this.#program = program;
    const printed: string[] = [];
    const steps: Record<string, string[]> = {};
    const diffs: Record<string, string[]> = {};
    const environment = {
      BUILDPIPELINE_BASE_URL: this.emulator.url,
      BUILDPIPELINE_ACCESS_TOKEN: this.emulator.accessToken,
      BUILDPIPELINE_ORGANIZATION: this.emulator.organization,
      ...env,
    };
    for (const [name, value] of Object.entries(environment)) {
      if (value === undefined) delete this.stack.workspace.envVars[name];
      else this.stack.workspace.envVars[name] = value;
    }
    const result = await this.stack[verb]({
      ...flags,
      ...(verb === "preview" && { diff: true }),
      color: "never",
      onOutput: (text) => printed.push(text),
      onEvent: (event) => {
        const { severity, message = "" } = event.diagnosticEvent ?? {};
        // The plugin's warnings have that severity, and those of the dynamic provider are lines of its output.
        const isWarning = severity === "warning" || /^warning: /.test(message);
        if (severity === "error" || isWarning) this.observed.push(message);
        if (severity === "error" || severity === "warning" || severity?.startsWith("info"))
          this.said.push(message);
        const metadata = event.resourcePreEvent?.metadata;
        if (metadata === undefined || !OWN_TYPE.test(metadata.type)) return;
        const name = nameOf(metadata.urn);
        steps[name] = [...(steps[name] ?? []), metadata.op];
        diffs[name] = [...new Set([...(diffs[name] ?? []), ...(metadata.diffs ?? [])])];
      },
    });
    const outputs = outputsIn(await this.#resources());
    return { output: `${printed.join("")}\n${result.stdout}\n${result.stderr}`, steps, diffs, outputs };
  }
}

let found: Promise<PulumiCommand> | undefined;

/** The CLI. The Automation API asks it for its version, once for all stacks of a file. */
function pulumiCommand(): Promise<PulumiCommand> {
  found ??= PulumiCommand.get({ root: countedRoot });
  return found;
}

async function newStack(name: string, workspace: Workspace): Promise<Stack> {
  const stack = await Stack.create(name, workspace);
  // After each command the Automation API runs the CLI up to three times more. The checkpoint has the same.
  stack.outputs = async () => ({});
  stack.info = async () => undefined;
  return stack;
}

/** The SDK's type knows nothing of `plugins`, and its code writes down what it is given. */
function projectSettings(backend: string) {
  return {
    name: "test",
    runtime: "nodejs",
    backend: { url: `file://${backend}` },
    plugins: { providers: [{ name: "buildpipeline", path: join(CHECKOUT, "plugin") }] },
  } as const;
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

export function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}
