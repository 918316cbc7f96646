import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { withoutLogCommands } from "../../shared/messages/foreign-text.js";
import { inside, makeFolders, repositoryOf } from "../../shared/process/folders.js";
import { stackNames } from "../shared/pulumi/pulumi.js";
import type { ListedStack } from "../shared/pulumi/stack-listing.js";
import { commandWithVerdict, EXIT, verdict } from "../shared/terminal/command.js";
import { readJson } from "../shared/terminal/files.js";
import { wholeNumber } from "../shared/terminal/options.js";
import { columns, json, note, progress, result, stackName } from "../shared/terminal/terminal.js";
import { changedIn } from "./git.js";
import type { Compared } from "./listing.js";
import type { End } from "./run.js";

interface Flags {
  affectedBy?: string;
  sinceDeployment: boolean;
  all: boolean;
  listing?: string;
  only?: string[];
  allStacks: boolean;
  waves: boolean;
  parallel: number;
  out?: string;
  json: boolean;
}

/** Adds the options that select projects by what a change affects. */
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

/** `buildpipeline projects`: lists the projects of a repository, and runs a command for those that a change affects. */
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

A change affects a project if it changes one of these:
  - a file in the project's folder
  - a file in a package of the repository that the project's package.json names
  - a file at a path beginning with ../ that the project's files name
  - a file that belongs to no project, except Markdown
  - another project whose stack the project reads
A project that uses StackReference reads the stacks of the projects that its files name in quotes or between slashes. If
its files name no project, it may read the stacks of all projects. If the commit is unknown, every project is affected.

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
  1  the command exited with 1 for a project
  2  the command exited with another code for a project; or this command failed, or its arguments were wrong
  5  the command exited with 5 for a project and with 0 or 5 for all: a deployment waits for approval`,
    )
    .action(verdict(run));
}

async function run(command: readonly string[], flags: Flags): Promise<number> {
  const { LISTING_FILE, listingAsJson, resultsOf } = await import("../shared/pulumi/stack-listing.js");
  const { runForEach } = await import("./run.js");
  const root = process.cwd();
  const stacks = await listed(root, flags);
  const listing = json(listingAsJson(stacks));
  const out = resolve(flags.out ?? "review");
  if (flags.out !== undefined || command.length > 0) {
    makeFolders(out);
    for (const stack of stacks) inside(out, resultsOf(stack));
    writeFileSync(inside(out, LISTING_FILE), listing);
  }
  if (command.length === 0) {
    result(flags.json ? listing : asText(stacks));
    return EXIT.clean;
  }
  const wanted = stacks.filter(
    ({ folder, affected }) => affected !== null && (flags.only?.includes(folder) ?? true),
  );
  if (wanted.length === 0) {
    note("The change affects none of these projects, so the command was not run.");
    return EXIT.clean;
  }
  const ends = await runForEach(wanted, {
    command,
    root,
    out,
    parallel: flags.parallel,
    isNew: flags.listing === undefined,
    inWaves: flags.waves,
    onLine: ({ project }, line) =>
      result(`${wanted.length === 1 ? "" : `${project} | `}${withoutLogCommands(line)}\n`),
  });
  for (const end of ends) note(`${stackName(end.stack)}: ${endInWords(end)}`);
  return exitCodeOf(ends);
}

/** What selects stacks of a repository. */
export type Selection = {
  readonly [Name in keyof Omit<Flags, "waves" | "parallel" | "out" | "json"> | "stack"]?:
    | (Flags & { stack: string })[Name]
    | undefined;
};

/** Lists the stacks of the projects in a folder, and says which of them a change affects. */
export async function listed(root: string, flags: Selection): Promise<ListedStack[]> {
  const { readListing } = await import("../shared/pulumi/stack-listing.js");
  const { listingOf } = await import("./listing.js");
  const { projectsIn } = await import("../shared/pulumi/project-folder.js");
  const { referencesOf } = await import("./references.js");
  const projects = projectsIn(root);
  for (const folder of flags.only ?? [])
    if (!projects.some((project) => project.folder === folder))
      throw new Error(
        `--only: ${folder} is no project. The projects are ${projects.map((one) => one.folder).join(", ")}.`,
      );
  if (flags.listing !== undefined) {
    const stacks = readListing(await readJson(flags.listing));
    const gone = stacks.find(({ folder }) => !projects.some((project) => project.folder === folder));
    if (gone !== undefined)
      throw new Error(`${flags.listing} names ${gone.folder}, which is no project here.`);
    return stacks;
  }
  const repository = repositoryOf(root) ?? root;
  const compared = await comparedStacks(projects, repository, flags);
  return listingOf(compared, referencesOf(projects, root, repository), root);
}

async function comparedStacks(
  projects: readonly Compared["project"][],
  repository: string,
  { affectedBy, sinceDeployment, all, allStacks, stack: named }: Selection,
): Promise<Compared[]> {
  if (affectedBy !== undefined && sinceDeployment)
    throw new Error("Give --affected-by or --since-deployment, not both.");
  const { changedSinceDeployment } = await import("./deployment.js");
  const { stacksNamedIn } = await import("../shared/pulumi/project-folder.js");
  const stacks: { project: Compared["project"]; stack: string }[] = [];
  for (const project of projects) {
    const names = allStacks ? await stackNames(project.directory) : stacksNamedIn(project.directory, named);
    if (names.length === 0 && !allStacks)
      throw new Error(
        `${project.folder} names no stack. Set PULUMI_STACK, or commit its Pulumi.<stack>.yaml.`,
      );
    stacks.push(...names.map((stack) => ({ project, stack })));
  }
  if (sinceDeployment && !all) {
    const unknown = "the commit of its last deployment is not known";
    const compared: Compared[] = [];
    for (const { project, stack } of stacks) {
      progress(`Deployments read: ${compared.length} of ${stacks.length}`);
      const { directory } = project;
      const changed = (await changedSinceDeployment({ directory, stack }, repository)) ?? { unknown };
      compared.push({ project, stack, changed });
    }
    return compared;
  }
  const changed =
    affectedBy === undefined || all
      ? { unknown: "all projects were asked for" }
      : ((await changedIn(repository, affectedBy, "...")) ?? {
          unknown: affectedBy === "" ? "--affected-by names no commit" : `${affectedBy} is not known here`,
        });
  return stacks.map((one) => ({ ...one, changed }));
}

function asText(stacks: readonly ListedStack[]): string {
  const rows = stacks.map(({ folder, stack, wave, affected }) => [
    folder,
    stack,
    `wave ${wave}`,
    affected === null ? "not affected" : affected,
  ]);
  return `${columns(rows, 200).join("\n")}\n`;
}

function endInWords(end: End): string {
  if ("because" in end) return `not run, because it reads ${stackName(end.because)}, which did not succeed`;
  if (end.code === 0) return "done";
  if (end.code === EXIT.unapproved)
    return "waits for approval. Run the plan job again, read its report, and deploy the new plan.";
  return `ended with exit code ${end.code}`;
}

function exitCodeOf(ends: readonly End[]): number {
  const codes = ends.flatMap((end) => ("code" in end && end.code !== 0 ? [end.code] : []));
  if (codes.length === 0) return EXIT.clean;
  if (codes.every((code) => code === EXIT.unapproved)) return EXIT.unapproved;
  return codes.every((code) => code === EXIT.found || code === EXIT.unapproved) ? EXIT.found : EXIT.failed;
}
