import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { checkout, leftovers } from "../../tools/dev/checkout.mjs";
import { pulumiCommand, pulumiEnvironment } from "../../tools/dev/pulumi-cli/locate.mjs";

/** Has bin/pulumi, which notes the command and then becomes the CLI, and the notes. */
export const countedRoot = join(leftovers, "counted");

/** The executable that tests run in place of the CLI. */
export const countedCommand = join(countedRoot, "bin", "pulumi");

/** Has a line for each command that a test file runs. */
const notesOf = (testFile: string) =>
  join(countedRoot, `${relative(checkout, testFile).replaceAll(/[^\w.-]/g, "-")}.txt`);

export function startCounting(): void {
  rmSync(countedRoot, { recursive: true, force: true });
  mkdirSync(join(countedRoot, "bin"), { recursive: true });
  const lines = [
    "#!/bin/sh",
    '[ -z "$COUNTED_COMMANDS" ] || echo "$*" >> "$COUNTED_COMMANDS"',
    `exec '${pulumiCommand()}' "$@"`,
  ];
  writeFileSync(countedCommand, lines.map((line) => `${line}\n`).join(""), { mode: 0o755 });
}

/** Returns the environment for the commands of a test file, in which the CLI is the one that counts. */
export function countedEnvironment(testFile: string, base = process.env): NodeJS.ProcessEnv {
  const environment = pulumiEnvironment({ ...base, COUNTED_COMMANDS: notesOf(testFile) });
  return { ...environment, PATH: [join(countedRoot, "bin"), environment.PATH].join(delimiter) };
}

export function commandsOf(testFile: string): number {
  const notes = notesOf(testFile);
  return existsSync(notes) ? readFileSync(notes, "utf8").trim().split("\n").length : 0;
}
