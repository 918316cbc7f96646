import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { basename } from "node:path";
import { uninterrupted } from "./interruption.js";
import { PrivateFile } from "./private-file.js";

/** How often the output of a child is read. */
const READ_MS = 50;

export interface ChildOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onOutput: (line: string) => void;
  /** Gets the lines of standard error. Default: both streams are one. */
  readonly onLine?: ((line: string) => void) | undefined;
  readonly onStart?: ((pid: number) => void) | undefined;
  /** What the child reads. Default: nothing. */
  readonly input?: string | undefined;
  /** The child has it as number 3. */
  readonly file?: PrivateFile | undefined;
  /** Whether a signal reaches what the command starts as well, as a shell's script needs it. */
  readonly isScript?: boolean;
}

/**
 * Runs a command in a process group of its own, so that signals to this one and a closed terminal don't reach it. It
 * writes to files, because a pipe whose reader is gone would end it. The first signal that this process gets reaches
 * the command once, as SIGINT. The command has ended when its own process has, whatever it leaves behind.
 *
 * @returns its exit code, as a shell has it
 */
export function runChild(file: string, args: readonly string[], options: ChildOptions): Promise<number> {
  const { cwd, env, onOutput, onLine, onStart, isScript = false } = options;
  const output = new Followed(onOutput);
  const errors = onLine === undefined ? output : new Followed(onLine);
  const read = (isOver: boolean) => {
    // What was written to standard output before a line of standard error is passed on before it.
    if (errors !== output) errors.read();
    output.read();
    output.passOn(isOver);
    if (errors !== output) errors.passOn(isOver);
  };
  let running: number | undefined;
  const work = async (interrupted: AbortSignal) => {
    const timer = setInterval(() => read(false), READ_MS);
    try {
      const inherited = options.file === undefined ? [] : [options.file.descriptor];
      // Windows would open a window for a group of its own, and sends Ctrl-C to all processes itself.
      const detached = process.platform !== "win32";
      const stdin = options.input === undefined ? ("ignore" as const) : ("pipe" as const);
      const stdio = [stdin, output.descriptor, errors.descriptor, ...inherited];
      const child = spawn(file, args, { cwd, env, stdio, detached });
      running = child.pid;
      child.stdin?.on("error", () => {});
      child.stdin?.end(options.input);
      interrupted.addEventListener("abort", () => {
        if (!detached || running === undefined || child.exitCode !== null || child.signalCode !== null)
          return;
        process.kill(isScript ? -running : running, "SIGINT");
      });
      const ended = once(child, "exit");
      try {
        if (running !== undefined) onStart?.(running);
      } catch (error) {
        // Whoever must know of it doesn't, so it doesn't go on alone.
        child.kill("SIGINT");
        await ended;
        throw error;
      }
      await ended;
      return child.exitCode ?? 128 + constants.signals[child.signalCode ?? "SIGKILL"];
    } finally {
      clearInterval(timer);
      read(true);
      for (const one of new Set([output, errors])) one.close();
    }
  };
  return uninterrupted(work, () =>
    running === undefined ? [] : [`${basename(file)} goes on as process ${running}.`],
  );
}

/** Passes on the lines that a child writes to a file. */
class Followed {
  readonly #file = new PrivateFile();
  readonly descriptor = this.#file.descriptor;
  #text = "";

  constructor(private readonly take: (line: string) => void) {}

  read(): void {
    this.#text += this.#file.read();
  }

  passOn(isOver: boolean): void {
    // A return at the end may be the first half of a line break.
    const lines = this.#text.split(isOver ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/);
    this.#text = lines.pop() ?? "";
    if (isOver && this.#text !== "") lines.push(this.#text);
    for (const line of lines) this.take(line);
  }

  close(): void {
    this.#file.close();
  }
}
