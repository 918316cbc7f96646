// Child processes of the setup: their output is kept for the case of a failure, and none outlives its parent.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { onInterruption } from "./interruption.mjs";
import { startable } from "./operating-system.mjs";
import { Problem } from "./problem.mjs";

const OUTPUT_KEPT = 40_000;
const SECONDS_TO_END = 5;

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
/** @type {Set<() => void>} */
const cleanups = new Set();
/** After a signal: ends this process as soon as no child runs. @type {(() => void) | undefined} */
let interrupted;
/** @type {(() => void) | undefined} */
let unwatch;

/**
 * Promises that `cleanup` runs when a signal ends this process. Call the returned function when it is no longer needed.
 *
 * @param {() => void} cleanup Synchronous.
 * @returns {() => void}
 */
export function onInterrupt(cleanup) {
  cleanups.add(cleanup);
  listen();
  return () => {
    cleanups.delete(cleanup);
    listen();
  };
}

/** Watches as long as there is something to end or to clean up. */
function listen() {
  const needed = running.size + cleanups.size > 0;
  if (needed && unwatch === undefined) unwatch = onInterruption(endBy);
  if (!needed) {
    unwatch?.();
    unwatch = undefined;
  }
}

/** @param {NodeJS.Signals} signal */
function endBy(signal) {
  for (const child of running) child.kill(signal);
  // The code that waits for the children must not go on as if they had failed.
  const finish = () => {
    for (const child of running) child.kill("SIGKILL");
    for (const cleanup of cleanups) cleanup();
    process.stderr.write("\nInterrupted.\n");
    process.exit(128 + constants.signals[signal]);
  };
  interrupted = () => {
    if (running.size === 0) finish();
  };
  interrupted();
  setTimeout(finish, SECONDS_TO_END * 1000);
}

/**
 * Runs a command to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void, killAfterMs?: number }} [options]
 *   `onLine` gets each line of stdout and stderr as it comes.
 * @returns {Promise<{ code: number, stdout: string, output: string }>} `output` is stdout and stderr together; the
 *   code is -1 when the command could not be started or was ended by a signal.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    let stdout = "";
    let output = "";
    let partial = "";
    const child = spawn(...startable(command, args), {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ["ignore", "pipe", "pipe"],
      ...(options.killAfterMs === undefined ? {} : { timeout: options.killAfterMs }),
    });
    running.add(child);
    listen();
    const take = (/** @type {string} */ text) => {
      output = (output + text).slice(-OUTPUT_KEPT);
      const lines = (partial + text).split("\n");
      partial = lines.pop() ?? "";
      for (const line of lines) options.onLine?.(line);
    };
    const end = (/** @type {number} */ code) => {
      running.delete(child);
      if (interrupted !== undefined) return interrupted();
      listen();
      resolve({ code, stdout, output });
    };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      take(text);
    });
    child.stderr.setEncoding("utf8").on("data", take);
    child.on("error", (error) => {
      output += `${error.message}\n`;
    });
    // Comes after `error` too, when the command could not be started.
    child.on("close", (code) => end(code ?? -1));
  });
}

/**
 * Runs a command that has to succeed.
 *
 * @param {string} what What it does, for the message of a failure.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 * @returns {Promise<string>} Its stdout.
 */
export async function mustRun(what, command, args, options) {
  const result = await run(command, args, options);
  if (result.code === 0) return result.stdout;
  throw new Problem(`${result.output.trimEnd()}\n\n${what} failed: \`${[command, ...args].join(" ")}\``);
}
