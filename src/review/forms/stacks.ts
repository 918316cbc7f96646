import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
  EVERY_PROJECT,
  isWhole,
  LISTING_FILE,
  type ListedStack,
  listingFile,
  REPORTED,
  readListing,
  resultsOf,
} from "../../cli/pulumi/stack-listing.js";
import { readJsonAs, writeWhole } from "../../cli/terminal/files.js";
import { json, stackName } from "../../cli/terminal/terminal.js";
import { EFFECTS } from "../../provider/for-commands/kinds.js";
import { counted } from "../../shared/messages/nouns.js";
import { inside, makeFolders } from "../../shared/process/folders.js";
import type { Findings } from "../findings/findings.js";
import { busyInWords } from "../findings/impact.js";
import { type Report, reportSchema } from "../findings/report.js";
import { html } from "./html.js";
import { reportAsJson } from "./json.js";
import {
  alertPart,
  code,
  consequenceItem,
  fitted,
  type Host,
  MARKS,
  markdown,
  markdownParts,
  type Part,
  sentence,
  whole,
} from "./markdown.js";

export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

export function writeReports(findings: Findings, report: Report, folder: string, longest: number): void {
  makeFolders(folder);
  writeWhole(join(folder, REPORTED.summary), json(reportSchema.parse(report)));
  writeWhole(join(folder, "report.json"), json(reportAsJson(findings, report)));
  writeWhole(join(folder, "report.md"), markdown(report, longest));
  writeWhole(join(folder, "report.html"), html(report));
}

/** Returns the stacks in a folder that `projects` wrote, with their reports and what their jobs say beyond these. */
export async function reportedIn(
  folder: string,
  endingOf?: (stack: ListedStack) => Promise<Ending | undefined>,
): Promise<ReportedStack[]> {
  const all: ReportedStack[] = [];
  for (const one of await reportsIn(folder)) {
    const { problem } = one.stack;
    const ending = problem === undefined ? await endingOf?.(one.stack) : { failure: code(problem, 1_000) };
    all.push({ ...one, ending });
  }
  return all;
}

/** Reads the stacks in a folder that `projects` wrote, and the report of each one that has one. */
export async function reportsIn(folder: string): Promise<ReportedStack[]> {
  const all: ReportedStack[] = [];
  for (const stack of await readJsonAs(listingFile(inside(folder, LISTING_FILE)), readListing)) {
    const file = isWhole(stack) && inside(folder, resultsOf(stack), REPORTED.summary);
    all.push({ stack, report: file && existsSync(file) ? await readJsonAs(file, readSummary) : undefined });
  }
  return all;
}

/** @throws if the value isn't the `summary.json` of a folder */
function readSummary(value: unknown): Report {
  const { data } = reportSchema.safeParse(value);
  if (data === undefined)
    throw new Error("is not a report's summary that `buildpipeline report --out <folder>` wrote.");
  return data;
}

export interface ReportedStack {
  readonly stack: ListedStack;
  readonly report: Report | undefined;
  /** What its job says beyond the report, as sentences. */
  readonly ending?: Ending | undefined;
}

interface Ending {
  /** Why it has no plan. */
  readonly failure?: string;
  /** What to do about that, without the reason. */
  readonly advice?: string;
  readonly remark?: string;
}

/**
 * Returns one report of several stacks, for a pull request: the dangers of all come first, then the impact, then each stack
 * that the change affects, and the others in one line. The report fits into one comment.
 */
export function combinedMarkdown(
  all: readonly ReportedStack[],
  longest: number,
  host: Host = "GitHub",
): string {
  const [only, ...more] = all;
  // A repository with one stack needs no heading around its report.
  if (only?.report !== undefined && more.length === 0) {
    const [head = whole(), ...parts] = markdownParts(only.report, host);
    const failed = alertPart(host, "danger", "", failureOf(only));
    return fitted([head, failed, ...remarksOf([only]), ...parts], longest);
  }
  const affected = affectedOf(all);
  const others = all.filter((one) => !affected.includes(one));
  return fitted(
    [
      whole(markerOf(all), ...headOf(affected, all.length)),
      alertPart(host, "danger", "", affected.flatMap(dangersIn)),
      ...remarksOf(affected),
      ...impactOf(affected).map((text) => whole(`${text}\n`)),
      ...namesOf("Not affected", others, (one) => !isOpen(one)),
      ...namesOf("Not known here", others, isOpen),
      ...affected.flatMap((one) => stackParts(one, host)),
    ],
    longest,
  );
}

function namesOf(
  what: string,
  all: readonly ReportedStack[],
  isMeant: (one: ReportedStack) => boolean,
): Part[] {
  const names = all.filter(isMeant).map(({ stack }) => nameOf(stack));
  return names.length === 0 ? [] : [whole(`${what}: ${names.join(", ")}.\n`)];
}

/**
 * Returns the line by which the next report finds its comment. It doesn't depend on what a change affects, so that a
 * push that affects less, or fails, updates the same comment.
 */
function markerOf(all: readonly ReportedStack[]): string {
  const [{ stack } = { stack: undefined }, ...more] = all;
  const stacks = [...new Set(all.map((one) => one.stack.stack))].sort().join("+");
  const name =
    stack !== undefined && more.length === 0 ? `${stack.project}/${stack.stack}` : `projects/${stacks}`;
  return `<!-- buildpipeline report ${name.replaceAll(/[^\w./+-]/g, "")} -->`;
}

/** The results of another job may be there, which knows more than the one that wrote the listing. */
function isOpen({ stack, report, ending }: ReportedStack): boolean {
  return stack.unknown !== undefined && report === undefined && ending?.failure === undefined;
}

function affectedOf(all: readonly ReportedStack[]): ReportedStack[] {
  const isAffected = (one: ReportedStack) =>
    one.stack.affected !== null || (one.stack.unknown && !isOpen(one));
  return all.filter(isAffected).toSorted(byWeight);
}

/** Returns the verdict of a combined report. */
export function combinedLevel(all: readonly ReportedStack[]): Report["verdict"]["level"] {
  const [only, ...more] = all;
  const isFailed = all.some(({ ending }) => ending?.failure !== undefined);
  const isLone = only?.report !== undefined && more.length === 0;
  return isFailed ? "danger" : isLone ? only.report.verdict.level : verdictOf(affectedOf(all)).level;
}

/** The first line is the worst consequence of all, as in the report of one stack. */
function headOf(affected: readonly ReportedStack[], total: number): string[] {
  const reports = affected.flatMap(({ report }) => report ?? []);
  const drift = reports.length > 0 && reports.every((report) => report.drift);
  const of =
    affected.length === total ? counted(total, "stack") : `${affected.length} of ${counted(total, "stack")}`;
  const { level, parts } = verdictOf(affected);
  const [worst] = affected;
  const isWorse = level !== "clear" && worst?.report !== undefined && worst.report.verdict.level === level;
  const title = isWorse
    ? `${nameOf(worst.stack)}: ${sentence(worst.report.headline)}${othersInWords(level, affected)}`
    : affected.length === 0
      ? "The change affects no stack"
      : (parts[0] ?? "");
  return [
    `## ${MARKS[level]} ${title}`,
    "",
    [`${drift ? "Drift" : "Preview"} of ${of}`, ...parts].join(" · "),
    "",
  ];
}

/** Counts what is as grave in stacks after the first. */
function othersInWords(level: string, [, ...others]: readonly ReportedStack[]): string {
  const of = level === "danger" ? "dangerous" : "noticeable";
  const count = others.reduce((total, { report }) => total + (report?.verdict[of] ?? 0), 0);
  const what = level === "danger" ? counted(count, "danger") : `${count} more`;
  return count === 0 ? "" : `, and ${what} in other stacks`;
}

function verdictOf(affected: readonly ReportedStack[]): Pick<Report["verdict"], "level" | "parts"> {
  const reports = affected.flatMap(({ report }) => report ?? []);
  const count = (isMeant: (report: Report) => boolean) => reports.filter(isMeant).length;
  const failed = count((report) => report.failed) + affected.length - reports.length;
  const [dangerous, noticeable] = (["dangerous", "noticeable"] as const).map((of) =>
    reports.reduce((total, { verdict }) => total + verdict[of], 0),
  );
  const [changed, proven, open] = (["some", "none", "unproven"] as const).map((wanted) =>
    count(({ changes }) => changes === wanted),
  );
  const isBroken = failed > 0 || count(({ verdict }) => verdict.level === "danger") > 0;
  if (affected.length > 0 && proven === affected.length && !isBroken && !noticeable)
    return { level: "clear", parts: ["No changes"] };
  const isNoticed = count(({ verdict }) => verdict.level === "caution") > 0;
  return {
    level: isBroken ? "danger" : isNoticed ? "caution" : "open",
    parts: [
      failed > 0 && `${failed} failed`,
      dangerous && `${dangerous} dangerous`,
      noticeable && `${noticeable} noticeable`,
      changed && `${counted(changed, "stack")} with changes`,
      proven && `${proven} without`,
      open && `${open} not checked completely`,
    ].filter((part) => typeof part === "string"),
  };
}

/** Returns what comes first in the report of several stacks: an interruption, a failure, and dangers. */
function dangersIn(one: ReportedStack): string[][] {
  const { stack, report } = one;
  const name = nameOf(stack);
  const failure = failureOf(one).map(([text]) => [`${name}: ${text}`]);
  if (report === undefined)
    return failure.length > 0
      ? failure
      : [[`${name} has no report. Its job failed or was not started; the job's log has the reason.`]];
  const notices = report.notices.filter(({ level }) => level === "danger");
  return [
    ...notices.map(({ title }) => [`${name}: ${title}.`]),
    ...report.consequences
      .filter(({ level }) => level === "danger")
      .map((consequence) => {
        const [text = "", ...details] = consequenceItem(consequence, report);
        return [`${name}: ${text}`, ...details];
      }),
    ...failure,
  ];
}

/** Says why a stack has no plan, if its report doesn't, and what to do. */
function failureOf({ report, ending }: ReportedStack): string[][] {
  const { failure, advice } = ending ?? {};
  const words = report?.failed === true && report.errors.length > 0 ? advice : failure;
  return words === undefined ? [] : [[words]];
}

function remarksOf(all: readonly ReportedStack[]): Part[] {
  return all.flatMap(({ stack, ending }) =>
    ending?.remark === undefined ? [] : whole(`_${nameOf(stack)}: ${ending.remark}_\n`),
  );
}

/** Says what all changes would hit together. It is reassuring only if no missing data could contradict it. */
function impactOf(affected: readonly ReportedStack[]): string[] {
  const loads = affected.flatMap(({ report }) => report?.load ?? []);
  const sum = (of: "busy" | "running" | "waiting") => loads.reduce((total, one) => total + one[of], 0);
  const [busy, running, waiting] = [sum("busy"), sum("running"), sum("waiting")];
  if (running + waiting > 0) {
    const words = busyInWords({ busy, running, waiting, atLeast: loads.some(({ atLeast }) => atLeast) });
    return [`**Impact now:** ${words} that these changes delete or replace.`];
  }
  const isProven = loads.length > 0 && loads.length === affected.length && busy === 0;
  return isProven && loads.every(({ proven }) => proven)
    ? ["**Impact now:** no job runs in anything that these changes delete or replace."]
    : [];
}

function stackParts({ stack, report }: ReportedStack, host: Host): Part[] {
  if (report === undefined) return [];
  const heading = `### ${nameOf(stack)}: ${report.failed ? report.title : report.summary.map(({ text }) => text).join(", ")}\n`;
  const { affected } = stack;
  const because =
    affected === null || affected === EVERY_PROJECT ? "" : `_Affected because ${code(affected)}._\n`;
  const after = stack.after.map((project) => code(project)).join(", ");
  const marked =
    stack.after.length === 0
      ? because
      : `_Previewed against deployed outputs of ${after}, which this change affects as well. It is planned again after them._\n`;
  // The dangers of all stacks are above.
  const consequences = report.consequences.filter(({ level }) => level !== "danger");
  const [, ...parts] = markdownParts({ ...report, consequences }, host);
  return [
    { levels: [[heading, ...(report.drift ? [] : [marked])].join("\n"), heading], what: "reasons" },
    ...parts.map(({ levels, what }) => ({ levels: [...levels, ""], what: what || "notes" })),
  ];
}

/** The worst stacks first, in the order of a report's consequences; equally bad stacks in the order of deployment. */
function byWeight(one: ReportedStack, other: ReportedStack): number {
  const rank = ({ report }: ReportedStack) => {
    if (report === undefined || report.failed) return -2;
    const [worst] = report.consequences;
    if (report.notices.some(({ level }) => level === "danger")) return -1;
    if (worst !== undefined)
      return EFFECTS.indexOf(worst.effect) + (worst.level === "danger" ? 0 : EFFECTS.length);
    return 2 * EFFECTS.length + Number(report.changes === "none");
  };
  const dangers = ({ report }: ReportedStack) => report?.verdict.dangerous ?? 0;
  return rank(one) - rank(other) || dangers(other) - dangers(one);
}

function nameOf(stack: ListedStack): string {
  return code(stackName(stack));
}
