import { rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../shared/messages/of-error.js";
import { inside, makeFolders } from "../../shared/process/folders.js";
import { passphraseOf } from "../shared/pulumi/project-folder.js";
import { type ListedStack, resultsOf } from "../shared/pulumi/stack-listing.js";
import { Children } from "./children.js";

/** How a command ended for a stack, by its exit code; or the stack whose command kept it from running. */
export type End =
  | { readonly stack: ListedStack; readonly code: number }
  | { readonly stack: ListedStack; readonly because: ListedStack };

/** The exit code of a command that waits for a person: nobody approved what it would do. */
export const UNAPPROVED = 5;

export interface RunOptions {
  readonly command: readonly string[];
  readonly root: string;
  /** The folder of results. */
  readonly out: string;
  /** As many commands run at the same time. */
  readonly parallel: number;
  /** Each stack's folder of results is emptied first. */
  readonly isNew: boolean;
  /** Stacks wait for those that they read, and don't run if one of these fails. */
  readonly inWaves: boolean;
  /** Called for each line that a command prints. */
  readonly onLine: (stack: ListedStack, line: string) => void;
}

/**
 * Runs a command for each stack, in its project's folder. It gets `PULUMI_STACK`, `PROJECT` (the project's folder), `OUT`
 * (a folder for its results) and, where it is set, `PULUMI_CONFIG_PASSPHRASE_<FOLDER>` as
 * `PULUMI_CONFIG_PASSPHRASE`. A signal reaches commands that run, and no more are started.
 */
export function runForEach(stacks: readonly ListedStack[], options: RunOptions): Promise<End[]> {
  const children = new Children();
  return children.during(() =>
    inOrder<End>(stacks, options, {
      run: async (stack) => ({
        stack,
        code: children.interrupted.aborted ? 1 : await runOne(stack, options, children),
      }),
      skip: (stack, because) => ({ stack, because }),
      succeeded: (end) => "code" in end && end.code === 0,
    }),
  );
}

/**
 * Does work for stacks, several at the same time. In waves, a stack waits for those that it reads, and is skipped if one
 * of these didn't succeed.
 */
export async function inOrder<Ended extends { readonly stack: ListedStack }>(
  stacks: readonly ListedStack[],
  { parallel, inWaves }: Pick<RunOptions, "parallel" | "inWaves">,
  {
    run,
    skip,
    succeeded,
  }: {
    readonly run: (stack: ListedStack) => Promise<Ended>;
    readonly skip: (stack: ListedStack, because: ListedStack) => Ended;
    readonly succeeded: (ended: Ended) => boolean;
  },
): Promise<Ended[]> {
  const ends: Ended[] = [];
  /** The stacks that failed by themselves, by those that were skipped because of them. */
  const causes = new Map<ListedStack, ListedStack>();
  for (const wave of wavesIn(stacks, inWaves)) {
    const queue = [...wave];
    const work = async () => {
      for (let stack = queue.shift(); stack !== undefined; stack = queue.shift()) {
        const { stack: own, reads } = stack;
        // One of another name is read by no stack here.
        const failed = ends.find(
          (end) => end.stack.stack === own && reads.includes(end.stack.project) && !succeeded(end),
        )?.stack;
        const because = inWaves ? failed && (causes.get(failed) ?? failed) : undefined;
        if (because !== undefined) causes.set(stack, because);
        ends.push(because === undefined ? await run(stack) : skip(stack, because));
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
  }
  return ends;
}

function wavesIn(stacks: readonly ListedStack[], inWaves: boolean): ListedStack[][] {
  if (!inWaves) return [[...stacks]];
  return [...Map.groupBy(stacks, ({ wave }) => wave)]
    .sort(([one], [other]) => one - other)
    .map(([, wave]) => wave);
}

async function runOne(stack: ListedStack, options: RunOptions, children: Children): Promise<number> {
  const { command, root, onLine } = options;
  const out = inside(options.out, resultsOf(stack));
  if (options.isNew) rmSync(out, { recursive: true, force: true });
  makeFolders(out);
  const [file = "", ...args] = command;
  const lines = new PlanRefusal((line) => onLine(stack, line));
  const take = (line: string) => lines.add(line);
  const env = { ...passphraseOf(stack), PULUMI_STACK: stack.stack, PROJECT: stack.folder, OUT: out };
  const code = await children
    .run(file, args, { cwd: join(root, stack.folder), env, onLine: take, onOutput: take })
    .catch((error: unknown) => {
      onLine(stack, messageOf(error));
      return 2;
    });
  return lines.isRefused ? UNAPPROVED : code;
}

const VIOLATION = /(?:resource (urn:\S*::.*?))? violates plan/;

/**
 * Passes lines on. When a plan no longer fits, the engine prints the differences, secrets in plain text: then only the
 * resource is passed on, and nothing that follows.
 */
export class PlanRefusal {
  isRefused = false;

  constructor(private readonly pass: (line: string) => void) {}

  add(line: string): void {
    const violation = VIOLATION.exec(line);
    if (violation !== null)
      this.pass(`The plan no longer fits: ${violation[1] ?? "a resource differs from it"}`);
    else if (!this.isRefused) this.pass(line);
    this.isRefused ||= violation !== null;
  }
}
