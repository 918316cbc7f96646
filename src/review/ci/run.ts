import { execFile } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { isFound, readOwnership, remarksOn } from "../../cli/inventory/comparison.js";
import { accessExpiryOf } from "../../cli/inventory/expiry.js";
import { untilInterrupted } from "../../cli/process/interruption.js";
import { resolvePulumi } from "../../cli/pulumi/executable.js";
import { namedStack, passphraseOf } from "../../cli/pulumi/project-folder.js";
import {
  isWhole,
  LISTING_FILE,
  type ListedStack,
  listingAsJson,
  recordedIn,
  resultsOf,
} from "../../cli/pulumi/stack-listing.js";
import { connected } from "../../cli/terminal/connection.js";
import { writeWhole } from "../../cli/terminal/files.js";
import { asCalled, json, note, result, stackName, visibleLines } from "../../cli/terminal/terminal.js";
import { alphabetically } from "../../shared/messages/alphabet.js";
import { visible } from "../../shared/messages/foreign-text.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { inside, makeFolders, repositoryOf } from "../../shared/process/folders.js";
import { readCode } from "../../shared/protocol/message-codes.js";
import { howToResume } from "../drain/ends.js";
import { code } from "../forms/markdown.js";
import { eachStack } from "../projects/each-stack.js";
import { IGNORED, ignoreIn } from "../projects/ignored.js";
import { type Selection, stacksFor, withReads } from "../projects/listing.js";
import { brakedAmong } from "./braked.js";
import { deployStack } from "./deploy.js";
import { DeploymentLock, LOCK_FILE, requireNoDeployment } from "./deployment-lock.js";
import { Job } from "./job.js";
import {
  ENDS,
  exitCodeOf,
  failure,
  INTERRUPTED,
  type JobOutcome,
  outcomeInWords,
  outcomesInWords,
  type StackOutcome,
  succeeded,
} from "./outcome.js";
import { driftOfStack, LONGEST_COMMENT, previewStack } from "./review.js";
import { pauseRecordsIn, Results, reportOfAll } from "./review-folder.js";

export interface StackFlags extends Selection {
  readonly out: string;
  readonly parallel: number;
  readonly waves?: boolean;
  readonly allowRefused?: boolean;
  readonly allowDeletions?: readonly string[];
  readonly timeout?: number;
  readonly otherStacks?: string[];
  readonly except?: string[];
  readonly json: boolean;
}

export async function preview(flags: StackFlags): Promise<number> {
  return shown("preview", await onStacks(flags, reviewed(previewStack)), flags);
}

export async function deploy(flags: StackFlags): Promise<number> {
  const timeoutMs = (flags.timeout ?? 1800) * 1000;
  const listing = inside(resolve(flags.out), LISTING_FILE);
  const work = warningBeside((job) => deployStack(job, flags.allowRefused === true, timeoutMs));
  const keys = flags.allowDeletions ?? [];
  const wrong = keys.find((key) => !/^\d+-[0-9a-f]{6}$/.test(key));
  if (wrong !== undefined)
    throw new Error(
      `--allow-deletions: ${visible(wrong)} is no key. The report of a braked plan prints one, such as 43-7f3a9c.`,
    );
  const before = (jobs: readonly Job[]) => brakedAmong(jobs, keys);
  return shown("deploy", await onStacks({ ...flags, listing }, work, before), flags);
}

export async function drift(flags: StackFlags): Promise<number> {
  const gone = new Set<string>();
  const ended = await onStacks(
    { ...flags, allStacks: namedStack(flags.stack) === undefined },
    warningBeside(reviewed((job) => driftOfStack(job, gone))),
  );
  const others =
    flags.otherStacks ?? (process.env.OTHER_STACKS ?? "").split(" ").filter((name) => name !== "");
  // The settings are those of a stack of the first project, because no stack is selected in a job.
  const [first] = ended
    .map(({ stack }) => stack)
    .filter(isWhole)
    .sort((one, other) => alphabetically(one.folder, other.folder));
  const settings = first && {
    directory: resolve(first.folder),
    stack: first.stack,
    environment: passphraseOf(first),
  };
  const { except } = flags;
  const found = await readOwnership({ allStacks: others, except }, settings, gone).catch(messageOf);
  if (typeof found === "string") {
    note(`Unmanaged resources are not known: ${found}`);
    return Math.max(await shown("drift", ended, flags, { unmanaged: null, gone: null }), ENDS.failed);
  }
  const { ownership, text } = found;
  const remarks = remarksOn(ownership);
  writeWhole(inside(resolve(flags.out), "unmanaged.txt"), [text, ...remarks, ""].join("\n"));
  for (const remark of remarks) note(remark);
  const { unmanaged, gone: lost, unread } = ownership;
  const more = { unmanaged, gone: lost, ...(unread.length > 0 && { unread }) };
  const code = await shown("drift", ended, flags, more);
  if (!flags.json) result(text);
  return code === 0 && isFound(ownership) ? ENDS.changed : code;
}

/** Warns once, beside the first stack, of an API access token that expires soon. What can't be read fails nothing. */
function warningBeside(work: (job: Job) => Promise<JobOutcome>): (job: Job) => Promise<JobOutcome> {
  let warned: Promise<void> | undefined;
  return async (job) => {
    // It delays no deployment.
    warned ??= warnOfExpiry(job).catch(() => {});
    const outcome = await work(job);
    await warned;
    return outcome;
  };
}

function warnOfExpiry({ project }: Job): Promise<void> {
  return connected(project, async ({ client }) => {
    const signal = AbortSignal.timeout(10_000);
    const { expires_at } = await client.accessToken.get({ signal, maxRetries: 0 });
    const expiry = accessExpiryOf(expires_at, Date.now());
    if (expiry !== undefined) note(`${expiry.message} ${expiry.action}`);
  });
}

/** The results of work that only reads replace those of an earlier run. */
function reviewed(work: (job: Job) => Promise<JobOutcome>): (job: Job) => Promise<JobOutcome> {
  return async (job) => {
    job.results.empty();
    const outcome = await work(job).catch(failure);
    const isStopped = outcome.end === "failed" && job.shared.interrupted.aborted;
    const ended = isStopped ? INTERRUPTED : outcome;
    job.results.end(ended);
    return ended;
  };
}

async function onStacks(
  flags: StackFlags,
  work: (job: Job) => Promise<JobOutcome>,
  before?: (jobs: readonly Job[]) => Promise<ReadonlyMap<Job, JobOutcome>>,
): Promise<StackOutcome[]> {
  const root = process.cwd();
  const out = resolve(flags.out);
  const remark = await resolvePulumi(root);
  if (remark !== undefined) note(remark);
  const { stacks, wanted, left } = await stacksFor(root, flags);
  const isReview = flags.listing === undefined;
  claim(out, isReview);
  if (isReview) writeWhole(inside(out, LISTING_FILE), json(listingAsJson(stacks)));
  await installPolicies(root);
  const lock = isReview ? undefined : DeploymentLock.take(out);
  const paused = isReview ? [] : pausedOf(stacks, wanted, left, out);
  const all = [...wanted, ...paused];
  for (const stack of isReview ? [] : left)
    if (!paused.includes(stack))
      note(`${stackName(stack)}: ${stack.unknown ?? "not affected by the change"}, so it is not deployed.`);
  const shared = { root, repository: repositoryOf(root) ?? root, out, lock };
  let jobs: ReadonlyMap<ListedStack, Job> = new Map();
  const lastWords = () => [...jobs.values()].flatMap((job) => job.lastWords());
  const ended = await untilInterrupted(async (interrupted) => {
    // Before anything starts, because a folder of results may be a link.
    jobs = new Map(
      all.filter(isWhole).map((stack) => [stack, new Job(stack, { ...shared, interrupted }, isReview)]),
    );
    const endedBefore = await before?.([...jobs.values()]);
    const outcomeOf = async (stack: ListedStack, job?: Job, because?: ListedStack): Promise<JobOutcome> => {
      const early = job && endedBefore?.get(job);
      if (early !== undefined) return early;
      if (because !== undefined)
        return { end: "skipped", reason: `It reads ${stackName(because)}, which did not succeed.` };
      if (stack.problem !== undefined) return { end: "failed", reason: stack.problem };
      if (job === undefined || interrupted.aborted)
        return { ...INTERRUPTED, reason: "A signal stopped the run before it." };
      note(`${stackName(job.stack)}: started.`);
      job.progress("reading the state");
      return work(job).catch((error) => failure(error, interrupted));
    };
    return eachStack<StackOutcome>(
      all,
      flags,
      async (stack, because) => {
        const job = jobs.get(stack);
        const outcome = await outcomeOf(stack, job, because);
        // One block for each stack, because stacks run side by side.
        if (job !== undefined && job.lines.length > 0)
          note([`${stackName(stack)}:`, ...job.lines.map((line) => readCode(line).message)].join("\n  "));
        const line = `${stackName(stack)}: ${visibleLines(asCalled(outcomeInWords(outcome)))}`;
        if (flags.json) note(line);
        else result(`${line}\n`);
        return { stack, ...outcome };
      },
      succeeded,
    );
  }, lastWords).finally(() => lock?.release());
  if (isReview) {
    const reads = new Map([...jobs].map(([stack, job]) => [stack, job.reads]));
    writeWhole(inside(out, LISTING_FILE), json(listingAsJson(withReads(stacks, reads))));
  }
  return ended.sort((one, other) => all.indexOf(one.stack) - all.indexOf(other.stack));
}

/** Returns the stacks whose queues a killed deployment left paused, and that this one has no plan for. Names all others. */
function pausedOf(
  stacks: readonly ListedStack[],
  wanted: readonly ListedStack[],
  left: readonly ListedStack[],
  out: string,
): readonly ListedStack[] {
  const records = new Set(pauseRecordsIn(out));
  const isRecorded = (stack: ListedStack) => records.delete(new Results(out, stack).path("drained"));
  const recorded = stacks.filter((stack) => isWhole(stack) && isRecorded(stack));
  const others = recorded.filter((stack) => !wanted.includes(stack));
  for (const file of [
    ...records,
    ...others.filter((one) => !left.includes(one)).map((one) => new Results(out, one).path("drained")),
  ])
    note(`${file} has pauses of a deployment that was killed. ${howToResume([], file)}`);
  return others.filter((one) => left.includes(one));
}

/** Makes the folder of results, or takes over that of an earlier run. @throws if a review finds what no run made */
function claim(out: string, isReview: boolean): void {
  makeFolders(out);
  requireNoDeployment(out);
  const file = inside(out, IGNORED.file);
  const isIgnored = existsSync(file) && readFileSync(file, "utf8") === IGNORED.text;
  const recorded = recordedIn(out);
  const isMarked = isIgnored && recorded.length > 0;
  const made = [...(isIgnored ? [IGNORED.file] : []), LOCK_FILE, ...recorded];
  if (isReview && !isMarked && readdirSync(out).some((name) => !made.includes(name)))
    throw new Error(
      `${out} has files that are no results of an earlier run, so nothing was written there. Remove the folder if nobody ` +
        "needs it, or name another one with --out.",
    );
  ignoreIn(out);
}

/** Installs the packages of the policies, which belong to no project. */
async function installPolicies(root: string): Promise<void> {
  const folder = join(root, "policies");
  if (!existsSync(join(folder, "package-lock.json")) || existsSync(join(folder, "node_modules"))) return;
  note("Installing the packages of the policies.");
  const shell = process.platform === "win32";
  await promisify(execFile)("npm", ["ci", "--ignore-scripts"], { cwd: folder, shell });
}

function deploymentReport(outcomes: readonly StackOutcome[]): string {
  const lines = outcomes.map(
    ({ stack, ...outcome }) => `- ${code(stackName(stack))}: ${code(outcomeInWords(outcome), 1_000)}\n`,
  );
  return `${lines.join("")}\n${outcomesInWords(outcomes)}\n`;
}

/** Adds to the page of a workflow's run. */
function showOnGitHub(report: string): void {
  const { GITHUB_STEP_SUMMARY: page } = process.env;
  try {
    if (page) appendFileSync(page, report);
  } catch (error) {
    note(`The run's page lacks the report, which GITHUB_STEP_SUMMARY doesn't take: ${messageOf(error)}`);
  }
}

async function shown(
  command: string,
  outcomes: readonly StackOutcome[],
  flags: StackFlags,
  more: object = {},
): Promise<number> {
  const isReview = command !== "deploy";
  let report = deploymentReport(outcomes);
  let isDelivered = true;
  try {
    if (isReview) {
      report = await reportOfAll(flags.out, LONGEST_COMMENT);
      writeWhole(inside(flags.out, "report.md"), report);
    }
  } catch (error) {
    note(`The report of all stacks is missing: ${messageOf(error)}`);
    isDelivered = false;
  }
  showOnGitHub(report);
  const printed = outcomes.map(({ stack: { folder, project, stack }, ...outcome }) => ({
    folder,
    project,
    stack,
    ...outcome,
  }));
  result(flags.json ? json({ outcomes: printed, ...more }) : `${outcomesInWords(outcomes)}\n`);
  if (isReview && isDelivered && process.stderr.isTTY) sayNext(flags.out, outcomes);
  return Math.max(exitCodeOf(outcomes), isDelivered ? 0 : ENDS.failed);
}

/** Says on a terminal where the report is, and what comes next. */
function sayNext(out: string, outcomes: readonly StackOutcome[]): void {
  const [first, ...others] = outcomes;
  const page = first === undefined || others.length > 0 ? "*" : resultsOf(first.stack);
  note(`Report: ${join(out, "report.md")}, and for a browser ${join(out, page, "report.html")}.`);
  if (outcomes.some(({ end }) => end === "planned"))
    note("Next: read it, then run `buildpipeline ci deploy`, which deploys exactly these plans.");
}
