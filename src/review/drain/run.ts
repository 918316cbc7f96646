import { untilInterrupted } from "../../cli/process/interruption.js";
import { hasFailed, readPreview } from "../../cli/pulumi/preview.js";
import { projectDirectory } from "../../cli/pulumi/project-folder.js";
import { type StackState, stateOf as stateOfProject } from "../../cli/pulumi/stack-export.js";
import { EXIT } from "../../cli/terminal/command.js";
import { connected } from "../../cli/terminal/connection.js";
import { readJsonAs, readState, readText } from "../../cli/terminal/files.js";
import { json, note, progress, result } from "../../cli/terminal/terminal.js";
import { organizationOf } from "../plan/plan.js";
import { Drain } from "./drain.js";
import { showDrain, showResume } from "./ends.js";
import { PauseRecord, resumeQueues, resumeRecorded } from "./pause.js";
import { deletionDoubts, findQueues, queuesThatDisappear, requireUnmanaged } from "./queues.js";

export interface Flags {
  readonly preview?: string;
  readonly resume: boolean;
  readonly record?: string;
  readonly yes: boolean;
  readonly timeout: number;
  readonly interval: number;
  readonly maxBuilds: number;
  readonly note?: string;
  readonly stackExport?: string;
  readonly stack?: string;
  readonly json: boolean;
}

export async function drain(names: readonly string[], flags: Flags): Promise<number> {
  const { preview, record: file } = flags;
  if (names.length === 0 && preview === undefined) throw new Error("Name a queue, or give --preview.");
  const state = await stateOf(flags);
  const ofPreview = preview === undefined ? [] : queuesThatDisappear(await readComplete(preview), state);
  if (names.length + ofPreview.length === 0) {
    if (flags.json) result(json({ end: "drained", queues: [] }));
    note("The preview deletes and replaces no queue.");
    return EXIT.clean;
  }
  return connected(flags, async ({ client, origin, traffic }) => {
    // A queue of another organization can't be found, and would count as gone.
    for (const queue of ofPreview) {
      const own = organizationOf(queue) ?? client.organization;
      if (own === client.organization) continue;
      throw new Error(
        `The preview deletes or replaces the queue ${queue.label} of the organization ${own}, and the settings name ` +
          `${client.organization}. Nothing was sent. Set the organization and its API access token, then run this again.`,
      );
    }
    const record = file === undefined ? undefined : new PauseRecord(file, origin, client.organization);
    const ids = ofPreview.flatMap(({ id }) => id ?? []);
    const { found, gone } = await findQueues(client, names, ids);
    for (const name of gone) note(`The queue ${name} of the preview is gone.`);
    requireUnmanaged(found, state?.resources ?? []);
    const now = () => traffic.serviceTime();
    let work: Drain | undefined;
    const drained = await untilInterrupted(
      (interrupted) => {
        work = new Drain(client, {
          interrupted,
          reason: flags.note,
          timeoutMs: flags.timeout * 1000,
          intervalMs: flags.interval * 1000,
          mostBuilds: flags.maxBuilds,
          now,
          record,
          onLook: looks(),
          onRemark: note,
        });
        return work.run(found);
      },
      () => work?.lastWords() ?? [],
    );
    const code = showDrain(drained, flags);
    if (drained.end !== "drained") return code;
    for (const { message } of await deletionDoubts(client, drained.queues, now)) note(message);
    return code;
  });
}

/** Resumes the pauses of a record, or shows who paused queues, and resumes these with --yes. */
export async function resume(names: readonly string[], flags: Flags): Promise<number> {
  const { record, yes } = flags;
  if (flags.preview !== undefined || (record === undefined) === (names.length === 0))
    throw new Error("With --resume, give --record <file> or name queues, and no preview.");
  const recorded = record === undefined ? undefined : await readText(record);
  return connected(flags, async ({ client, origin }) => {
    if (recorded !== undefined) return showResume(await resumeRecorded(client, origin, recorded), flags);
    const { found } = await findQueues(client, names, []);
    const resumed = await resumeQueues(client, found, () => yes);
    return showResume({ resumed, gone: [], unread: [] }, flags);
  });
}

async function readComplete(file: string) {
  const preview = await readJsonAs(file, readPreview);
  if (!hasFailed(preview)) return preview;
  throw new Error(
    // Error preview-failed: `drain --preview` needs a preview that shows all that a deployment deletes or replaces.
    // Fix: Correct the program and preview again, or name the queues.
    "The preview failed, so it may not show every queue that a deployment deletes or replaces. Nothing was sent.",
  );
}

/** The state shows who manages pausing, and which deletions an earlier deployment left. */
async function stateOf({ stackExport, stack }: Flags): Promise<StackState | undefined> {
  if (stackExport !== undefined) return readState(stackExport);
  const directory = projectDirectory(process.cwd());
  return directory === undefined ? undefined : stateOfProject({ directory, stack });
}

/** Updates one line on a terminal, and writes a line for each change elsewhere. */
function looks(): (load: string) => void {
  let shown = "";
  return (load) => {
    if (process.stderr.isTTY) progress(`Draining ${load}`);
    else if (load !== shown) note(load);
    shown = load;
  };
}
