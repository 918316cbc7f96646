import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach } from "vitest";
import { readPreview } from "../../../src/cli/pulumi/preview.js";
import { readStackState } from "../../../src/cli/pulumi/stack-export.js";
import { type Findings, findingsOf } from "../../../src/review/findings/findings.js";
import type { Origin } from "../../../src/review/findings/origin.js";
import { type Report, reportOf } from "../../../src/review/findings/report.js";
import { html } from "../../../src/review/forms/html.js";
import { reportAsJson } from "../../../src/review/forms/json.js";
import { markdown } from "../../../src/review/forms/markdown.js";
import { terminalForm } from "../../../src/review/forms/terminal.js";
import { type Plan, planOf } from "../../../src/review/plan/plan.js";
import { plainText } from "../../../src/review/plan/text.js";
import { Scratch } from "../../support/command.js";

/** What the recorders in this folder wrote of the real engine. */
export const recordedHere = (name: string) =>
  JSON.parse(readFileSync(join(__dirname, "recorded", `${name}.json`), "utf8"));

/** The lines of an event log. */
export const linesOf = (file: string): Record<string, unknown>[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** The plan in a preview's JSON. @param state of a stack's export */
export const planFrom = (preview: unknown, state?: unknown) =>
  planOf(readPreview(preview), state === undefined ? undefined : readStackState(state));

export const findingsFrom = (preview: unknown, state?: unknown) => findingsOf(planFrom(preview, state));

export const reportFrom = (preview: unknown, state?: unknown) => reportOf(findingsFrom(preview, state));

export const reportOfPlan = (plan: Plan, origin?: Origin) => reportOf(findingsOf(plan), origin);

/** The whole Markdown of a report. */
export const said = (preview: unknown, state?: unknown) => markdown(reportFrom(preview, state), 65_536);

/** Consequences as they read: `caution: Queue arm is paused.` */
export const dangersOf = ({ consequences }: Pick<Report, "consequences">) =>
  consequences.map(({ level, message }) => `${level}: ${plainText(message)}`);

/** Every form of a report, by name. */
export function formsOf(findings: Findings, columns = 100) {
  const report = reportOf(findings);
  return {
    Markdown: markdown(report, 1_000_000),
    CommonMark: markdown(report, 1_000_000, "CommonMark"),
    page: html(report),
    terminal: onTerminal(report, columns),
    JSON: JSON.stringify(reportAsJson(findings, report), null, 2),
  };
}

/** A report as a terminal of a width shows it. */
export function onTerminal(report: Report, columns: number): string {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns, hasColors: () => true });
  return terminalForm(report, stream as never);
}

/** A preview that ended with an error. */
export const failedWith = (message: string) => ({
  steps: [],
  diagnostics: [{ severity: "error", message }],
});

/** A broken rule, as the engine and `pulumi policy analyze --json` print it. */
export const violation = (policyName: string, enforcementLevel: string, message: string) => ({
  sequence: 1_000,
  timestamp: 0,
  policyEvent: {
    policyName,
    enforcementLevel,
    message,
    resourceUrn: "urn:pulumi:production::ci::buildpipeline:index:AgentToken::agents",
    color: "never",
    policyPackName: "buildpipeline",
    policyPackVersion: "1.0.0",
  },
});

/** A directory of each test's own. */
export function scratchOfEach(): Pick<Scratch, "path"> {
  let scratch: Scratch;
  beforeEach(() => {
    scratch = new Scratch();
  });
  afterEach(() => scratch.remove());
  return { path: (name) => scratch.path(name) };
}
