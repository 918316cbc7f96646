import { existsSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inside, makeFolders } from "../../shared/process/folders.js";
import { LISTING_FILE, type ListedStack, readListing, resultsOf } from "../shared/pulumi/stack-listing.js";
import { readJsonAs } from "../shared/terminal/files.js";
import { json } from "../shared/terminal/terminal.js";
import { combinedMarkdown, type Ending, type ReportedStack, readSummary, summaryOf } from "./combined.js";
import { html } from "./html.js";
import { reportAsJson } from "./json.js";
import { markdown } from "./markdown.js";
import type { Report } from "./report.js";

/** What the report of one stack saves in its folder for a report of several. */
const SUMMARY = "summary.json";

export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Writes a report into a folder in all forms, with its summary for a report of several stacks. */
export async function writeReports(report: Report, folder: string, longest: number): Promise<void> {
  makeFolders(folder);
  await writeFile(join(folder, SUMMARY), json(summaryOf(report)));
  await writeFile(join(folder, "report.json"), json(reportAsJson(report)));
  await writeFile(join(folder, "report.md"), markdown(report, longest));
  await writeFile(join(folder, "report.html"), html(report));
}

/**
 * Returns one report of the stacks in a folder that `projects` wrote, as Markdown.
 *
 * @param endingOf reads what the job of a stack says about its end
 */
export async function combinedReport(
  folder: string,
  longest: number,
  endingOf?: (stack: ListedStack) => Promise<Ending | undefined>,
): Promise<string> {
  const stacks = await readJsonAs(inside(folder, LISTING_FILE), readListing);
  const all: ReportedStack[] = [];
  for (const stack of stacks) {
    const file = inside(folder, resultsOf(stack), SUMMARY);
    const report = existsSync(file) ? await readJsonAs(file, readSummary) : undefined;
    all.push({ stack, report, ending: await endingOf?.(stack) });
  }
  return combinedMarkdown(all, longest);
}
