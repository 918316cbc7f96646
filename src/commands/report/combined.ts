import * as z from "zod";
import { counted } from "../../shared/messages/nouns.js";
import type { ListedStack } from "../shared/pulumi/stack-listing.js";
import { alertPart, code, fitted, MARKS, type Part, whole } from "./markdown.js";

const partSchema = z.object({ levels: z.array(z.string()), what: z.string() });
const savedSchema = z.object({
  title: z.string(),
  summary: z.array(z.string()),
  drift: z.boolean(),
  failed: z.boolean(),
  unchecked: z.array(z.string()),
  interrupted: z.unknown(),
  dangers: z.array(z.object({ level: z.string() })),
  changes: z.array(z.unknown()),
  outOfBand: z.array(z.unknown()),
  impact: z
    .object({
      busy: z.boolean(),
      uncertain: z.boolean(),
      unread: z.array(z.unknown()),
      atLeast: z.boolean(),
      findings: z.array(
        z.object({ busy: z.boolean(), running: z.number().nullable(), waiting: z.number().nullable() }),
      ),
    })
    .optional(),
  markdown: z.object({ head: partSchema, dangers: z.array(z.string()), parts: z.array(partSchema) }),
});

/** A report that was written into a folder, for a report of several stacks. */
export type SavedReport = z.infer<typeof savedSchema>;

/** @throws if the value isn't the `report.json` of a folder */
export function readSavedReport(value: unknown): SavedReport {
  const parsed = savedSchema.safeParse(value);
  if (!parsed.success) throw new Error("is not a report that `buildpipeline report --out <folder>` wrote.");
  return parsed.data;
}

/** A stack of a repository, with its report if there is one. */
export interface ReportedStack {
  readonly stack: ListedStack;
  readonly report: SavedReport | undefined;
  /** What its job says beyond the report, as sentences. */
  readonly ending?: Ending | undefined;
}

/** What the job of a stack says about its end. */
export interface Ending {
  /** Why it has no plan. */
  readonly failure?: string;
  /** What else a reviewer has to know. */
  readonly remark?: string;
}

/**
 * Returns one report of several stacks, for a pull request: dangers first, then the impact, then each stack that the
 * change affects, and the others in one line. The report fits into one comment.
 */
export function combinedMarkdown(all: readonly ReportedStack[], longest: number): string {
  const [only, ...more] = all;
  // A repository with one stack needs no heading around its report.
  if (only?.report !== undefined && more.length === 0)
    return fitted(
      [
        only.report.markdown.head,
        ...endingParts([only]),
        ...remarksOf([only]),
        ...only.report.markdown.parts,
      ],
      longest,
    );
  const affected = all.filter(({ stack }) => stack.affected !== null);
  const others = all.filter(({ stack }) => stack.affected === null);
  return fitted(
    [
      whole(markerOf(all), ...headOf(affected, all.length)),
      ...dangerParts(affected),
      ...remarksOf(affected),
      ...impactOf(affected).map((text) => whole(`${text}\n`)),
      ...affected.toSorted(byWeight).flatMap(stackParts),
      ...(others.length === 0
        ? []
        : [whole(`Not affected: ${others.map(({ stack }) => nameOf(stack)).join(", ")}.\n`)]),
    ],
    longest,
  );
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
  const count = (level: string) =>
    reports.reduce((sum, { dangers }) => sum + dangers.filter((one) => one.level === level).length, 0);
  const missing = affected.length - reports.length;
  const failed = reports.filter((report) => report.failed).length + missing;
  const [dangerous, noticeable] = [count("danger"), count("caution")];
  const unchanged = reports.filter(isUnchanged).length;
  const changed = reports.filter(hasChanges).length;
  const proven = reports.filter((report) => isProven(report) && !hasChanges(report)).length;
  const open = reports.length - changed - proven;
  const parts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(dangerous > 0 ? [`${dangerous} dangerous`] : []),
    ...(noticeable > 0 ? [`${noticeable} noticeable`] : []),
    ...(changed > 0 ? [`${counted(changed, "stack")} with changes`] : []),
    ...(proven > 0 ? [`${proven} without`] : []),
    // A warning is no change, but nothing then proves that there is none.
    ...(open > 0 ? [`${open} not checked completely`] : []),
  ];
  const isBroken = failed > 0 || dangerous > 0 || reports.some(({ interrupted }) => interrupted !== null);
  const isClear = reports.length > 0 && unchanged === reports.length && missing === 0;
  const level = isBroken ? "danger" : noticeable > 0 ? "caution" : isClear ? "clear" : "open";
  const [first, ...others] = isClear && !isBroken && noticeable === 0 ? ["No changes"] : parts;
  return [`${MARKS[level]} ${[`**${first}**`, ...others].join(" · ")}.`, ""];
}

function hasChanges({ changes, outOfBand }: SavedReport): boolean {
  return changes.length + outOfBand.length > 0;
}

/** The sentence of a report that proves it. */
function isProven({ summary }: SavedReport): boolean {
  return summary.length === 1 && summary[0] === "No changes";
}

function isUnchanged(report: SavedReport): boolean {
  return isProven(report) && report.dangers.length === 0;
}

function dangerParts(affected: readonly ReportedStack[]): Part[] {
  const interrupted = affected.flatMap(({ stack, report }) =>
    report === undefined || report.interrupted === null
      ? []
      : [`${nameOf(stack)}: the last deployment was interrupted.`],
  );
  const items = affected.flatMap(({ stack, report, ending }) => {
    const name = nameOf(stack);
    if (report === undefined && ending?.failure !== undefined) return [`${name}: ${ending.failure}`];
    if (report === undefined)
      return [`${name} has no report. Its job failed or was not started; the job's log has the reason.`];
    return [
      ...(report.failed
        ? [`${name}: ${report.title.toLowerCase()}. What it would change is not all here.`]
        : []),
      ...report.markdown.dangers.map((danger) => `${name}: ${danger}`),
      ...(report.failed || ending?.failure === undefined ? [] : [`${name}: ${ending.failure}`]),
    ];
  });
  return dangerPart([...interrupted, ...items]);
}

/** Says of a report that stands by itself why there is no plan. */
function endingParts(all: readonly ReportedStack[]): Part[] {
  return dangerPart(all.flatMap(({ ending }) => ending?.failure ?? []));
}

function remarksOf(all: readonly ReportedStack[]): Part[] {
  const remarks = all.flatMap(({ stack, ending }) =>
    ending?.remark === undefined ? [] : [`_${nameOf(stack)}: ${ending.remark}_\n`],
  );
  return remarks.map((remark) => whole(remark));
}

function dangerPart(items: readonly string[]): Part[] {
  const all = items.map((item) => [item]);
  return all.length === 0 ? [] : [alertPart("danger", "**Dangerous**", all, "the list of dangers")];
}

/** Says what all changes would hit together. It is reassuring only if no missing data could contradict it. */
function impactOf(affected: readonly ReportedStack[]): string[] {
  const reports = affected.flatMap(({ report }) => report ?? []);
  const impacts = reports.flatMap(({ impact }) => impact ?? []);
  const busy = impacts.flatMap(({ findings }) => findings.filter((one) => one.busy));
  const sum = (of: "running" | "waiting") => busy.reduce((total, finding) => total + (finding[of] ?? 0), 0);
  if (busy.length > 0) {
    const things = busy.length === 1 ? "something" : `${busy.length} things`;
    return [
      `**Impact now:** ${impacts.some(({ atLeast }) => atLeast) ? "at least " : ""}${sum("running")} running, ${sum("waiting")} waiting in ${things} that these changes delete or replace.`,
    ];
  }
  const isProven =
    impacts.length === affected.length &&
    affected.length > 0 &&
    impacts.every(({ uncertain, unread }) => !uncertain && unread.length === 0) &&
    reports.every(
      ({ failed, unchecked }) => !failed && unchecked.every((what) => what === "out-of-band changes"),
    );
  return isProven ? ["**Impact now:** no job runs in anything that these changes delete or replace."] : [];
}

function stackParts({ stack, report }: ReportedStack): Part[] {
  if (report === undefined) return [];
  const sums = report.failed ? [report.title] : report.summary;
  const heading = `### ${nameOf(stack)}: ${[...sums].join(", ")}\n`;
  const because = `_Affected because ${code(stack.affected ?? "")}._\n`;
  const after = stack.after.map((project) => code(project)).join(", ");
  const marked =
    stack.after.length === 0
      ? because
      : `_Previewed against deployed outputs of ${after}, which this change affects as well. It is planned again after them._\n`;
  return [
    { levels: [[heading, ...(report.drift ? [] : [marked])].join("\n"), heading], what: "reasons" },
    ...report.markdown.parts,
  ];
}

/** The most dangerous stacks first; equally dangerous stacks in the order of deployment. */
function byWeight(one: ReportedStack, other: ReportedStack): number {
  const weight = ({ report }: ReportedStack) =>
    report === undefined || report.failed
      ? 1_000
      : report.dangers.filter(({ level }) => level === "danger").length || (isUnchanged(report) ? -1 : 0);
  return weight(other) - weight(one);
}

function nameOf({ project, stack }: ListedStack): string {
  return code(`${project}/${stack}`);
}
