import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { findPulumi } from "../shared/pulumi/executable.js";

/** npm passes on the signal that a terminal or a host has sent already: within this time it is the same one. */
const SAME_SIGNAL_MS = 700;
/** Pulumi is told to stop by one of these. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const;
type Signal = (typeof SIGNALS)[number];

/** How a run of the Pulumi CLI ended. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Called for each line of standard error, and of standard output if `onEvent` isn't given. */
  readonly onLine: (line: string) => void;
  /** Called for each line of standard output, which is then not kept. */
  readonly onEvent?: (line: string) => void;
}

/**
 * Runs the Pulumi CLI so that a signal to this process cancels it once and properly: the engine then finishes and records
 * what it has begun. Without a terminal, each run has a process group of its own, and the signal goes to the CLI alone,
 * because a provider that is killed forgets a creation. On a terminal, the terminal sends Ctrl-C itself.
 */
export class Engine {
  readonly #running = new Set<ChildProcess>();
  readonly #controller = new AbortController();
  readonly #isOnTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  readonly #onSecond: () => void;
  #last = 0;

  /** @param onSecond called when a second signal ends the process */
  constructor(onSecond: () => void) {
    this.#onSecond = onSecond;
  }

  /** Aborted by the first signal. */
  get interrupted(): AbortSignal {
    return this.#controller.signal;
  }

  /** Runs work that signals interrupt. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const stop = (signal: Signal) => this.#stop(signal);
    for (const signal of SIGNALS) process.on(signal, stop);
    // npm hands a signal to its shell and no further, and ends.
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.env.npm_lifecycle_event === undefined || process.ppid === parent) return;
      clearInterval(watch);
      stop("SIGTERM");
    }, 300).unref();
    try {
      return await work();
    } finally {
      clearInterval(watch);
      for (const signal of SIGNALS) process.off(signal, stop);
    }
  }

  /** Runs the CLI, unless a signal arrived. */
  async run(args: readonly string[], { cwd, env, onLine, onEvent }: RunOptions): Promise<Run> {
    if (this.interrupted.aborted) return { code: 130, stdout: "" };
    const child = spawn("pulumi", [...args, "--non-interactive"], {
      cwd,
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true", ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: !this.#isOnTerminal && process.platform !== "win32",
    });
    this.#running.add(child);
    const lines = (stream: NodeJS.ReadableStream, take: (line: string) => void) =>
      createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", take);
    lines(child.stderr, onLine);
    const printed = onEvent === undefined ? text(child.stdout) : Promise.resolve("");
    if (onEvent !== undefined) lines(child.stdout, onEvent);
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? 130));
    }).finally(() => this.#running.delete(child));
    return { code, stdout: await printed };
  }

  #stop(signal: Signal): void {
    const now = Date.now();
    if (now - this.#last < SAME_SIGNAL_MS) return;
    this.#last = now;
    if (this.interrupted.aborted) {
      this.#onSecond();
      process.exit(130);
    }
    this.#controller.abort();
    if (signal === "SIGINT" && this.#isOnTerminal) return;
    for (const child of this.#running) child.kill(signal);
  }
}

/**
 * Puts the Pulumi CLI itself first on the PATH, because an npm launcher passes no signals on, and then the Node that runs
 * this command, for the programs. Folders of npm leave the PATH: Pulumi would prefer the plugin in them to the installed
 * version. The launcher of the repository decides on the version, and installs it at its first use.
 */
export async function resolvePulumi(root: string): Promise<void> {
  const own = join(root, "node_modules", ".bin");
  const launcher = join(own, "pulumi");
  const find = (path?: string) => findPulumi({ ...process.env, ...(path !== undefined && { PATH: path }) });
  if (existsSync(launcher) && "missing" in find(own)) await promisify(execFile)(launcher, ["version"]);
  const ofRepository = find(own);
  const found = "missing" in ofRepository ? find() : ofRepository;
  const others = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join("node_modules", ".bin")));
  const cli = "missing" in found ? [] : [dirname(found.file)];
  process.env.PATH = [...cli, dirname(process.execPath), ...others].join(delimiter);
}
