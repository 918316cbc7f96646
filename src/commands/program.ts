import type { Command } from "commander";
import { commandWithVerdict, Ended } from "../cli/terminal/command.js";
import { ciCommand } from "../review/ci/command.js";
import { drainCommand } from "../review/drain/command.js";
import { projectsCommand } from "../review/projects/command.js";
import { reportCommand } from "../review/report/command.js";
import { packageVersion } from "../shared/process/package-files.js";
import { adoptCommand } from "./adopt/command.js";
import { checkCommand } from "./check/command.js";
import { docsCommand } from "./docs/command.js";
import { doctorCommand } from "./doctor/command.js";
import { emulatorCommand } from "./emulator/command.js";
import { graphCommand } from "./graph/command.js";
import { importCommand } from "./import/command.js";
import { probeCommand } from "./probe/command.js";
import { recoverCommand } from "./recover/command.js";
import { unmanagedCommand } from "./unmanaged/command.js";

/** By what they are for, in the order the help lists them. Each has a separate file, and loads its work when it runs. */
const subcommands: Readonly<Record<string, readonly (() => Command)[]>> = {
  "Begin:": [doctorCommand, adoptCommand, importCommand, emulatorCommand, docsCommand],
  "Review and deploy a change:": [ciCommand, reportCommand, checkCommand, projectsCommand, drainCommand],
  "Look at an organization:": [graphCommand, unmanagedCommand, probeCommand],
  "Repair:": [recoverCommand],
};

/** Runs the command with the arguments that follow its name. Its end is in `process.exitCode`. */
export async function run(args: readonly string[]): Promise<void> {
  const program = commandWithVerdict("buildpipeline")
    .description("Tools around Buildkite's REST API (Build Pipeline Service) and its Pulumi provider.")
    .version(packageVersion())
    .addHelpText(
      "after",
      `
Examples:
  buildpipeline doctor
  pulumi preview --json | buildpipeline report -
  buildpipeline unmanaged --json

Each command has its own help, with examples and exit codes: buildpipeline <command> --help`,
    );
  for (const [purpose, commands] of Object.entries(subcommands))
    for (const command of commands) program.addCommand(command().helpGroup(purpose));
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    process.exitCode = error.exitCode;
  }
}
