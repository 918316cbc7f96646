import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { inside, makeFolders } from "../../shared/process/folders.js";
import { passphraseOf } from "../shared/pulumi/project-folder.js";
import { type ListedStack, resultsOf } from "../shared/pulumi/stack-listing.js";

/** How a command ended for a stack, by its exit code; or the stack whose command kept it from running. */
export type End =
  | { readonly stack: ListedStack; readonly code: number }
  | { readonly stack: ListedStack; readonly because: ListedStack };

/** The exit code of a command that waits for a person: nobody approved what it would do. */
export const UNAPPROVED = 5;

export interface RunOptions {
  readonly command: readonly string[];
  readonly root: string;
  /** The folder of results. */
  readonly out: string;
  /** As many commands run at the same time. */
  readonly parallel: number;
  /** Each stack's folder of results is emptied first. */
  readonly isNew: boolean;
  /** Stacks wait for those that they read, and don't run if one of these fails. */
  readonly inWaves: boolean;
  /** Called for each line that a command prints. */
  readonly onLine: (stack: ListedStack, line: string) => void;
}

/**
 * Runs a command for each stack, in its project's folder. It gets `PULUMI_STACK`, `PROJECT` (the project's folder), `OUT`
 * (a folder for its results) and, where it is set, `PULUMI_CONFIG_PASSPHRASE_<FOLDER>` as
 * `PULUMI_CONFIG_PASSPHRASE`. A signal reaches commands that run, and no more are started.
 */
export async function runForEach(stacks: readonly ListedStack[], options: RunOptions): Promise<End[]> {
  const running = new Set<ChildProcess>();
  const signaled = { value: false };
  const pass = (signal: NodeJS.Signals) => {
    signaled.value = true;
    // Ctrl-C reaches the commands as well. A second signal would make Pulumi end without recording what it does.
    if (signal === "SIGINT" && isOnTerminal()) return;
    for (const child of running) child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, pass);
  try {
    return await inOrder<End>(stacks, options, {
      run: async (stack) => ({ stack, code: signaled.value ? 1 : await runOne(stack, options, running) }),
      skip: (stack, because) => ({ stack, because }),
      succeeded: (end) => "code" in end && end.code === 0,
    });
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}

/**
 * Does work for stacks, several at the same time. In waves, a stack waits for those that it reads, and is skipped if one
 * of these didn't succeed.
 */
export async function inOrder<Ended extends { readonly stack: ListedStack }>(
  stacks: readonly ListedStack[],
  { parallel, inWaves }: Pick<RunOptions, "parallel" | "inWaves">,
  {
    run,
    skip,
    succeeded,
  }: {
    readonly run: (stack: ListedStack) => Promise<Ended>;
    readonly skip: (stack: ListedStack, because: ListedStack) => Ended;
    readonly succeeded: (ended: Ended) => boolean;
  },
): Promise<Ended[]> {
  const ends: Ended[] = [];
  /** The stacks that failed by themselves, by those that were skipped because of them. */
  const causes = new Map<ListedStack, ListedStack>();
  for (const wave of wavesIn(stacks, inWaves)) {
    const queue = [...wave];
    const work = async () => {
      for (let stack = queue.shift(); stack !== undefined; stack = queue.shift()) {
        const { stack: own, reads } = stack;
        // One of another name is read by no stack here.
        const failed = ends.find(
          (end) => end.stack.stack === own && reads.includes(end.stack.project) && !succeeded(end),
        )?.stack;
        const because = inWaves ? failed && (causes.get(failed) ?? failed) : undefined;
        if (because !== undefined) causes.set(stack, because);
        ends.push(because === undefined ? await run(stack) : skip(stack, because));
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
  }
  return ends;
}

function isOnTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
}

function wavesIn(stacks: readonly ListedStack[], inWaves: boolean): ListedStack[][] {
  if (!inWaves) return [[...stacks]];
  return [...Map.groupBy(stacks, ({ wave }) => wave)]
    .sort(([one], [other]) => one - other)
    .map(([, wave]) => wave);
}

function runOne(stack: ListedStack, options: RunOptions, running: Set<ChildProcess>): Promise<number> {
  const { command, root, onLine } = options;
  const out = inside(options.out, resultsOf(stack));
  if (options.isNew) rmSync(out, { recursive: true, force: true });
  makeFolders(out);
  const [file = "", ...args] = command;
  const child = spawn(file, args, {
    cwd: join(root, stack.folder),
    env: {
      ...process.env,
      ...passphraseOf(stack),
      PULUMI_STACK: stack.stack,
      PROJECT: stack.folder,
      OUT: out,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const lines = new PlanRefusal((line) => onLine(stack, line));
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) =>
      lines.add(line),
    );
  return new Promise((resolve) => {
    child.once("error", ({ message }) => {
      running.delete(child);
      onLine(stack, message);
      resolve(2);
    });
    child.once("close", (code, signal) => {
      running.delete(child);
      // As shells do it: 1 would mean that the command found something.
      const ended = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
      resolve(lines.isRefused ? UNAPPROVED : ended);
    });
  });
}

const VIOLATION = /(?:resource (urn:\S*::.*?))? violates plan/;

/**
 * Passes lines on. When a plan no longer fits, the engine prints the differences, secrets in plain text: then only the
 * resource is passed on, and nothing that follows.
 */
export class PlanRefusal {
  isRefused = false;

  constructor(private readonly pass: (line: string) => void) {}

  add(line: string): void {
    const violation = VIOLATION.exec(line);
    if (violation !== null)
      this.pass(`The plan no longer fits: ${violation[1] ?? "a resource differs from it"}`);
    else if (!this.isRefused) this.pass(line);
    this.isRefused ||= violation !== null;
  }
}
