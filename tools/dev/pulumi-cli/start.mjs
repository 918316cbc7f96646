// Running the CLI as a child process, so that an interruption cancels it once and properly: the engine takes a second
// signal as an order to give up at once, which leaves a locked stack behind.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { pulumiCommand, pulumiEnvironment } from "./locate.mjs";

/** npm passes on the signal that the terminal has sent to everyone already: within this time it is the same one. */
const SAME_SIGNAL_MS = 700;

/**
 * Starts the CLI. In a session of its own, where no terminal's signal reaches it, unless `onTerminal`.
 *
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stdio: import("node:child_process").StdioOptions, onTerminal?: boolean }} options
 *   `onTerminal`: it stays in the terminal's foreground to ask questions, and gets Ctrl-C from the terminal itself.
 */
export function startPulumi(args, { onTerminal = false, env, ...options }) {
  const child = spawn(pulumiCommand(), args, {
    ...options,
    env: pulumiEnvironment(env),
    detached: !onTerminal,
  });
  let lastSignal = 0;
  return {
    child,
    /** Asks it to stop: the first time to cancel, a later time to give up at once. @param {NodeJS.Signals} signal */
    interrupt(signal) {
      if (Date.now() - lastSignal < SAME_SIGNAL_MS || (onTerminal && signal === "SIGINT")) return;
      lastSignal = Date.now();
      child.kill(signal);
    },
    /** @type {Promise<number>} The exit code; 128 and more when a signal has ended it, as in a shell. */
    ended: new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    }),
  };
}
