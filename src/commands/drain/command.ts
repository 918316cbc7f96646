import type { Command } from "commander";
import type { Change } from "../shared/plan/change.js";
import { projectDirectory } from "../shared/pulumi/project-folder.js";
import { type StackState, stateOf as stateOfProject } from "../shared/pulumi/stack-export.js";
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
import { MOST_BUILDS } from "../shared/workload/job.js";
import type { Shown } from "./ends.js";
import type { DrainedQueue } from "./pause.js";

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
  const state = await stateOf(flags);
  const ofPreview = flags.preview === undefined ? [] : await queuesOfPreview(flags.preview, state);
  if (names.length + ofPreview.length === 0) {
    const sentence = "The preview deletes and replaces no queue.";
    return show({ json: { end: "drained", queues: [] }, sentences: [[sentence]], code: EXIT.clean }, flags);
  }
  const { Drain } = await import("./drain.js");
  const { shownDrain } = await import("./ends.js");
  const { findQueues, requireUnmanaged } = await import("./find-queues.js");
  const { PauseRecord } = await import("./record.js");
  const { client, origin, traffic, close } = await connect(flags.stack);
  try {
    await requireOrganization(ofPreview, client.organization);
    const record =
      flags.record === undefined ? undefined : new PauseRecord(flags.record, origin, client.organization);
    const ids = ofPreview.flatMap(({ id }) => id ?? []);
    const { found, gone } = await findQueues(client, names, ids);
    for (const name of gone) note(`The queue ${name} of the preview is gone.`);
    requireUnmanaged(found, state?.resources ?? []);
    const onLook = await showLook();
    const drained = await untilInterrupted((interrupted) =>
      new Drain(client, {
        interrupted,
        reason: flags.note,
        timeoutMs: flags.timeout * 1000,
        intervalMs: flags.interval * 1000,
        mostBuilds: flags.maxBuilds,
        now: () => traffic.serviceTime(),
        record,
        onLook,
        onRemark: note,
      }).run(found),
    );
    const code = show(shownDrain(drained, flags.record), flags);
    if (drained.end !== "drained") return code;
    const { deletionDoubts } = await import("./connected-agents.js");
    const doubts = await deletionDoubts(client, drained.queues, () => traffic.serviceTime());
    for (const { message } of doubts) note(message);
    return code;
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
  const { shownResume } = await import("./ends.js");
  const { findQueues } = await import("./find-queues.js");
  const { resumeQueues } = await import("./pause.js");
  const { resumeRecorded } = await import("./record.js");
  const { client, origin, close } = await connect(flags.stack);
  try {
    if (recorded !== undefined)
      return show(shownResume(await resumeRecorded(client, origin, recorded), record), flags);
    const { found } = await findQueues(client, names, []);
    const resumed = await resumeQueues(client, found, () => yes);
    return show(shownResume({ resumed, gone: [], unread: [] }, undefined), flags);
  } finally {
    await close();
  }
}

/** Prints an end. @returns the exit code */
function show({ json: value, sentences, code }: Shown, flags: Flags): number {
  if (flags.json) result(json(value));
  for (const sentence of sentences) note(...sentence);
  return code;
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

/** Updates one line on a terminal, and writes a line for each change elsewhere. */
async function showLook(): Promise<(queues: readonly DrainedQueue[]) => void> {
  const { loadInWords } = await import("./ends.js");
  let shown = "";
  return (queues) => {
    const text = loadInWords(queues);
    if (process.stderr.isTTY) progress(`Draining ${text}`);
    else if (text !== shown) note(text);
    shown = text;
  };
}
