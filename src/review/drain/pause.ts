import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import * as z from "zod";
import { jsonAs, writing } from "../../cli/terminal/files.js";
import { type BuildPipelineClient, NotFoundError, type Queue, ValidationError } from "../../client/index.js";
import { sendWrite } from "../../client/write.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { type FoundQueue, findQueues, isStillThere, placeOf } from "./queues.js";

export interface Pause {
  /** The note of a drain has a random number, so no other pause has the same note. */
  readonly note?: string | null | undefined;
  /** Undefined until a response shows it. */
  readonly at?: string | null | undefined;
}

export function newNote(reason: string | undefined): string {
  const start = `${new Date().toISOString()}#${randomBytes(4).toString("hex")}`;
  return `Draining (buildpipeline drain) since ${start}${reason === undefined ? "" : `: ${reason.trim()}`}`;
}

export function pauseOf({ dispatch_paused_note: note, dispatch_paused_at: at }: Queue): Pause {
  return { note, at };
}

/** Checks whether a queue still has a pause: someone may have resumed it and paused it again. */
export function isStill({ note, at }: Pause, queue: Queue): boolean {
  if (!queue.dispatch_paused || (note && queue.dispatch_paused_note !== note)) return false;
  return isSameInstant(at ?? "", queue.dispatch_paused_at ?? "");
}

/** Compares times at the precision of the coarser one. An unknown time contradicts nothing. */
function isSameInstant(one: string, other: string): boolean {
  const digits = [one, other].map((time) => /\.(\d+)/.exec(time)?.[1]?.length ?? 0);
  const difference = Math.abs(Date.parse(one) - Date.parse(other));
  return Number.isNaN(difference) || difference < 10 ** (3 - Math.min(3, ...digits));
}

/** Returns the pause only if this call made it. */
export function sendPause(
  client: BuildPipelineClient,
  one: FoundQueue,
  note: string,
): Promise<{ readonly queue: Queue; readonly pause: Pause | undefined }> {
  const send = () => client.queues.pauseDispatch(one.cluster.id, one.queue.id, { note });
  return settled(client, one, send, (queue) => {
    if (isStill({ note }, queue)) return { queue, pause: { note } };
    return queue.dispatch_paused ? { queue, pause: undefined } : undefined;
  });
}

/** Resumes a queue, unless its pause is no longer the one that was read: then nothing is left to do. */
async function sendResume(client: BuildPipelineClient, one: FoundQueue): Promise<void> {
  const send = () => client.queues.resumeDispatch(one.cluster.id, one.queue.id);
  await settled(client, one, send, (queue) => (isStill(pauseOf(one.queue), queue) ? undefined : queue));
}

/** Sends a write that the service refuses if the queue is as wanted already: a colleague may have been faster. */
async function settled<Result>(
  client: BuildPipelineClient,
  { queue: { id, key }, cluster }: FoundQueue,
  send: () => Promise<Queue>,
  ifAsWanted: (queue: Queue) => Result | undefined,
): Promise<Result> {
  const accept = (queue: Queue) => {
    const result = queue.id === id ? ifAsWanted(queue) : undefined;
    if (result === undefined) throw new Error(`The API responded with success, but ${key} doesn't show it.`);
    return result;
  };
  const look = async (_: unknown, error: unknown) => {
    const now = await client.queues.get(cluster.id, id).catch(() => {
      throw error;
    });
    return ifAsWanted(now);
  };
  const outcome = await sendWrite({ send, accept, look, repeats: "refused" });
  if (outcome.is === "made") return outcome.result;
  const result = outcome.error instanceof ValidationError ? await look([], outcome.error) : undefined;
  if (result === undefined) throw outcome.error;
  return result;
}

/** What became of a queue that was to be resumed. `left`: it has another pause than the one that is meant. */
export interface ResumedQueue extends FoundQueue {
  readonly became: "resumed" | "not paused" | "deleted" | "left" | "failed";
  readonly reason?: string;
}

/** Resumes the queues that are meant as a read right before shows them. A failure doesn't keep it from the next queue. */
export async function resumeQueues<Found extends FoundQueue>(
  client: BuildPipelineClient,
  found: readonly Found[],
  isMeant: (now: Queue, one: Found) => boolean,
): Promise<readonly ResumedQueue[]> {
  const resumed: ResumedQueue[] = [];
  for (const one of found) {
    try {
      const queue = await client.queues.get(one.cluster.id, one.queue.id);
      if (!queue.dispatch_paused) resumed.push({ ...one, became: "not paused" });
      else if (queue.id !== one.queue.id || !isMeant(queue, one))
        resumed.push({ ...one, queue, became: "left" });
      else {
        await sendResume(client, { ...one, queue });
        resumed.push({ ...one, became: "resumed" });
      }
    } catch (error) {
      const isGone = error instanceof NotFoundError && !(await isStillThere(client, one));
      resumed.push({ ...one, became: isGone ? "deleted" : "failed", reason: messageOf(error) });
    }
  }
  return resumed;
}

export function pauseInWords(queue: Queue): string {
  const who = queue.dispatch_paused_by?.name ? ` by ${queue.dispatch_paused_by.name}` : "";
  const since = queue.dispatch_paused_at ? ` since ${queue.dispatch_paused_at}` : "";
  const why = queue.dispatch_paused_note ? ` (${queue.dispatch_paused_note})` : "";
  return `paused${who}${since}${why}`;
}

const recordedPause = z.object({
  origin: z.string(),
  organization: z.string(),
  queue: z.string(),
  /** For people. */
  name: z.string(),
  note: z.string().min(1),
});

/** The file with the pauses of a drain. Several drains may add to one. */
export class PauseRecord {
  constructor(
    readonly file: string,
    readonly origin: string,
    readonly organization: string,
  ) {
    const before = existsSync(file) && statSync(file).isFile() ? readFileSync(file, "utf8") : "";
    // A kill may have cut off a line of ours.
    const foreign = before
      .split("\n")
      .findIndex((line) => line.trim() !== "" && !line.startsWith('{"origin":'));
    if (foreign >= 0)
      throw new Error(
        `${file} is no record of pauses (see line ${foreign + 1}), so nothing was paused. Name another file.`,
      );
    writing(file, () => appendFileSync(file, ""));
  }

  /**
   * It is on the disk before the pause is sent, so that a kill at any moment leaves no pause that the record doesn't have.
   * A line begins with its line break, which separates it from a line that a kill cut off.
   */
  add(one: FoundQueue, note: string): void {
    const { origin, organization } = this;
    const line = { origin, organization, queue: one.queue.id, name: placeOf(one), note };
    writing(this.file, () => appendFileSync(this.file, `\n${JSON.stringify(line)}`, { flush: true }));
  }
}

export interface ResumeResult {
  readonly resumed: readonly ResumedQueue[];
  readonly gone: readonly string[];
  /** Numbers of the record's lines that can't be read. */
  readonly unread: readonly number[];
}

/** Resumes the queues that have a pause of a record. */
export async function resumeRecorded(
  client: BuildPipelineClient,
  origin: string,
  record: string,
): Promise<ResumeResult> {
  const { found, gone, unread, isMeant } = await recordedQueues(client, origin, record);
  return { resumed: await resumeQueues(client, found, isMeant), gone, unread };
}

/** Finds the queues of a record. `isMeant` checks whether one has a pause of it, also one that was carried out late. */
export async function recordedQueues(client: BuildPipelineClient, origin: string, record: string) {
  const { pauses, unread } = pausesIn(record);
  const other = pauses.find((one) => one.origin !== origin || one.organization !== client.organization);
  if (other !== undefined)
    throw new Error(
      `The record has a pause of the organization ${other.organization} at ${other.origin}, and the settings point to ` +
        `${client.organization} at ${origin}. Nothing was sent. Correct the settings, then run this again.`,
    );
  const ids = pauses.map(({ queue }) => queue);
  const isMeant = (now: Queue) =>
    pauses.some(({ queue, note }) => queue === now.id && isStill({ note }, now));
  return { ...(await findQueues(client, [], ids)), unread, isMeant };
}

function pausesIn(record: string) {
  const pauses: z.output<typeof recordedPause>[] = [];
  const unread: number[] = [];
  for (const [index, line] of record.split("\n").entries()) {
    if (line.trim() === "") continue;
    const pause = jsonAs(recordedPause, line);
    if (pause === undefined) unread.push(index + 1);
    else pauses.push(pause);
  }
  return { pauses, unread };
}
