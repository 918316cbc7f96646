import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { errorIn, planRefusal } from "../../cli/pulumi/engine-messages.js";
import type { ListedStack } from "../../cli/pulumi/stack-listing.js";

/** npm passes on the signal that a terminal or a host has sent already: within this time it is the same one. */
const SAME_SIGNAL_MS = 700;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

export interface ChildOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
  readonly onOutput: (line: string) => void;
  /** True for a process group of its own, so that a signal reaches the child and not what it started. */
  readonly isGroup?: boolean;
}

/**
 * Runs commands so that a signal to this process reaches each of them once, and none is started after it: Pulumi then
 * finishes and records what it has begun. On a terminal, the terminal sends Ctrl-C itself.
 */
export class Children {
  readonly #running = new Set<ChildProcess>();
  readonly #controller = new AbortController();
  /** Aborted by the first signal. */
  readonly interrupted: AbortSignal = this.#controller.signal;
  readonly #isOnTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  #last = 0;

  /** @param onSecond called when a second signal ends this process */
  constructor(private readonly onSecond: () => void = () => undefined) {}

  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const stop = (signal: NodeJS.Signals) => this.#stop(signal);
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

  /** Runs a command, unless a signal arrived. @returns its exit code, as a shell has it */
  run(file: string, args: readonly string[], options: ChildOptions): Promise<number> {
    if (this.interrupted.aborted) return Promise.resolve(128 + constants.signals.SIGINT);
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: options.isGroup === true && !this.#isOnTerminal && process.platform !== "win32",
    });
    this.#running.add(child);
    const lines = (input: NodeJS.ReadableStream, take: (line: string) => void) =>
      createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }).on("line", take);
    lines(child.stderr, options.onLine);
    lines(child.stdout, options.onOutput);
    return new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    }).finally(() => this.#running.delete(child));
  }

  #stop(signal: NodeJS.Signals): void {
    const now = Date.now();
    if (now - this.#last < SAME_SIGNAL_MS) return;
    this.#last = now;
    if (this.interrupted.aborted) {
      this.onSecond();
      process.exit(130);
    }
    this.#controller.abort();
    if (signal === "SIGINT" && this.#isOnTerminal) return;
    for (const child of this.#running) child.kill(signal);
  }
}

/**
 * Does work for stacks, several at the same time. In waves, a stack waits for those that it reads, and does without its
 * work if one of these didn't succeed.
 */
export async function eachStack<Ended extends { readonly stack: ListedStack }>(
  stacks: readonly ListedStack[],
  { parallel, waves }: { readonly parallel: number; readonly waves?: boolean },
  work: (stack: ListedStack, because: ListedStack | undefined) => Promise<Ended>,
  succeeded: (ended: Ended) => boolean,
): Promise<Ended[]> {
  const ends: Ended[] = [];
  /** The stacks that failed by themselves, by those that were skipped because of them. */
  const causes = new Map<ListedStack, ListedStack>();
  const groups = [...Map.groupBy(stacks, ({ wave }) => (waves ? wave : 1))];
  for (const [, queue] of groups.sort(([one], [other]) => one - other)) {
    const worker = async () => {
      for (let stack = queue.shift(); stack !== undefined; stack = queue.shift()) {
        const { stack: own, reads } = stack;
        // One of another name is read by no stack here.
        const failed = ends.find(
          (end) => end.stack.stack === own && reads.includes(end.stack.project) && !succeeded(end),
        )?.stack;
        const because = waves && failed ? (causes.get(failed) ?? failed) : undefined;
        if (because !== undefined) causes.set(stack, because);
        ends.push(await work(stack, because));
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
  }
  return ends;
}

/** The end of a line of Pulumi's progress that says why a plan no longer fits, before an error says it once more. */
const DIFFERENCES = /( error: resource urn:.*? violates plan: ).*/s;

/**
 * Passes lines on. When a plan no longer fits, the engine prints the differences, secrets in plain text: then only the
 * resource is passed on, and nothing that follows.
 */
export class PlanRefusal {
  isRefused = false;

  constructor(private readonly print: (line: string) => void) {}

  /** Takes a line that Pulumi prints. */
  readonly add = (line: string): void => {
    // Pulumi indents what it lists as diagnostics.
    const message = errorIn(line.trimStart());
    if (message === undefined || !this.refuses({ message })) this.pass(line.replace(DIFFERENCES, "$1…"));
  };

  pass(line: string): void {
    if (!this.isRefused) this.print(line);
  }

  /** Takes an error of the engine. @returns whether it means that a plan no longer fits */
  refuses(error: { readonly message: string; readonly urn?: string | undefined }): boolean {
    const refusal = planRefusal(error);
    if (refusal === undefined) return false;
    this.print(refusal);
    this.isRefused = true;
    return true;
  }
}
