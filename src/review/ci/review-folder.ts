import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ListedStack, listedIn, REPORTED, resultsOf } from "../../cli/pulumi/stack-listing.js";
import { readJsonAs, readText, writeWhole } from "../../cli/terminal/files.js";
import { json } from "../../cli/terminal/terminal.js";
import { inside, makeFolders, repositoryOf } from "../../shared/process/folders.js";
import { code, type Host, type MARKS } from "../forms/markdown.js";
import { combinedLevel, combinedMarkdown, type ReportedStack, reportedIn } from "../forms/stacks.js";
import { type JobOutcome, outcomeInWords, readOutcome, succeeded } from "./outcome.js";

const FILES = {
  preview: "preview.json",
  plan: "plan.json",
  /** A plan before everything that belongs to it is there. */
  unchecked: "plan.unchecked.json",
  report: "report.json",
  outcome: REPORTED.outcome,
  drained: "drained.jsonl",
} as const;
type ResultFile = keyof typeof FILES;

/** The results of one stack, in a folder that other jobs read. It follows no links out of the folder of all results. */
export class Results {
  readonly folder: string;

  constructor(out: string, stack: ListedStack) {
    this.folder = inside(out, resultsOf(stack));
  }

  path(file: ResultFile): string {
    return inside(this.folder, FILES[file]);
  }

  /** Removes what an earlier run left, except the record of what it paused: a killed deployment left it. */
  empty(): void {
    makeFolders(this.folder);
    for (const name of readdirSync(this.folder))
      if (name !== FILES.drained) rmSync(join(this.folder, name), { recursive: true, force: true });
  }

  remove(file: ResultFile): void {
    rmSync(this.path(file), { force: true });
  }

  has(file: ResultFile): boolean {
    return existsSync(this.path(file));
  }

  write(file: ResultFile, text: string): void {
    writeWhole(this.path(file), text);
  }

  read(file: ResultFile): Promise<string> {
    return readText(this.path(file));
  }

  /** Writes how the stack ended. A plan gets its name last: if there is one, everything else is there. */
  end(outcome: JobOutcome): void {
    this.write("outcome", json(outcome));
    if (succeeded(outcome) && this.has("unchecked")) renameSync(this.path("unchecked"), this.path("plan"));
    else this.remove("unchecked");
  }

  async outcome(): Promise<JobOutcome | undefined> {
    return this.has("outcome") ? readJsonAs(this.path("outcome"), readOutcome) : undefined;
  }
}

/** Returns the records of pauses in a folder of results, of whatever stack. */
export function pauseRecordsIn(out: string): string[] {
  return readdirSync(out)
    .map((name) => join(out, name, FILES.drained))
    .filter((file) => existsSync(file));
}

/** Returns the folders `review`, in a project's folder or above it in the repository, that have results of its stack. */
export function reviewsOf(directory: string, name: string, stack: string) {
  const top = repositoryOf(directory) ?? directory;
  const found: { readonly out: string; readonly record: string }[] = [];
  for (let at = directory; ; at = dirname(at)) {
    const out = join(at, "review");
    for (const listed of listedIn(out) ?? [])
      if (listed.project === name && listed.stack.split("/").at(-1) === stack)
        found.push({ out, record: new Results(out, listed).path("drained") });
    if (at === top) return found;
  }
}

/** @param longest as many characters as it may have */
export async function reportOfAll(out: string, longest: number, host?: Host): Promise<string> {
  return combinedMarkdown(await endedIn(out), longest, host);
}

/** Returns the verdict of the worst stack. */
export async function levelOfAll(out: string): Promise<keyof typeof MARKS> {
  return combinedLevel(await endedIn(out));
}

function endedIn(out: string): Promise<ReportedStack[]> {
  const endingOf = async (stack: ListedStack) => {
    const outcome = await new Results(out, stack).outcome();
    if (outcome === undefined) return undefined;
    const { end, next, uncommitted = [] } = outcome;
    return {
      ...(!succeeded(outcome) && end !== "changed" && { failure: code(outcomeInWords(outcome), 1_000) }),
      ...(next !== undefined && { advice: code(next, 1_000) }),
      ...(uncommitted.length > 0 && {
        remark: `previewed with files that differ from the commit: ${uncommitted.map((file) => code(file)).join(", ")}.`,
      }),
    };
  };
  return reportedIn(out, endingOf);
}
