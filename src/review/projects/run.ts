import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { runChild } from "../../cli/process/child.js";
import { untilInterrupted } from "../../cli/process/interruption.js";
import { PlanRefusal } from "../../cli/pulumi/plan-refusal.js";
import { passphraseOf } from "../../cli/pulumi/project-folder.js";
import {
  isWhole,
  LISTING_FILE,
  type ListedStack,
  listingAsJson,
  recordedIn,
  resultsOf,
} from "../../cli/pulumi/stack-listing.js";
import { EXIT } from "../../cli/terminal/command.js";
import { writeWhole } from "../../cli/terminal/files.js";
import { columns, json, note, paint, result, stackName } from "../../cli/terminal/terminal.js";
import { visible, withoutLogCommands } from "../../shared/messages/foreign-text.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { inside, makeFolders } from "../../shared/process/folders.js";
import { eachStack } from "./each-stack.js";
import { ignoreIn } from "./ignored.js";
import { type Selection, stacksFor } from "./listing.js";

export interface Flags extends Selection {
  readonly waves: boolean;
  readonly parallel: number;
  readonly out?: string;
  readonly json: boolean;
}

/** How a command ended for a stack, or the stack whose command kept it from running. */
type End = Readonly<{ stack: ListedStack; code: number; because: ListedStack | undefined }>;

export async function run(command: readonly string[], flags: Flags): Promise<number> {
  if (flags.json && command.length > 0)
    throw new Error("--json prints the listing, and a command prints its own output: leave one of them out.");
  const root = process.cwd();
  const { stacks, wanted: all } = await stacksFor(root, flags);
  const wanted = all.filter(isWhole);
  const broken = all.filter((stack) => !isWhole(stack));
  const listing = json(listingAsJson(stacks));
  const out = resolve(flags.out ?? "review");
  if (flags.out !== undefined || command.length > 0) {
    makeFolders(out);
    for (const stack of stacks.filter(isWhole)) inside(out, resultsOf(stack));
    if (command.length > 0 && flags.listing === undefined && recordedIn(out).length === 0)
      for (const stack of wanted)
        if (existsSync(inside(out, resultsOf(stack))))
          throw new Error(
            `${inside(out, resultsOf(stack))} is there, and no listing shows that it has results of this command. ` +
              "Remove it if nobody needs it, or name another folder with --out.",
          );
    writeWhole(inside(out, LISTING_FILE), listing);
    const recorded = recordedIn(out);
    if (readdirSync(out).every((name) => recorded.includes(name))) ignoreIn(out);
  }
  for (const { folder, problem = "" } of broken)
    note(`Nothing is done for ${visible(folder)}: ${visible(problem)}`);
  if (command.length === 0) {
    result(flags.json ? listing : asText(stacks));
    return broken.length > 0 ? EXIT.found : EXIT.clean;
  }
  if (wanted.length === 0) {
    note("The change affects none of these projects, so the command was not run.");
    return broken.length > 0 ? EXIT.failed : EXIT.clean;
  }
  const runOne = async (stack: ListedStack): Promise<number> => {
    const own = inside(out, resultsOf(stack));
    if (flags.listing === undefined) rmSync(own, { recursive: true, force: true });
    makeFolders(own);
    const [file = "", ...args] = command;
    const pass = (line: string) =>
      result(`${wanted.length === 1 ? "" : `${stack.project} | `}${withoutLogCommands(line)}\n`);
    const lines = new PlanRefusal(pass);
    const variables = { PULUMI_STACK: stack.stack, PROJECT: stack.folder, OUT: own };
    const env = { ...process.env, ...passphraseOf(stack), ...variables };
    const options = { cwd: join(root, stack.folder), env, onOutput: lines.add, isScript: true };
    const code = await runChild(file, args, options).catch((error: unknown) => {
      pass(messageOf(error));
      return EXIT.failed;
    });
    return lines.isRefused && code !== 0 ? EXIT.unapproved : code;
  };
  const ends = await untilInterrupted((interrupted) =>
    eachStack<End>(
      wanted,
      flags,
      async (stack, because) => {
        const code = because || interrupted.aborted ? EXIT.found : await runOne(stack);
        return { stack, because, code };
      },
      ({ code }) => code === EXIT.clean,
    ),
  );
  for (const end of ends) note(`${stackName(end.stack)}: ${endInWords(end)}`);
  return broken.length > 0 ? EXIT.failed : exitCodeOf(ends);
}

function asText(stacks: readonly ListedStack[]): string {
  const rows = stacks.map(({ folder, project, stack, wave, affected, unknown, problem }) => [
    folder,
    project,
    stack,
    `${wave}`,
    problem ?? affected ?? unknown ?? "not affected",
  ]);
  const [heading = "", ...lines] = columns(
    [["folder", "project", "stack", "wave", "affected"], ...rows],
    200,
  );
  return `${[paint("dim", heading), ...lines].join("\n")}\n`;
}

function endInWords(end: End): string {
  // Error wave-stopped: `projects --waves` stops projects that read the stack of one that failed.
  // Fix: Correct the other project, then deploy again.
  if (end.because) return `not run, because it reads ${stackName(end.because)}, which did not succeed`;
  if (end.code === 0) return "done";
  if (end.code === EXIT.unapproved)
    // Error plan-outdated: Something changed since the plan was made, such as the outputs of a project that was
    // deployed before.
    // Fix: Make a new plan, read its report, and deploy it.
    return "waits for approval. Run the plan job again, read its report, and deploy the new plan.";
  return `ended with exit code ${end.code}`;
}

function exitCodeOf(ends: readonly End[]): number {
  const codes = ends.flatMap(({ code, because }) => (because || code === EXIT.clean ? [] : code));
  if (codes.length === 0) return EXIT.clean;
  if (codes.every((code) => code === EXIT.unapproved)) return EXIT.unapproved;
  return codes.every((code) => code === EXIT.found || code === EXIT.unapproved) ? EXIT.found : EXIT.failed;
}
