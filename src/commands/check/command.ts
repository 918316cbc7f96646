import type { Command } from "commander";
import { commandWithVerdict, EXIT_CODES, SETTINGS_HELP, verdict } from "../../cli/terminal/command.js";
import type { Flags } from "./run.js";

export function checkCommand(): Command {
  return commandWithVerdict("check")
    .description("Check files with steps, such as the .buildkite/pipeline.yml of a product's repository.")
    .argument("<file...>", "YAML or JSON with steps; - for standard input")
    .option("--cluster <name>", "the cluster whose queues and secrets the steps name, by its name or UUID")
    .option("--pipeline <slug>", "the pipeline that runs the steps, in place of its cluster")
    .option(
      "--stack <name>",
      "the stack whose configuration names the organization (default: the selected one)",
    )
    .option(
      "--json",
      "print JSON: { remarks: [{ file, line, place, message, code, rejected }], notChecked }",
      false,
    )
    .addHelpText(
      "after",
      `
Prints a line for each remark: file:line: the place in the steps, and a sentence. These are the remarks of a preview on the
steps of a Pipeline: unknown properties, keys that are used twice, and queues, secrets, pipelines and teams that the
organization lacks. What only a build knows ($VARIABLE, {{matrix}}) isn't checked. In a workflow of GitHub, each remark is
also an annotation.
Without settings, the command sends no requests and checks only what needs none. With settings, it reads each pipeline that
a trigger names and the teams. With --cluster or --pipeline, it also reads the queues and secrets of the cluster. It reads only
what the files name: pipelines with the scope read_pipelines, teams with read_teams, queues with read_clusters, and secrets
with read_secrets_details.
${SETTINGS_HELP}

Examples:
  buildpipeline check .buildkite/pipeline.yml
  buildpipeline check .buildkite/*.yml --pipeline storefront
  buildpipeline check .buildkite/pipeline.yml --cluster Linux --json
${EXIT_CODES(
  `Buildkite rejects some of the steps: a text that isn't YAML, an unknown property, a key that is used twice or has blanks,
     concurrency without a group, a group in a group, or a queue or pipeline that isn't there`,
  "Buildkite takes the steps, although a job of them may fail or wait",
)}`,
    )
    .action(verdict(async (files: string[], flags: Flags) => (await import("./run.js")).run(files, flags)));
}
