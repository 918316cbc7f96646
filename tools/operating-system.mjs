// What differs between operating systems. Plain Node 20: the first command in a fresh clone loads this file.
import { dirname, join } from "node:path";

/** The file names that a command may have. @param {string} name @param {NodeJS.Platform} [system] */
export function commandFiles(name, system = process.platform) {
  return system === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
}

/**
 * Returns what starts a command without a shell. On Windows npm is a script for the shell, so Node runs npm's own file.
 *
 * @param {string} command @param {readonly string[]} args @param {NodeJS.Platform} [system]
 * @returns {readonly [command: string, args: readonly string[]]}
 */
export function startable(command, args, system = process.platform) {
  if (system !== "win32" || command !== "npm") return [command, args];
  const bundled = join(dirname(process.execPath), "node_modules", "npm", "bin", "npm-cli.js");
  return [process.execPath, [process.env.npm_execpath ?? bundled, ...args]];
}
