import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Writes a command, as lines of a shell, into a directory that a test puts on the PATH. */
export function writeCommand(directory: string, name: string, script: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(directory, name), 0o755);
}

/** Links commands of this machine into a directory that is a test's whole PATH. */
export function linkCommands(directory: string, names: readonly string[]): void {
  mkdirSync(directory, { recursive: true });
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const name of names) {
    const file = folders.map((folder) => join(folder, name)).find(existsSync);
    if (file !== undefined) symlinkSync(file, join(directory, name));
  }
}

/** Checks whether a command runs here, and prints that it doesn't. */
export function isInstalled(command: string): boolean {
  try {
    execFileSync("which", [command], { stdio: "ignore" });
    return true;
  } catch {
    process.stderr.write(`${command} is not on the PATH: its tests were skipped.\n`);
    return false;
  }
}
