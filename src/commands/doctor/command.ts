import type { Command } from "commander";
import { commandWithVerdict, EXIT, EXIT_CODES, SETTINGS_HELP, verdict } from "../../cli/terminal/command.js";
import { json, paint, result, widthOf, wrapped } from "../../cli/terminal/terminal.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { counted } from "../../shared/messages/nouns.js";
import { type Check, joined } from "./check.js";
import type { Subject } from "./diagnosis.js";

export function doctorCommand(): Command {
  return commandWithVerdict("doctor")
    .description("Check settings, access token, API and versions, and print a fix for each problem.")
    .option("--only <kind...>", "check the scopes for these resource types only, such as Queue")
    .option("--except <kind...>", "leave these resource types out")
    .option("--read-only", "the access token only needs to preview, refresh and list", false)
    .option("--stack <name>", "the stack whose configuration to use (default: the selected one)")
    .option("--json", "print JSON: { ok, checks: [{ name, status, message, action }] }", false)
    .addHelpText(
      "after",
      `
Sends at most three requests, and one for each of the first ten clusters, for agent tokens that expire within 14 days.
The scopes for pipelines, schedules, secrets, maintainers and the access of teams are checked, with one request or two each, if
the stack has such a resource or --only names its type.
Reads only. A temporary failure repeats each once. Rate limits and the clock come from the response headers.
${SETTINGS_HELP}

Examples:
  buildpipeline doctor
  buildpipeline doctor --except PipelineTemplate Suite
  buildpipeline doctor --read-only --json
${EXIT_CODES("there is a problem", "no problem; there may be warnings")}`,
    )
    .action(verdict(run));
}

async function run(flags: Subject & { readonly json: boolean }): Promise<number> {
  const { diagnose } = await import("./diagnosis.js");
  const checks = await diagnose(flags);
  const good = checks.every(({ status }) => status !== "problem");
  result(
    flags.json
      ? json({ ok: good, checks: checks.map(({ ofKind: _, ...check }) => check) })
      : asText(joined(checks)),
  );
  return good ? EXIT.clean : EXIT.found;
}

/** How the results of each status are shown and counted, problems first. */
const STATUSES = {
  problem: { sign: "✗", emphasis: "red", noun: "problem" },
  warning: { sign: "!", emphasis: "yellow", noun: "warning" },
  skipped: { sign: "–", emphasis: "dim", noun: "skipped check" },
  ok: { sign: "✓", emphasis: "green", noun: "passed check" },
} as const satisfies Record<Check["status"], object>;

function asText(checks: readonly Check[]): string {
  const groups = Object.entries(STATUSES)
    .map(([status, { noun }]) => ({ noun, own: checks.filter((check) => check.status === status) }))
    .filter(({ own }) => own.length > 0);
  const lines = groups.flatMap(({ own }) => own.map(lineOf));
  const sums = groups.map(({ noun, own }) => counted(own.length, noun));
  return `${lines.join("\n")}\n\n${paint("bold", `${sums.join(", ")}.`)}\n`;
}

/** Returns a result on one line if it fits there; otherwise its action follows on a line of its own. */
function lineOf({ status, message, action }: Check): string {
  const lines = [message, ...(action === undefined ? [] : [action])].map((line) => visible(line));
  const joined = lines.join(message.endsWith(".") ? " " : " → ");
  const [first = "", ...more] =
    2 + joined.length <= Math.min(widthOf(process.stdout), 120) ? [joined] : lines;
  const text = [
    wrapped(first, process.stdout, "  "),
    ...more.map((one) => wrapped(one, process.stdout, "    → ")),
  ];
  const { sign, emphasis } = STATUSES[status];
  return `${paint(emphasis, sign)}${text.join("\n").slice(1)}`;
}
