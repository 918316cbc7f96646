import type { Command } from "commander";
import type { Check } from "../doctor/check.js";
import { diagnose } from "../doctor/diagnosis.js";
import { counted } from "../messages/nouns.js";
import { commandWithVerdict, EXIT, EXIT_CODES, SETTINGS_HELP, verdict } from "./command.js";
import { wantedKinds } from "./options.js";
import { json, paint, printable, progress, result, widthOf, wrapped } from "./terminal.js";
import { Waits } from "./waits.js";

interface Flags {
  only?: string[];
  except?: string[];
  readOnly: boolean;
  stack?: string;
  json: boolean;
}

/** `buildpipeline doctor`: checks that everything for a deployment exists. */
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
Sends at most three requests, reads only. A temporary failure repeats each once. Rate limits and the clock come from the
response headers.
${SETTINGS_HELP}

Examples:
  buildpipeline doctor
  buildpipeline doctor --except PipelineTemplate Suite
  buildpipeline doctor --read-only --json
${EXIT_CODES("there is a problem", "no problem; there may be warnings")}`,
    )
    .action(verdict(run));
}

async function run(flags: Flags): Promise<number> {
  const checks = await diagnose({
    stack: flags.stack,
    intent: async () => ({ kinds: await wantedKinds(flags), readOnly: flags.readOnly }),
    onStep: progress,
    onEvent: new Waits().onEvent,
  });
  const good = checks.every(({ status }) => status !== "problem");
  result(flags.json ? json({ ok: good, checks }) : asText(checks));
  return good ? EXIT.clean : EXIT.found;
}

const SIGNS = { ok: "✓", warning: "!", problem: "✗", skipped: "–" } as const;
const EMPHASES = { ok: "green", warning: "yellow", problem: "red", skipped: "dim" } as const;

/** Order of the results, and what the sum calls them. */
const SUMS = {
  problem: "problem",
  warning: "warning",
  skipped: "skipped check",
  ok: "passed check",
} as const;

/** Returns the results, problems first, and their sum. */
function asText(checks: readonly Check[]): string {
  const statuses = Object.keys(SUMS) as Check["status"][]; // Its keys are all of them, by the type of SIGNS.
  const sorted = statuses.map((status) => checks.filter((check) => check.status === status));
  const sums = statuses.flatMap((status, index) => {
    const { length } = sorted[index] ?? [];
    return length === 0 ? [] : [counted(length, SUMS[status])];
  });
  return `${sorted.flat().map(lineOf).join("\n")}\n\n${paint("bold", `${sums.join(", ")}.`)}\n`;
}

/** Returns a result on one line if it fits there; otherwise its action follows on a line of its own. */
function lineOf({ status, message, action }: Check): string {
  const lines = [message, ...(action === undefined ? [] : [action])].map(printable);
  const joined = lines.join(message.endsWith(".") ? " " : " → ");
  const [first = "", ...more] =
    2 + joined.length <= Math.min(widthOf(process.stdout), 120) ? [joined] : lines;
  const sign = paint(EMPHASES[status], SIGNS[status]);
  const text = [
    wrapped(first, process.stdout, "  "),
    ...more.map((one) => wrapped(one, process.stdout, "    → ")),
  ];
  return `${sign}${text.join("\n").slice(1)}`;
}
