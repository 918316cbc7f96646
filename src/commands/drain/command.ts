import type { Command } from "commander";
import type { Change } from "../shared/plan/change.js";
import { projectDirectory } from "../shared/pulumi/pulumi.js";
import type { StackState } from "../shared/pulumi/stack-export.js";
import { stateOf as stateOfProject } from "../shared/pulumi/stacks.js";
import {
  commandWithVerdict,
  EXIT,
  SETTINGS_HELP,
  untilInterrupted,
  verdict,
} from "../shared/terminal/command.js";
import { connect } from "../shared/terminal/connection.js";
import { readJsonAs, readState, readText } from "../shared/terminal/files.js";
import { seconds, wholeNumber } from "../shared/terminal/options.js";
import { json, note, progress, result } from "../shared/terminal/terminal.js";
import { figuresInWords } from "../shared/workload/figures.js";
import { MOST_BUILDS } from "../shared/workload/job.js";
import type { DrainEnd, DrainResult } from "./drain.js";
import type { DrainedQueue } from "./pause.js";
import {
  findQueues,
  howToResume,
  placeOf,
  type ResumedQueue,
  requireUnmanaged,
  stillPausedInWords,
} from "./queue-name.js";

interface Flags {
  preview?: string;
  resume: boolean;
  record?: string;
  yes: boolean;
  timeout: number;
  interval: number;
  maxBuilds: number;
  note?: string;
  stackExport?: string;
  stack?: string;
  json: boolean;
}

/** `buildpipeline drain`: pauses a queue and waits until nothing runs in it. */
export function drainCommand(): Command {
  return commandWithVerdict("drain")
    .description(
      "Pause queues and wait until no job runs in them, for example before a deployment replaces them.",
    )
    .argument("[queue...]", "key, <cluster>/<key> or UUID; a cluster by name or UUID")
    .option(
      "--preview <preview.json>",
      "drain every queue that a preview deletes or replaces; - for standard input",
    )
    .option(
      "--record <file>",
      "add what this run pauses to a file; with --resume, resume exactly the pauses in it that still stand",
    )
    .option("--resume", "resume the pauses of --record; of queues, show who paused them", false)
    .option("--yes", "with --resume and queues: resume them, whoever paused them", false)
    .option("--timeout <seconds>", "longest time to wait; the queues stay paused", seconds, 3600)
    .option("--interval <seconds>", "time between two checks", seconds, 10)
    .option("--max-builds <number>", "maximum number of open builds to read", wholeNumber, MOST_BUILDS)
    .option("--note <text>", "text to add to the pause's note, such as a pull request's address")
    .option(
      "--stack-export <file>",
      "the state, which shows which stacks manage pausing and which deletions are due (default: the selected stack's, " +
        "in a project's directory)",
    )
    .option("--stack <name>", "the stack whose configuration and state to use (default: the selected one)")
    .option(
      "--json",
      "print JSON: { end, queues: [{ id, key, cluster, running, waiting, paused, … }] }",
      false,
    )
    .addHelpText(
      "after",
      `
While a queue is paused, its running jobs continue and no new jobs start. A drained queue stays paused so that you can
deploy; --resume lets jobs start again. Ctrl-C resumes the queues that this run paused. If someone else paused a queue,
the command waits for its jobs but never resumes it. With --record, each pause is in the file before it is sent, so that
--resume --record finds it also after a kill. It leaves a queue alone that someone resumed and paused again since. The
command refuses to pause a queue whose dispatchPaused a stack manages. Because the API may refuse to delete a queue with connected agents, the command names each drained queue that
may have connected agents.
The command needs the scopes read_clusters, write_clusters and read_builds, and read_agents to name queues with agents.
With --preview, it also drains queues that an earlier deployment could not delete and whose deletion is still due.
${SETTINGS_HELP}

Examples:
  buildpipeline drain Linux/small --timeout 1800 && pulumi up
  buildpipeline drain --preview preview.json --note "https://example.com/pull/7" --record drained.jsonl
  buildpipeline drain --resume --record drained.jsonl
  buildpipeline drain Linux/small --resume --yes

Exit codes:
  0  the queues were drained, or resumed
  1  not drained: the timeout passed, the command was interrupted, or someone resumed a queue
  2  the command failed, or its arguments were wrong; it left no queue paused except those that the message names.
     With --resume: a queue stays paused`,
    )
    .action(verdict(run));
}

async function run(names: readonly string[], flags: Flags): Promise<number> {
  if (flags.resume) return resume(names, flags);
  if (names.length === 0 && flags.preview === undefined) throw new Error("Name a queue, or give --preview.");
  const { openRecord, recordPause } = await import("./record.js");
  const { record } = flags;
  if (record !== undefined) openRecord(record);
  const state = await stateOf(flags);
  const ofPreview = flags.preview === undefined ? [] : await queuesOfPreview(flags.preview, state);
  if (names.length + ofPreview.length === 0) {
    note("The preview deletes and replaces no queue.");
    if (flags.json) result(json({ end: "drained", queues: [] }));
    return EXIT.clean;
  }
  const { client, origin, traffic, close } = await connect(flags.stack);
  try {
    await requireOrganization(ofPreview, client.organization);
    const ids = ofPreview.flatMap(({ id }) => id ?? []);
    const { found, gone } = await findQueues(client, names, ids);
    for (const name of gone) note(`The queue ${name} of the preview is gone.`);
    requireUnmanaged(found, state?.resources ?? []);
    const { drain } = await import("./drain.js");
    const drained = await untilInterrupted((interrupted) =>
      drain(client, found, {
        interrupted,
        reason: flags.note,
        timeoutMs: flags.timeout * 1000,
        intervalMs: flags.interval * 1000,
        mostBuilds: flags.maxBuilds,
        now: () => traffic.serviceTime(),
        record,
        onPause(queue, pause) {
          if (record === undefined) return;
          recordPause(record, { origin, organization: client.organization }, queue, pause);
        },
        onLook: showLook(),
        onTrouble: (message) => note(`A look failed, and the next one follows: ${message}`),
        onDeleted: (queue) => note(`${placeOf(queue)} was deleted meanwhile.`),
      }),
    );
    print(drained, flags);
    if (drained.end !== "drained") return EXIT.found;
    const { deletionDoubts } = await import("./connected-agents.js");
    const left = drained.queues.filter(({ deleted }) => !deleted);
    for (const { message } of await deletionDoubts(client, left, () => traffic.serviceTime())) note(message);
    return EXIT.clean;
  } finally {
    await close();
  }
}

/** Resumes the pauses of a record, or shows who paused queues, and resumes these with --yes. */
async function resume(names: readonly string[], flags: Flags): Promise<number> {
  const { record, yes } = flags;
  if (flags.preview !== undefined || (record === undefined) === (names.length === 0))
    throw new Error("With --resume, give --record <file> or name queues, and no preview.");
  const recorded = record === undefined ? undefined : await readText(record);
  const { resumeQueues } = await import("./pause.js");
  const { resumeRecorded } = await import("./record.js");
  const { client, origin, close } = await connect(flags.stack);
  try {
    if (recorded === undefined) {
      const { found } = await findQueues(client, names, []);
      const resumed = await resumeQueues(client, found, () => yes);
      return printResumed(resumed, "To let jobs start again, add --yes.", flags);
    }
    const { resumed, gone, unread } = await resumeRecorded(client, origin, recorded);
    if (resumed.length + gone.length + unread.length === 0) note(`${record} has no pause. Nothing was sent.`);
    for (const id of gone) note(`The queue ${id} of the record is gone.`);
    for (const line of unread)
      note(`Line ${line} of ${record} can't be read, so a queue that it names may stay paused.`);
    const code = printResumed(resumed, undefined, flags);
    return unread.length > 0 ? EXIT.failed : code;
  } finally {
    await close();
  }
}

async function queuesOfPreview(file: string, state: StackState | undefined): Promise<Change[]> {
  const { hasFailed, readPreview } = await import("../shared/pulumi/preview.js");
  const { queuesThatDisappear } = await import("./of-preview.js");
  const preview = await readJsonAs(file, readPreview);
  if (hasFailed(preview))
    throw new Error(
      "The preview failed, so it may not show every queue that a deployment deletes or replaces. Nothing was sent.",
    );
  return queuesThatDisappear(preview, state);
}

/** @throws if a queue is in another organization, where it can't be found and would count as gone */
async function requireOrganization(queues: readonly Change[], organization: string): Promise<void> {
  const { organizationOf } = await import("../shared/plan/plan.js");
  for (const queue of queues) {
    const own = organizationOf(queue) ?? organization;
    if (own === organization) continue;
    throw new Error(
      `The preview deletes or replaces the queue ${queue.label} of the organization ${own}, and the settings name ` +
        `${organization}. Nothing was sent. Set the organization and its API access token, then run this again.`,
    );
  }
}

/**
 * Reads the state that shows who manages pausing, and which deletions an earlier deployment left. Without an export
 * or a project, there is no state.
 */
async function stateOf({ stackExport, stack }: Flags): Promise<StackState | undefined> {
  if (stackExport !== undefined) return readState(stackExport);
  const directory = projectDirectory(process.cwd());
  return directory === undefined ? undefined : stateOfProject({ directory, stack });
}

/**
 * @param advice for queues that are left. Without it, they have another pause than the record, and are no failure
 * @returns the exit code
 */
function printResumed(resumed: readonly ResumedQueue[], advice: string | undefined, flags: Flags): number {
  const queues = resumed.map(({ queue, cluster, became }) => ({
    id: queue.id,
    key: queue.key,
    cluster: cluster.name,
    resumed: became === "resumed",
  }));
  if (flags.json) result(json({ end: "resumed", queues }));
  for (const one of resumed) {
    const { became, reason } = one;
    if (became === "left")
      note(`${reason}. Nothing was sent to it. ${advice ?? "The record doesn't have this pause."}`);
    else if (became === "failed") note(`${placeOf(one)} may stay paused: ${reason}`);
    else note(`${placeOf(one)} ${became === "not paused" ? "was not paused" : `is ${became}`}.`);
  }
  const failed = resumed.some(({ became }) => became === "failed" || (became === "left" && advice));
  return failed ? EXIT.failed : EXIT.clean;
}

const ENDS: Readonly<Record<DrainEnd, string>> = {
  drained: "No job runs there any more.",
  timeout: "Time is up, and jobs still run there.",
  interrupted: "Interrupted.",
  overtaken: "Someone resumed a queue, so this ends.",
};

function print(drained: DrainResult, { json: asJson, record }: Flags): void {
  const { end, queues, resumed, doubt } = drained;
  const staysPaused = ({ queue, deleted }: DrainedQueue) => {
    const after = resumed.find((one) => one.queue.id === queue.id);
    if (after === undefined) return queue.dispatch_paused && !deleted;
    return after.became === "failed" || after.became === "left";
  };
  if (asJson) {
    result(
      json({
        end,
        queues: queues.map((one) => ({
          id: one.queue.id,
          key: one.queue.key,
          cluster: one.cluster.name,
          running: one.figures.running,
          waiting: one.figures.waiting,
          pausedHere: one.pause !== undefined,
          paused: staysPaused(one),
          ...(one.deleted && { deleted: true }),
        })),
      }),
    );
  }
  if (queues.length === 0) {
    note(end === "drained" ? "No queue is left to drain." : "Interrupted before any queue was paused.");
    return;
  }
  const isUnknown = end === "timeout" && queues.every(({ figures }) => figures.running === 0);
  const text = isUnknown ? `Time is up, and an idle queue can't be confirmed: ${doubt}.` : ENDS[end];
  note(`${queues.map(line).join("; ")}.`, { text, emphasis: end === "drained" ? "green" : "yellow" });
  const left = resumed.filter(({ became }) => became === "left");
  for (const { reason } of left) note(`${reason}, and not by this run, so it stays paused.`);
  const failed = stillPausedInWords(resumed, record);
  const ours = queues.filter((one) => staysPaused(one) && one.pause?.note === one.queue.dispatch_paused_note);
  if (failed !== undefined) note(failed);
  else if (queues.every(({ pause, deleted }) => pause === undefined && !deleted))
    note("The queues were paused before this run. Nothing was sent to them.");
  else if (resumed.some(({ became }) => became !== "left"))
    note("The queues that this run paused are resumed.");
  else if (ours.length > 0) note(`The queues stay paused. ${howToResume(ours, record)}`);
}

const line = (queue: DrainedQueue) => `${placeOf(queue)}: ${figuresInWords(queue.figures)}`;

/** Updates one line on a terminal, and writes a line for each change elsewhere. */
function showLook(): (queues: readonly DrainedQueue[]) => void {
  let shown = "";
  return (queues) => {
    const text = queues.map(line).join("; ");
    if (process.stderr.isTTY) progress(`Draining ${text}`);
    else if (text !== shown) note(text);
    shown = text;
  };
}
