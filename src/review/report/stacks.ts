import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
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
import { counted } from "../../shared/messages/nouns.js";
import { inside, makeFolders } from "../../shared/process/folders.js";
import { pageOf } from "./blocks.js";
import { html } from "./html.js";
import { busyInWords } from "./impact.js";
import { reportAsJson } from "./json.js";
import {
  alertPart,
  code,
  fitted,
  MARKS,
  markdown,
  markdownParts,
  type Part,
  whole,
  written,
} from "./markdown.js";
import { type Page, pageSchema } from "./page.js";
import type { Report } from "./report.js";

export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

export function writeReports(report: Report, folder: string, longest: number): void {
  makeFolders(folder);
  writeWhole(join(folder, REPORTED.summary), json(pageSchema.parse(pageOf(report))));
  writeWhole(join(folder, "report.json"), json(reportAsJson(report)));
  writeWhole(join(folder, "report.md"), markdown(report, longest));
  writeWhole(join(folder, "report.html"), html(report));
}

/** Returns one report of the stacks in a folder that `projects` wrote, as Markdown. */
export async function combinedReport(
  folder: string,
  longest: number,
  endingOf?: (stack: ListedStack) => Promise<Ending | undefined>,
): Promise<string> {
  const all: ReportedStack[] = [];
  for (const one of await reportsIn(folder)) {
    const { problem } = one.stack;
    const ending = problem === undefined ? await endingOf?.(one.stack) : { failure: code(problem, 1_000) };
    all.push({ ...one, ending });
  }
  return combinedMarkdown(all, longest);
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
function readSummary(value: unknown): Page {
  const { data } = pageSchema.safeParse(value);
  if (data === undefined)
    throw new Error("is not a report's summary that `buildpipeline report --out <folder>` wrote.");
  return data;
}

export interface ReportedStack {
  readonly stack: ListedStack;
  readonly report: Page | undefined;
  /** What its job says beyond the report, as sentences. */
  readonly ending?: Ending | undefined;
}

interface Ending {
  /** Why it has no plan. */
  readonly failure?: string;
  readonly remark?: string;
}

/**
 * Returns one report of several stacks, for a pull request: dangers first, then the impact, then each stack that the
 * change affects, and the others in one line. The report fits into one comment.
 */
export function combinedMarkdown(all: readonly ReportedStack[], longest: number): string {
  const [only, ...more] = all;
  // A repository with one stack needs no heading around its report.
  const failure = only?.ending?.failure;
  if (only?.report !== undefined && more.length === 0) {
    const [head = whole(), ...parts] = markdownParts(only.report);
    const ending = [...dangerPart(failure === undefined ? [] : [failure]), ...remarksOf([only])];
    return fitted([head, ...ending, ...parts], longest);
  }
  // The results of another job may be there, which knows more than the one that wrote the listing.
  const isOpen = ({ stack, report, ending }: ReportedStack) =>
    stack.unknown !== undefined && report === undefined && ending?.failure === undefined;
  const affected = all.filter((one) => one.stack.affected !== null || (one.stack.unknown && !isOpen(one)));
  const others = all.filter((one) => !affected.includes(one));
  return fitted(
    [
      whole(markerOf(all), ...headOf(affected, all.length)),
      ...dangerParts(affected),
      ...remarksOf(affected),
      ...impactOf(affected).map((text) => whole(`${text}\n`)),
      ...affected.toSorted(byWeight).flatMap(stackParts),
      ...namesOf("Not affected", others, (one) => !isOpen(one)),
      ...namesOf("Not known here", others, isOpen),
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

function headOf(affected: readonly ReportedStack[], total: number): string[] {
  const reports = affected.flatMap(({ report }) => report ?? []);
  const drift = reports.length > 0 && reports.every((report) => report.drift);
  const of =
    affected.length === total ? counted(total, "stack") : `${affected.length} of ${counted(total, "stack")}`;
  return [`## ${drift ? "Drift" : "Preview"} of ${of}`, "", ...verdictOf(affected)];
}

function verdictOf(affected: readonly ReportedStack[]): string[] {
  if (affected.length === 0) return ["The change affects no stack.", ""];
  const reports = affected.flatMap(({ report }) => report ?? []);
  const sum = (of: (report: Page) => number) => reports.reduce((total, one) => total + of(one), 0);
  const missing = affected.length - reports.length;
  const failed = reports.filter((report) => report.failed).length + missing;
  const dangerous = sum(({ verdict }) => verdict.dangerous);
  const noticeable = sum(({ verdict }) => verdict.noticeable);
  const [changed, proven, open] = (["some", "none", "unproven"] as const).map((wanted) =>
    sum(({ changes }) => Number(changes === wanted)),
  );
  const parts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(dangerous > 0 ? [`${dangerous} dangerous`] : []),
    ...(noticeable > 0 ? [`${noticeable} noticeable`] : []),
    ...(changed ? [`${counted(changed, "stack")} with changes`] : []),
    ...(proven ? [`${proven} without`] : []),
    ...(open ? [`${open} not checked completely`] : []),
  ];
  const isBroken = failed > 0 || reports.some((report) => dangersIn(report).length > 0);
  const isClear = proven === affected.length;
  const level = isBroken ? "danger" : noticeable > 0 ? "caution" : isClear ? "clear" : "open";
  const [first, ...others] = level === "clear" ? ["No changes"] : parts;
  return [`${MARKS[level]} ${[`**${first}**`, ...others].join(" · ")}.`, ""];
}

function dangerParts(affected: readonly ReportedStack[]): Part[] {
  const items = affected.flatMap(({ stack, report, ending }) => {
    const name = nameOf(stack);
    const failure = ending?.failure === undefined ? [] : [`${name}: ${ending.failure}`];
    if (report !== undefined)
      return [...dangersIn(report).map((danger) => `${name}: ${danger}`), ...(report.failed ? [] : failure)];
    if (failure.length > 0) return failure;
    return [`${name} has no report. Its job failed or was not started; the job's log has the reason.`];
  });
  return dangerPart(items);
}

/** Returns what comes first in the report of several stacks: an interruption, a failure, and dangers. */
function dangersIn({ title, failed, interrupted, blocks }: Page): string[] {
  // An alert with another title says why a preview failed, or what was interrupted.
  const items = blocks.flatMap((block) =>
    block.type === "alert" && block.level === "danger" && block.title === "" ? block.items : [],
  );
  return [
    ...(interrupted ? ["the last deployment was interrupted."] : []),
    ...(failed ? [`${title.toLowerCase()}. What it would change is not all here.`] : []),
    ...items.flatMap((item) => written(item).slice(0, 1)),
  ];
}

function remarksOf(all: readonly ReportedStack[]): Part[] {
  return all.flatMap(({ stack, ending }) =>
    ending?.remark === undefined ? [] : whole(`_${nameOf(stack)}: ${ending.remark}_\n`),
  );
}

function dangerPart(items: readonly string[]): Part[] {
  const all = items.map((item) => [item]);
  return all.length === 0 ? [] : [alertPart("danger", "**Dangerous**", all, "the list of dangers")];
}

/** Says what all changes would hit together. It is reassuring only if no missing data could contradict it. */
function impactOf(affected: readonly ReportedStack[]): string[] {
  const impacts = affected.flatMap(({ report }) => report?.load ?? []);
  const sum = (of: "busy" | "running" | "waiting") => impacts.reduce((total, one) => total + one[of], 0);
  if (sum("busy") > 0) {
    const all = { busy: sum("busy"), running: sum("running"), waiting: sum("waiting") };
    const atLeast = impacts.some((one) => one.atLeast);
    return [`**Impact now:** ${busyInWords(all, atLeast)} that these changes delete or replace.`];
  }
  const isProven = impacts.length > 0 && impacts.length === affected.length;
  return isProven && impacts.every(({ proven }) => proven)
    ? ["**Impact now:** no job runs in anything that these changes delete or replace."]
    : [];
}

function stackParts({ stack, report }: ReportedStack): Part[] {
  if (report === undefined) return [];
  const heading = `### ${nameOf(stack)}: ${report.failed ? report.title : report.summary.map(({ text }) => text).join(", ")}\n`;
  const because = stack.affected === null ? "" : `_Affected because ${code(stack.affected)}._\n`;
  const after = stack.after.map((project) => code(project)).join(", ");
  const marked =
    stack.after.length === 0
      ? because
      : `_Previewed against deployed outputs of ${after}, which this change affects as well. It is planned again after them._\n`;
  return [
    { levels: [[heading, ...(report.drift ? [] : [marked])].join("\n"), heading], what: "reasons" },
    ...markdownParts(report).slice(1),
  ];
}

/** The most dangerous stacks first; equally dangerous stacks in the order of deployment. */
function byWeight(one: ReportedStack, other: ReportedStack): number {
  const weight = ({ report }: ReportedStack) =>
    report === undefined || report.failed
      ? 1_000
      : dangersIn(report).length || (report.changes === "none" && report.verdict.noticeable === 0 ? -1 : 0);
  return weight(other) - weight(one);
}

function nameOf(stack: ListedStack): string {
  return code(stackName(stack));
}
