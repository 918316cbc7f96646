import type { Command } from "commander";
import { ciCommand } from "../commands/ci/command.js";
import { packageVersion } from "../project/package-source.js";
import { adoptCommand } from "./adopt.js";
import { commandWithVerdict, Ended } from "./command.js";
import { doctorCommand } from "./doctor.js";
import { drainCommand } from "./drain.js";
import { emulatorCommand } from "./emulator.js";
import { graphCommand } from "./graph.js";
import { importCommand } from "./import.js";
import { probeCommand } from "./probe.js";
import { projectsCommand } from "./projects.js";
import { recoverCommand } from "./recover.js";
import { reportCommand } from "./report.js";
import { unmanagedCommand } from "./unmanaged.js";

/**
 * The subcommands, in the order the help lists them. Each has a separate file, and loads its work when it runs.
 */
const subcommands: readonly (() => Command)[] = [
  doctorCommand,
  adoptCommand,
  importCommand,
  unmanagedCommand,
  graphCommand,
  reportCommand,
  projectsCommand,
  ciCommand,
  drainCommand,
  probeCommand,
  recoverCommand,
  emulatorCommand,
];

/** Runs the command with the arguments that follow its name. Its end is in `process.exitCode`. */
export async function run(args: readonly string[]): Promise<void> {
  const program = commandWithVerdict("buildpipeline")
    .description("Tools around the Build Pipeline Service REST API and its Pulumi provider.")
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
  for (const subcommand of subcommands) program.addCommand(subcommand());
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    process.exitCode = error.exitCode;
  }
}
