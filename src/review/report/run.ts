import { resolve } from "node:path";
import { type Preview, readEventLog, readPreview } from "../../cli/pulumi/preview.js";
import type { Project } from "../../cli/pulumi/pulumi.js";
import type { StackState } from "../../cli/pulumi/stack-export.js";
import { EXIT } from "../../cli/terminal/command.js";
import { connected } from "../../cli/terminal/connection.js";
import { namingFile, readJsonOrLines, readState, writeOut } from "../../cli/terminal/files.js";
import { clearProgress, json, note, progress } from "../../cli/terminal/terminal.js";
import type { Remark } from "../findings/consequences.js";
import { type Findings, findingsOf, readFindings, readViolations } from "../findings/findings.js";
import { originOfRun } from "../findings/origin.js";
import { isDangerous, type Report, reportOf } from "../findings/report.js";
import { leavesOutGeneration } from "../findings/rotation.js";
import { html } from "../forms/html.js";
import { reportAsJson } from "../forms/json.js";
import { markdown } from "../forms/markdown.js";
import { combinedMarkdown, isFolder, reportedIn, writeReports } from "../forms/stacks.js";
import { terminalForm } from "../forms/terminal.js";
import { planOf } from "../plan/plan.js";

export interface Flags {
  html: boolean | string;
  json: boolean;
  stackExport?: string;
  policies?: string;
  out?: string;
  maxLength: number;
  exitCode: boolean;
  impact: boolean;
  failOn?: readonly ("busy" | "refused" | "left-out")[];
  maxBuilds: number;
  impactTimeout: number;
  stack?: string;
}

export async function run(argument: string | undefined, given: Flags): Promise<number> {
  const { file, ...flags } = withPage(argument, given);
  for (const input of [file, flags.stackExport, flags.policies])
    if (input !== undefined && flags.out !== undefined && resolve(input) === resolve(flags.out))
      throw new Error(`${input} is an input, so nothing is written there. Nothing was written.`);
  if (await isFolder(file)) {
    const { json, html, impact, exitCode, failOn, policies, stackExport } = flags;
    if (json || html || impact || exitCode || failOn || policies || stackExport)
      throw new Error(
        "The report of a folder is Markdown of what its reports say: leave --json, --html, --impact, --exit-code, --fail-on, " +
          "--policies and --stack-export out.",
      );
    await writeOut(combinedMarkdown(await reportedIn(file), flags.maxLength), flags.out);
    return EXIT.clean;
  }
  const content = await readJsonOrLines(file);
  const failsOn = (reason: NonNullable<Flags["failOn"]>[number]) => flags.failOn?.includes(reason) === true;
  if ((failsOn("busy") || failsOn("refused")) && !flags.impact) throw new Error("--fail-on needs --impact.");
  const preview = namingFile(file, () =>
    "lines" in content ? readEventLog(content.lines) : readPreview(content.value),
  );
  const state = flags.stackExport === undefined ? undefined : await readState(flags.stackExport);
  const violations = [
    ...("lines" in content ? readViolations(content.lines) : []),
    ...(flags.policies === undefined ? [] : await readPolicies(flags.policies)),
  ];
  const findings = flags.impact
    ? await readNow(preview, state, violations, flags)
    : findingsOf(planOf(preview, state), undefined, violations);
  const { plan, impact } = findings;
  const report = reportOf(findings, originOfRun());
  if (flags.out !== undefined && (await isFolder(flags.out)))
    writeReports(findings, report, flags.out, flags.maxLength);
  else await writeOut(written(findings, report, flags), flags.out);
  if (failsOn("busy") && impact?.busy) return EXIT.busy;
  if (failsOn("left-out") && leavesOutGeneration(plan)) return EXIT.leftOut;
  if (failsOn("refused") && impact?.hits.some(({ refusal }) => refusal !== undefined)) return EXIT.refused;
  if (failsOn("busy") && (impact?.uncertain || plan.failed)) {
    note(
      // Warning idle-unconfirmed: The preview failed, or `report --impact` couldn't read builds, agents or a suite's
      // runs. The settings may name another organization than the preview.
      // Fix: Correct the preview, add the scopes that the report names, or use the settings of the preview's
      // organization.
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

export async function readNow(
  preview: Preview,
  state: StackState | undefined,
  violations: readonly Remark[],
  { stack, maxBuilds, impactTimeout }: Pick<Flags, "stack" | "maxBuilds" | "impactTimeout">,
  project?: Project,
): Promise<Findings> {
  return connected({ ...project, stack }, ({ client, traffic }) => {
    const options = {
      now: () => traffic.serviceTime(),
      requests: () => traffic.requests,
      mostBuilds: maxBuilds,
      signal: AbortSignal.timeout(impactTimeout * 1000),
      onPage: (what: string, items: number) => progress(`Reading ${what}: ${items}`),
    };
    return readFindings(client, preview, state, options, violations).finally(clearProgress);
  });
}

function written(findings: Findings, report: Report, flags: Flags): string {
  if (flags.json) return json(reportAsJson(findings, report));
  if (flags.html) return html(report);
  if (flags.out === undefined && process.stdout.isTTY) return terminalForm(report, process.stdout);
  return markdown(report, flags.maxLength);
}

async function readPolicies(file: string): Promise<Remark[]> {
  const content = await readJsonOrLines(file);
  return namingFile(file, () => readViolations("lines" in content ? content.lines : [content.value]));
}
