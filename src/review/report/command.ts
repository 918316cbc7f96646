import { type Command, InvalidArgumentError, Option } from "commander";
import { commandWithVerdict, verdict } from "../../cli/terminal/command.js";
import { wholeNumber } from "../../cli/terminal/options.js";
import { MOST_BUILDS } from "../../cli/workload/job.js";
import type { Flags } from "./run.js";

/** As many characters as a comment on GitHub may have. */
const LONGEST_COMMENT = 65_536;

const REASONS = ["busy", "refused", "left-out"] as const;

export function reportCommand(): Command {
  return commandWithVerdict("report")
    .description("Turn a preview into a Markdown report for a pull request, with dangerous changes first.")
    .usage("[options] <preview.json>")
    .argument(
      "[preview.json]",
      "output of `pulumi preview --json` or `pulumi refresh --preview-only --json`, or the engine's event log; " +
        "- for standard input; a folder that `projects` wrote, for one report of all its stacks",
    )
    .addOption(
      new Option(
        "--html [file.html]",
        "write an HTML page instead of Markdown: to standard output, to --out, or to a file whose name ends in .html",
      )
        .default(false)
        .conflicts("json"),
    )
    .option("--json", "print JSON: { stack, counts, dangers, changes, … }", false)
    .option(
      "--stack-export <file>",
      "output of `pulumi stack export`: adds pending deletions, interruptions, and the names of unchanged resources",
    )
    .option("--policies <file>", "output of `pulumi policy analyze --json`: adds the policy violations")
    .option(
      "--out <file>",
      "write to a file, or report.md, report.html, report.json and summary.json into an existing folder (default: standard output)",
    )
    .option("--max-length <characters>", "maximum length of the Markdown", parseLength, LONGEST_COMMENT)
    .option("--exit-code", "exit with code 1 if a change is dangerous or the preview failed", false)
    .option(
      "--impact",
      "add the running jobs, waiting jobs and agents that the changes would affect now",
      false,
    )
    .option(
      "--fail-on <reasons>",
      "reasons, separated by commas: with --impact, `busy` exits with 3 if jobs run in objects that would be deleted or " +
        "replaced, and `refused` with 4 if the deployment will or may stop halfway; `left-out` exits with 5 if a " +
        "rotation revokes the agent token in use (default: none)",
      parseReasons,
    )
    .option(
      "--max-builds <number>",
      "with --impact: maximum number of open builds to read",
      wholeNumber,
      MOST_BUILDS,
    )
    .option(
      "--impact-timeout <seconds>",
      "with --impact: longest time to read; figures that are incomplete by then are minimums",
      wholeNumber,
      300,
    )
    .option(
      "--stack <name>",
      "with --impact: the stack whose configuration names the organization (default: the selected one)",
    )
    .addHelpText(
      "after",
      `
Without --impact, the command needs no settings and sends no requests. With --impact, it lists open builds and connected
agents once, and the queues and tokens of each cluster that changes. --impact uses the scopes read_builds, read_agents and
read_clusters; if a scope is missing, the report leaves out only the figures that need it.
The report keeps secrets masked as the engine masks them, so don't preview with --show-secrets. The engine's event log
contains secret arguments in plain text, in debug messages of Pulumi's SDK. Don't share it, and delete it after the report.

Examples:
  pulumi preview --json > preview.json; buildpipeline report preview.json > comment.md
  pulumi preview --json | buildpipeline report - --exit-code --out comment.md
  buildpipeline report preview.json --html report.html
  buildpipeline report drift.json --policies policies.json --out drift.md
  buildpipeline report preview.json --impact --fail-on busy,refused --out comment.md
  PULUMI_DEBUG_COMMANDS=1 pulumi preview --event-log events.jsonl; buildpipeline report events.jsonl; rm events.jsonl

Exit codes:
  0  the report was written
  1  the report was written, and with --exit-code: a change is dangerous, or the preview failed
  2  the command failed, or its arguments were wrong; with --fail-on: the preview failed, or not enough
     could be read
  3  the report was written, and with --fail-on busy: jobs run, or may start, in objects that would be deleted or replaced
  4  the report was written, and with --fail-on refused: the deployment will or may stop halfway
  5  the report was written, and with --fail-on left-out: a rotation revokes the agent token in use, or no input shows which
     one that is`,
    )
    .action(
      verdict(async (file: string | undefined, flags: Flags) => (await import("./run.js")).run(file, flags)),
    );
}

function parseReasons(text: string): NonNullable<Flags["failOn"]> {
  const names = text.split(",");
  const reasons = REASONS.filter((reason) => names.includes(reason));
  if (reasons.length < names.length)
    throw new InvalidArgumentError(`Allowed choices are ${REASONS.join(", ")}.`);
  return reasons;
}

function parseLength(text: string): number {
  const length = Number(text);
  if (!Number.isSafeInteger(length) || length < 1_000)
    throw new InvalidArgumentError("It must be at least 1000.");
  return length;
}
