// What every command of this folder is made of: steps that say what they do, commands that they run, failures that say
// what to do. Plain Node 20: the first command in a fresh clone loads this file.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A failure that the person at the keyboard can do something about: shown as its message, without a stack. */
export class Problem extends Error {}

/** What to do on a platform where no test has run. @type {string | undefined} */
const untested = {
  win32: "on Windows. Use Linux, a container or WSL",
  darwin: "on macOS. Use Linux, a container or a virtual machine",
}[/** @type {string} */ (process.platform)];
const advice = untested && `These commands are untested ${untested}.`;

/** Says where commands may fail in ways that no test has shown. */
export function warnWhereUntested() {
  if (advice !== undefined) say(advice);
}

/**
 * Runs a command's main function and turns a failure into a message and an exit code.
 *
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    say(`\n${describe(error)}`);
    process.exitCode = 1;
  }
}

/** @param {unknown} error */
function describe(error) {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Problem) return error.message;
  return advice === undefined ? error.stack : `${error.message}\n${advice}`;
}

/** Prints a line, on stderr: what commands are asked for goes to stdout. @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Runs one long step, and says when it begins and how long it took.
 *
 * @template T
 * @param {string} name What is being done, e.g. "Installing dependencies".
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>} What the work returned.
 */
export async function step(name, work) {
  say(`${name} …`);
  const started = Date.now();
  const result = await work();
  say(`${name}: done after ${Math.round((Date.now() - started) / 1000)} s`);
  return result;
}

/**
 * Runs a command to its end. When this process is interrupted, the command ends as well.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeout?: number, onLine?: (line: string) => void }} [options]
 *   `timeout` in milliseconds. `onLine` is called for each line on stderr.
 * @returns {Promise<{ code: number, stdout: string, output: string }>} `output` is stdout and stderr together. The code
 *   is -1 when the command could not be started or was ended by a signal.
 */
export function run(command, args, { onLine, ...options } = {}) {
  return new Promise((resolve) => {
    // On Windows, npm is a script for the shell.
    const shell = process.platform === "win32" && command === "npm";
    const child = spawn(command, args, { ...options, shell, stdio: ["ignore", "pipe", "pipe"] });
    const stop = () => child.kill();
    process.once("exit", stop);
    let stdout = "";
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    if (onLine !== undefined) createInterface({ input: child.stderr }).on("line", onLine);
    child.once("error", (error) => {
      output += `${error.message}\n`;
    });
    // Comes after `error` too, when the command could not be started.
    child.once("close", (code) => {
      process.off("exit", stop);
      resolve({ code: code ?? -1, stdout, output });
    });
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
  const { code, stdout, output } = await run(command, args, options);
  if (code === 0) return stdout;
  throw new Problem(`${output.trimEnd()}\n\n${what} failed: \`${[command, ...args].join(" ")}\``);
}
