import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect } from "vitest";
import { BuildPipelineClient } from "../../src/client/index.js";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";
import { PROVIDED_VERSION } from "../../tools/dev/pulumi-cli/release.mjs";
import { Colleague } from "../support/colleague.js";
import { downloads, environment } from "../support/environment.mjs";
import { countedCommand, countedEnvironment } from "./counted-commands.js";
import { CHECKOUT, closedAtEnd, temporaryFolder, WITHIN_CHECKOUT } from "./ending.js";
import { keyService, SECRETS_PROVIDER } from "./key-service.js";
import { quickInstall, quickStart } from "./quick-start.js";

const PLUGIN = "pulumi-resource-buildpipeline";

/** The package's command, as a shell line begins. */
export const COMMAND = `node ${join(CHECKOUT, "dist", "commands", "main.js")}`;

export interface Exported {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly provider?: string;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** An engine that was started and goes on by itself. */
export interface Engine {
  readonly pid: number;
  /** Resolves when it has ended, however it did. */
  readonly ended: Promise<void>;
}

/**
 * A user's project in a directory of its own, with a local backend and an emulator, driven by the commands that
 * the user would type.
 */
export class Project {
  readonly emulator: Emulator;
  readonly colleague: Colleague;
  readonly client: BuildPipelineClient;
  readonly directory: string;
  readonly #environment: NodeJS.ProcessEnv;

  private constructor(emulator: Emulator, root: string, keys: Readonly<Record<string, string>>) {
    this.emulator = emulator;
    this.colleague = new Colleague(emulator);
    const { url: baseUrl, accessToken, organization } = emulator;
    this.client = closedAtEnd(new BuildPipelineClient({ baseUrl, accessToken, organization }));
    this.directory = join(root, "project");
    this.#environment = countedEnvironment(expect.getState().testPath ?? "", {
      ...environment(downloads()),
      ...quickStart,
      ...quickInstall,
      ...keys,
      NO_COLOR: "1",
      BUILDPIPELINE_BASE_URL: emulator.url,
      BUILDPIPELINE_ACCESS_TOKEN: emulator.accessToken,
      BUILDPIPELINE_ORGANIZATION: emulator.organization,
      PULUMI_BACKEND_URL: `file://${join(root, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_HOME: join(root, "home"),
    });
  }

  /**
   * A copy of an example, or an empty project. The service has nothing in it. Both are closed when the test file ends.
   *
   * @param parent Default: a folder inside the checkout, where Node finds the package under test.
   */
  static async start(
    example?: string,
    options: EmulatorOptions = {},
    parent = WITHIN_CHECKOUT,
  ): Promise<Project> {
    const emulator = closedAtEnd(await startEmulator({ seed: false, ...options }));
    const root = temporaryFolder(example ?? "new", parent);
    const project = new Project(emulator, root, await keyService());
    mkdirSync(join(root, "state"));
    // npm's launcher finds the CLI there, and downloads nothing.
    const launched = join(root, "home", "versions", PROVIDED_VERSION);
    mkdirSync(launched, { recursive: true });
    symlinkSync(dirname(countedCommand), join(launched, "bin"));
    if (example === undefined) mkdirSync(project.directory);
    else cpSync(join(CHECKOUT, "examples", example), project.directory, { recursive: true });
    return project;
  }

  /** Runs a line as a shell would. Fails when the command does, with everything that it printed. */
  async shell(script: string, input = ""): Promise<string> {
    const { code, output } = await this.#run(script, input);
    if (code !== 0) throw new Error(`\`${script}\` ended with ${code}:\n${output}`);
    return output;
  }

  /** Runs a line that must fail. @returns what it printed */
  refused(script: string): Promise<string> {
    return this.shell(`! { ${script} 2>&1; }`);
  }

  pulumi(...args: readonly string[]): Promise<string> {
    return this.shell(`pulumi ${args.map(quoted).join(" ")}`);
  }

  up(...flags: readonly string[]): Promise<string> {
    return this.pulumi("up", "--yes", "--skip-preview", ...flags);
  }

  destroy(...flags: readonly string[]): Promise<string> {
    return this.pulumi("destroy", "--yes", "--skip-preview", ...flags);
  }

  /** Expects that a preview shows no change. */
  unchanged(): Promise<string> {
    return this.pulumi("preview", "--expect-no-changes");
  }

  /** The resources in the state, as `pulumi stack export` has them. */
  async resources(...flags: readonly string[]): Promise<readonly Exported[]> {
    const words = ["pulumi", "stack", "export", ...flags].join(" ");
    return JSON.parse(await this.shell(`${words} 2>/dev/null`)).deployment.resources;
  }

  /** Writes a program in JavaScript, which needs no compiler, and the settings of its project, which has both backends. */
  declare(program: string, name = "test"): void {
    const plugins = `{ providers: [{ name: buildpipeline, path: ${join(CHECKOUT, "plugin")} }] }`;
    this.write("Pulumi.yaml", `name: ${name}\nruntime: nodejs\nmain: index.js\nplugins: ${plugins}\n`);
    this.write("index.js", program);
  }

  /** Puts the package under test where npm puts it. */
  linkPackage(): void {
    mkdirSync(join(this.directory, "node_modules"));
    symlinkSync(CHECKOUT, join(this.directory, "node_modules", "pulumi-buildpipeline"));
  }

  /** Does the same for Pulumi, which runs npm in the project: npm has no place for lazy closures. */
  installPackage(): void {
    this.forget("NODE_OPTIONS");
    this.linkPackage();
  }

  async newStack(name = "test"): Promise<void> {
    await this.pulumi("stack", "init", name, "--secrets-provider", SECRETS_PROVIDER);
  }

  /** Moves the settings from the environment to the stack's configuration, along with others: `key=value`. */
  async useStackConfiguration(...others: readonly string[]): Promise<void> {
    const { url, organization, accessToken } = this.emulator;
    const plain = [`buildpipeline:baseUrl=${url}`, `buildpipeline:organization=${organization}`, ...others];
    const secret = ["--secret", `buildpipeline:accessToken=${accessToken}`];
    await this.pulumi("config", "set-all", ...plain.flatMap((one) => ["--plaintext", one]), ...secret);
    this.forgetSettings();
  }

  forgetSettings(): void {
    this.forget("BUILDPIPELINE_ACCESS_TOKEN", "BUILDPIPELINE_ORGANIZATION", "BUILDPIPELINE_BASE_URL");
  }

  /** Starts the Pulumi CLI and leaves it running: the process is the engine. */
  engine(...args: readonly string[]): Engine {
    const child = spawn(countedCommand, [...args, "--non-interactive"], {
      cwd: this.directory,
      env: this.#environment,
      stdio: "ignore",
    });
    if (child.pid === undefined) throw new Error("The engine did not start.");
    return { pid: child.pid, ended: once(child, "exit").then(() => undefined) };
  }

  /** Takes folders with the plugin from the PATH, where the engine prefers it to an installed one. */
  withoutInstalledCommands(): void {
    const { PATH = "" } = this.#environment;
    const others = PATH.split(delimiter).filter((directory) => !existsSync(join(directory, PLUGIN)));
    this.#environment.PATH = [dirname(process.execPath), ...others].join(delimiter);
  }

  remember(variables: Readonly<Record<string, string>>): void {
    Object.assign(this.#environment, variables);
  }

  forget(...names: readonly string[]): void {
    for (const name of names) delete this.#environment[name];
  }

  read(file: string): string {
    return readFileSync(join(this.directory, file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.directory, file), text);
  }

  /** Operations of the requests that can change something, since the emulator's list was last cleared. */
  writes(): string[] {
    const writes = this.emulator.requests.filter(({ method }) => method !== "GET");
    return writes.map(({ operation }) => String(operation));
  }

  /** Everything that a program can make, by name. */
  async inventory(): Promise<Record<string, readonly string[]>> {
    const found: Record<string, readonly string[]> = {};
    for (const path of ["/clusters", "/pipeline-templates", "/teams", "/suites"]) {
      const entities = await this.colleague.list(`${path}?per_page=100`);
      found[path] = entities.map(({ name }) => String(name)).sort();
    }
    return found;
  }

  #run(script: string, input: string): Promise<{ code: number; output: string }> {
    return new Promise((resolve) => {
      const options = { cwd: this.directory, env: this.#environment, maxBuffer: 2 ** 26 };
      const bash = execFile(
        "bash",
        ["--norc", "-euo", "pipefail", "-c", script],
        options,
        (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}\n${stderr}` });
        },
      );
      bash.stdin?.on("error", () => undefined); // A command may end without reading everything.
      bash.stdin?.end(input);
    });
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
