import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** Whether this machine has `script` of util-linux, which gives a command a terminal. */
export const hasPseudoTerminal = (() => {
  const missing =
    spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") !== true;
  if (missing) console.warn("Skipped: tests on a terminal need `script` of util-linux.");
  return !missing;
})();

const MAIN = join(__dirname, "..", "..", "dist", "cli", "main.js");

/** Runs `buildpipeline` on a terminal. Returns everything that the terminal gets. */
export async function onTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  scratch: { path(name: string): string },
): Promise<{ readonly code: number | null; readonly shown: string }> {
  // A file keeps the arguments from a shell's quoting.
  const command = scratch.path("on-terminal.cjs");
  const argv = JSON.stringify([process.execPath, MAIN, ...args]);
  writeFileSync(command, `process.argv = ${argv};\nrequire(${JSON.stringify(MAIN)});\n`);
  const child = spawn("script", ["-qec", `'${process.execPath}' '${command}'`, "/dev/null"], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TERM: "xterm-256color", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { shown: await text(child.stdout), code: await ended };
}
