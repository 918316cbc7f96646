import type { Command } from "commander";
import type { Comparison, ComparisonFlags } from "../../cli/inventory/comparison.js";
import { commandWithVerdict, EXIT, EXIT_CODES, SETTINGS_HELP, verdict } from "../../cli/terminal/command.js";
import { json, note, result } from "../../cli/terminal/terminal.js";

interface Flags extends ComparisonFlags {
  readonly json: boolean;
}

export function unmanagedCommand(): Command {
  return commandWithVerdict("unmanaged")
    .description("List unmanaged objects, and resources in state whose object no longer exists.")
    .option(
      "--stack-export <file...>",
      "output of `pulumi stack export`, one file for each stack; - for standard input " +
        "(default: the selected stack, in a project's directory)",
    )
    .option(
      "--all-stacks [name...]",
      "all stacks of the Pulumi projects in this folder and below, and other stacks by their full names " +
        "(acme/infrastructure-mobile/production)",
    )
    .option("--only <kind...>", "check only these resource types, such as AgentToken")
    .option("--except <kind...>", "leave these resource types out")
    .option("--stack <name>", "the stack whose configuration and state to use (default: the selected one)")
    .option("--json", "print JSON: { unmanaged, gone, unproven?, unread? }", false)
    .addHelpText(
      "after",
      `
The command reads the organization's lists with one request for each page and two for each cluster, and a list of several
pages twice. It needs the scopes read_clusters, read_pipeline_templates, read_teams and read_suites, except for types that
--only and --except leave out. Pipelines, schedules, secrets, maintainers and the access of teams are only compared if a stack
has such a resource, or --only names its type: each team, pipeline or cluster then has one more list. A pipeline of a stack or
of a team that no list has, because it is archived, is read by its slug.
An object that the access token may not be allowed to see is not reported as gone. Standard error names it, JSON lists it
as \`unproven\`, and it doesn't change the exit code.
${SETTINGS_HELP}

Examples:
  buildpipeline unmanaged
  buildpipeline unmanaged --all-stacks
  pulumi stack export | buildpipeline unmanaged --stack-export -
  buildpipeline unmanaged --stack-export production.json shared.json --only AgentToken --json
${EXIT_CODES("an object is unmanaged, or the object of a resource is gone", "every object is managed, and none is gone")}`,
    )
    .action(verdict(run));
}

async function run(flags: Flags): Promise<number> {
  const { isFound, readOwnership, remarksOn } = await import("../../cli/inventory/comparison.js");
  const { ownership, text } = await readOwnership(flags);
  result(flags.json ? asJson(ownership) : text);
  for (const remark of remarksOn(ownership)) note(remark);
  return isFound(ownership) ? EXIT.found : EXIT.clean;
}

function asJson({ unmanaged, gone, unproven, unread }: Comparison): string {
  const listed = unmanaged.map(({ inside: _, ...one }) => one);
  return json({
    unmanaged: listed,
    gone,
    ...(unproven.length > 0 && { unproven }),
    ...(unread.length > 0 && { unread }),
  });
}
