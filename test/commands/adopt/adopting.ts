import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { optionsOf, problemsOf } from "../../examples/compiler.js";
import { buildpipeline, type ServiceAddress, settingsOf } from "../../support/command.js";
import { emulator, scratch } from "../../support/command-service.js";
import { writeCommand } from "../../support/commands-on-path.js";

/** Adopts into the folder `ci`. No CLI is found, so import.json alone has what was brought in before. */
export const adopt = (...args: readonly string[]) => adoptFrom(emulator, ...args);

/** Adopts from another service. */
export const adoptFrom = (service: ServiceAddress, ...args: readonly string[]) =>
  buildpipeline(["adopt", scratch.path("ci"), ...args], { env: { ...settingsOf(service), PATH: "" } });

/** Runs `adopt`, which ends with a code, and returns its remarks. */
const endingWith =
  (expected: number) =>
  async (...args: readonly string[]): Promise<string> => {
    const { code, stderr } = await adopt(...args);
    expect(code, stderr).toBe(expected);
    return stderr;
  };

export const remarks = endingWith(0);
export const refusal = endingWith(2);

/** Names of the resources that JSON output says are adopted. */
export const namesIn = (said: { readonly stdout: string }): string[] =>
  JSON.parse(said.stdout).adopted.map(({ name }: { name: string }) => name);

export const read = (file: string) => readFileSync(scratch.path(join("ci", file)), "utf8");
export function write(file: string, text: string): void {
  const path = scratch.path(join("ci", file));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Adopts with a Pulumi CLI that runs these lines of a shell. Default: there are no stacks and no settings. */
export function adoptWith(
  lines: { readonly export?: string; readonly list?: string; readonly config?: string },
  ...flags: readonly string[]
) {
  const { export: exporting = "cat export.json", list = "echo '[]'", config = "echo '{}'" } = lines;
  writeCommand(
    scratch.path("bin"),
    "pulumi",
    `cd '${scratch.directory}'\ncase "$1-$2" in stack-export) ${exporting} ;; stack-ls) ${list} ;; *) ${config} ;; esac`,
  );
  const env = { ...settingsOf(emulator), PATH: `${scratch.path("bin")}:${process.env.PATH}` };
  return buildpipeline(["adopt", scratch.path("ci"), "--yes", ...flags], { env });
}

/** The files of the programs by their paths. */
export function programs(): Record<string, string> {
  const files = readdirSync(scratch.path("ci"), { recursive: true, encoding: "utf8" });
  return Object.fromEntries(files.filter((file) => file.endsWith(".ts")).map((file) => [file, read(file)]));
}

/** What the compiler says of all programs. */
export function problems(): string[] {
  const inCheckout = Object.entries(programs())
    // Every file is compiled: those of one program don't count on its entry point.
    .filter(([file]) => file !== "index.ts")
    .map(([file, text]) => [join("examples", "adopted", file), text] as const);
  return problemsOf(Object.fromEntries(inCheckout), optionsOf("examples/cluster/tsconfig.json"));
}
