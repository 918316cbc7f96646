import type { Command } from "commander";
import { commandWithVerdict, verdict } from "../../cli/terminal/command.js";
import { wholeNumber } from "../../cli/terminal/options.js";
import type { Flags } from "./run.js";

export function withSelection(command: Command): Command {
  return command
    .option(
      "--affected-by <commit>",
      "select projects that changes since this commit affect, such as origin/main",
    )
    .option(
      "--since-deployment",
      "select projects that changes since their own last successful deployment affect; reads its commit from the state",
      false,
    )
    .option(
      "--all",
      "with --affected-by or --since-deployment: select every project, for example to undo drift",
      false,
    );
}

export function projectsCommand(): Command {
  return withSelection(commandWithVerdict("projects"))
    .description(
      "List the Pulumi projects of a repository, or run a command for those that a change affects.",
    )
    .argument("[command...]", "after --, a command to run in each project's folder")
    .option("--listing <projects.json>", "use the projects that an earlier run wrote to this file")
    .option("--only <folder...>", "select only projects in these folders")
    .option("--all-stacks", "select every stack that the state's backend lists for each project", false)
    .option(
      "--waves",
      "run for each project after the projects that it reads, and skip it if one of them fails",
      false,
    )
    .option("--parallel <number>", "maximum number of commands that run at the same time", wholeNumber, 4)
    .option(
      "--out <folder>",
      "write projects.json to this folder, and a folder for the results of each stack (default: review)",
    )
    .option(
      "--json",
      "print JSON: { affected: [folder], stacks: [{ folder, project, stack, wave, … }] }",
      false,
    )
    .addHelpText(
      "after",
      `
The stack of each project is PULUMI_STACK. If that is not set, every stack with a file Pulumi.<stack>.yaml is selected.
What Git ignores is no project, nor is a template of \`pulumi new\` or what the file .buildpipelineignore in the root of the
repository names, in the syntax of .gitignore. One project with an error doesn't keep the command from the others.

A change affects a project if it changes one of these:
  - a file in the project's folder
  - a file in a package of the repository that the project's package.json names
  - a file at a path with ../ that the project's files name
  - a file of the repository that belongs to no project, except Markdown
  - another project whose stack the project reads
Files are compared as they are now, committed or not. A file that Git doesn't track yet affects the projects that have or
use it.
A stack reads what the stack references in its state name, and the projects that its Pulumi.yaml names, which Pulumi ignores:
buildpipeline: { reads: [platform] }. What isn't known counts as affected.

The command's environment contains PULUMI_STACK, PROJECT (the folder) and OUT (a folder for results, empty without
--listing). If PULUMI_CONFIG_PASSPHRASE_<FOLDER> is set, the command gets its value as PULUMI_CONFIG_PASSPHRASE; for
teams/mobile, the variable ends with TEAMS_MOBILE. If a saved plan no longer matches, the values that Pulumi prints are left
out, and the command's exit code is treated as 5.

Examples:
  buildpipeline projects --affected-by origin/main
  buildpipeline projects --affected-by origin/main -- pulumi preview
  buildpipeline projects --since-deployment -- ./plan.sh
  buildpipeline projects --listing review/projects.json --waves -- ./deploy.sh

Exit codes:
  0  the projects were listed, or the command succeeded for every project
  1  the command exited with 1 for a project; or a listed project has an error
  2  the command exited with another code for a project or wasn't run for it; or this command failed, or its arguments were
     wrong
  5  the command exited with 5 for a project and with 0 or 5 for all: a deployment waits for approval`,
    )
    .action(
      verdict(async (command: string[], flags: Flags) => (await import("./run.js")).run(command, flags)),
    );
}
