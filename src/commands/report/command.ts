import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import type { Preview } from "../shared/pulumi/preview.js";
import type { Project } from "../shared/pulumi/pulumi.js";
import type { StackState } from "../shared/pulumi/stack-export.js";
import { commandWithVerdict, EXIT, verdict } from "../shared/terminal/command.js";
import { connect } from "../shared/terminal/connection.js";
import { namingFile, readJsonOrLines, readState, writeOut } from "../shared/terminal/files.js";
import { wholeNumber } from "../shared/terminal/options.js";
import { clearProgress, json, note, progress } from "../shared/terminal/terminal.js";
import { MOST_BUILDS } from "../shared/workload/job.js";
import type { Danger } from "./dangers.js";
import { combinedReport, isFolder, writeReports } from "./folder.js";
import type { PlanWithImpact } from "./impact.js";
import { originOfRun } from "./origin.js";
import type { Report } from "./report.js";

/** As many characters as a comment on GitHub may have. */
const LONGEST_COMMENT = 65_536;

const REASONS = ["busy", "refused", "left-out"] as const;
type Reason = (typeof REASONS)[number];

interface Flags {
  html: boolean | string;
  json: boolean;
  stackExport?: string;
  policies?: string;
  out?: string;
  maxLength: number;
  exitCode: boolean;
  impact: boolean;
  failOn?: readonly Reason[];
  maxBuilds: number;
  impactTimeout: number;
  stack?: string;
}

/** `buildpipeline report`: describes a preview for reviewers. */
export function reportCommand(): Command {
  return commandWithVerdict("report")
    .description("Turn a preview into a Markdown report for a pull request, with dangerous changes first.")
    .usage("[options] <preview.json>")
    .argument(
      "[preview.json]",
      "output of `pulumi preview --json` or `pulumi refresh --preview-only --json`, or the engine's event log; " +
        "- for standard input; a folder that `projects` wrote, for one report of all its stacks",
    )
    .option(
      "--html [file.html]",
      "write an HTML page instead of Markdown: to standard output, to --out, or to a file whose name ends in .html",
      false,
    )
    .option("--json", "print JSON: { stack, counts, dangers, changes, … }", false)
    .option(
      "--stack-export <file>",
      "output of `pulumi stack export`: adds pending deletions, interruptions, and the names of unchanged resources",
    )
    .option("--policies <file>", "output of `pulumi policy analyze --json`: adds the policy violations")
    .option(
      "--out <file>",
      "write to a file, or report.md, report.html and report.json into an existing folder (default: standard output)",
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
        "replaced, and `refused` with 4 if the deployment will or may stop halfway; `left-out` exits with 3 if a " +
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
  3  the report was written, and with --fail-on busy: jobs run, or may start, in objects that would be deleted or replaced;
     with --fail-on left-out: a rotation revokes the agent token in use, or no input shows which one that is
  4  the report was written, and with --fail-on refused: the deployment will or may stop halfway`,
    )
    .action(verdict(run));
}

async function run(argument: string | undefined, given: Flags): Promise<number> {
  const { file, ...flags } = withPage(argument, given);
  for (const input of [file, flags.stackExport, flags.policies])
    if (input !== undefined && flags.out !== undefined && resolve(input) === resolve(flags.out))
      throw new Error(`${input} is an input, so nothing is written there. Nothing was written.`);
  if (await isFolder(file)) {
    if (flags.json || flags.html || flags.impact || flags.exitCode)
      throw new Error(
        "The report of a folder is Markdown of what its reports say: leave --json, --html, --impact and --exit-code out.",
      );
    await writeOut(await combinedReport(file, flags.maxLength), flags.out);
    return EXIT.clean;
  }
  const content = await readJsonOrLines(file);
  const { readEventLog, readPreview } = await import("../shared/pulumi/preview.js");
  const { deployed, planOf } = await import("../shared/plan/plan.js");
  const { leavesOutGeneration } = await import("./dangers.js");
  const { readViolations } = await import("./violations.js");
  const { reportOf, isDangerous } = await import("./report.js");
  const failsOn = (reason: Reason) => flags.failOn?.includes(reason) === true;
  if ((failsOn("busy") || failsOn("refused")) && !flags.impact) throw new Error("--fail-on needs --impact.");
  const preview = namingFile(file, () =>
    "lines" in content ? readEventLog(content.lines) : readPreview(content.value),
  );
  const state = flags.stackExport === undefined ? undefined : await readState(flags.stackExport);
  const { plan, ...now } = flags.impact
    ? await readNow(preview, state, flags)
    : { plan: planOf(preview, state) };
  const violations = [
    ...("lines" in content ? readViolations(content.lines) : []),
    ...(flags.policies === undefined ? [] : await readPolicies(flags.policies)),
  ];
  const report = reportOf(plan, { ...now, origin: originOfRun(), violations });
  const { impact } = report;
  if (flags.out !== undefined && (await isFolder(flags.out)))
    await writeReports(report, flags.out, flags.maxLength);
  else await writeOut(await written(report, flags), flags.out);
  if (failsOn("busy") && impact?.busy) return EXIT.busy;
  if (failsOn("left-out") && leavesOutGeneration(deployed(plan), plan.managed)) return EXIT.busy;
  if (failsOn("refused") && impact?.findings.some(({ refusal }) => refusal !== undefined))
    return EXIT.refused;
  if (failsOn("busy") && (impact?.uncertain || plan.failed)) {
    note(
      "Not everything could be read, so nothing confirms that the queues are idle. The report names the missing parts.",
    );
    return EXIT.failed;
  }
  if (flags.failOn !== undefined && plan.failed) {
    note("The preview failed, so it may not show every change that --fail-on looks for.");
    return EXIT.failed;
  }
  if (failsOn("busy") && plan.gaps.some(({ what }) => what === "pending deletions")) {
    note(
      "Deletions that an earlier deployment left pending are not known, so they don't hold this one. Give --stack-export to include them.",
    );
  }
  return flags.exitCode && isDangerous(report) ? EXIT.found : EXIT.clean;
}

/** Returns the input, and the flags with the file that `--html` names. What follows `--html` may also be the input. */
function withPage(argument: string | undefined, flags: Flags): Flags & { readonly file: string } {
  const { html } = flags;
  const isPage = typeof html === "string" && /\.html$/i.test(html);
  if (typeof html === "string" && !isPage) {
    if (argument === undefined) return { ...flags, html: true, file: html };
    throw new Error(`--html writes to a file whose name ends in .html, and ${html} is none.`);
  }
  if (argument === undefined)
    throw new Error("The preview's file is missing: give its name, or - for standard input.");
  if (isPage && flags.out !== undefined)
    throw new Error("Leave out --out, because --html names the file already.");
  return { ...flags, file: argument, ...(isPage && { html: true, out: html }) };
}

/** Reads the present load of the objects that the preview changes. */
export async function readNow(
  preview: Preview,
  state: StackState | undefined,
  { stack, maxBuilds, impactTimeout }: Pick<Flags, "stack" | "maxBuilds" | "impactTimeout">,
  project?: Project,
): Promise<PlanWithImpact> {
  const { readImpact } = await import("./impact.js");
  const { client, traffic, close } = await connect(stack, project?.directory, project?.environment);
  try {
    return await readImpact(client, preview, state, {
      now: () => traffic.serviceTime(),
      requests: () => traffic.requests,
      mostBuilds: maxBuilds,
      signal: AbortSignal.timeout(impactTimeout * 1000),
      onPage: (what, items) => progress(`Reading ${what}: ${items}`),
    });
  } finally {
    clearProgress();
    await close();
  }
}

async function written(report: Report, flags: Flags): Promise<string> {
  if (flags.json) return json((await import("./json.js")).reportAsJson(report));
  if (flags.html) return (await import("./html.js")).html(report);
  if (flags.out === undefined && process.stdout.isTTY)
    return (await import("./terminal-form.js")).terminalForm(report, process.stdout);
  return (await import("./markdown.js")).markdown(report, flags.maxLength);
}

async function readPolicies(file: string): Promise<Danger[]> {
  const { readViolations } = await import("./violations.js");
  const content = await readJsonOrLines(file);
  return namingFile(file, () => readViolations("lines" in content ? content.lines : [content.value]));
}

function parseReasons(text: string): Reason[] {
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
