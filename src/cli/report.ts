import { type Command, InvalidArgumentError, Option } from "commander";
import type { Report } from "../report/report.js";
import { commandWithVerdict, EXIT, verdict } from "./command.js";
import { readJsonOrLines, writeOut } from "./files.js";
import { readExport } from "./owned.js";
import { json } from "./terminal.js";

/** As many characters as a comment on GitHub may have. */
const LONGEST_COMMENT = 65_536;

interface Flags {
  html: boolean;
  json: boolean;
  stackExport?: string;
  out?: string;
  maxLength: number;
  exitCode: boolean;
}

/** `buildpipeline report`: what a reviewer wants to know of a preview. */
export function reportCommand(): Command {
  return commandWithVerdict("report")
    .description("Turn a preview into Markdown for a pull request: dangerous things first.")
    .argument(
      "<preview.json>",
      "what `pulumi preview --json` or `pulumi refresh --preview-only --json` printed, or the engine's event log; " +
        "- for standard input",
    )
    .option("--html", "write a page instead", false)
    .option("--json", "print JSON: { stack, counts, dangers, changes, … }", false)
    .option("--stack-export <file>", "what `pulumi stack export` printed: names what does not change")
    .option("--out <file>", "write to a file (default: standard output)")
    .addOption(
      new Option("--max-length <characters>", "longest Markdown")
        .default(LONGEST_COMMENT)
        .argParser(parseLength),
    )
    .option("--exit-code", "end with 1 when something is dangerous or the preview failed", false)
    .addHelpText(
      "after",
      `
Needs no settings and sends no requests. Secrets stay masked as the engine masks them; do not use --show-secrets.

Examples:
  pulumi preview --json > preview.json; buildpipeline report preview.json > comment.md
  pulumi preview --json | buildpipeline report - --exit-code --out comment.md
  buildpipeline report preview.json --html --out report.html
  PULUMI_DEBUG_COMMANDS=1 pulumi preview --event-log events.jsonl; buildpipeline report events.jsonl

Exit codes:
  0  written
  1  written, and with --exit-code: something is dangerous, or the preview failed
  2  the command could not do its work, or was called wrongly`,
    )
    .action(verdict(run));
}

async function run(file: string, flags: Flags): Promise<number> {
  const content = await readJsonOrLines(file);
  const { readPreview } = await import("../report/preview.js");
  const { readEventLog } = await import("../report/event-log.js");
  const { reportOf, isDangerous } = await import("../report/report.js");
  const preview = named(file, () =>
    "lines" in content ? readEventLog(content.lines) : readPreview(content.value),
  );
  const report = reportOf(
    preview,
    flags.stackExport === undefined ? [] : await readExport(flags.stackExport),
  );
  await writeOut(await written(report, flags), flags.out);
  return flags.exitCode && isDangerous(report) ? EXIT.found : EXIT.clean;
}

async function written(report: Report, flags: Flags): Promise<string> {
  if (flags.json) return json((await import("../report/json.js")).reportAsJson(report));
  if (flags.html) return (await import("../report/html.js")).html(report);
  return (await import("../report/markdown.js")).markdown(report, flags.maxLength);
}

/** Puts the file's name in front of what is wrong with it. */
function named<Result>(file: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new Error(`${file} ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parseLength(text: string): number {
  const length = Number(text);
  if (!Number.isSafeInteger(length) || length < 1_000)
    throw new InvalidArgumentError("It must be at least 1000.");
  return length;
}
