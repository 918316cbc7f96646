import { appendFileSync } from "node:fs";
import * as z from "zod";
import type { BuildPipelineClient } from "../../client/index.js";
import { jsonAs, writing } from "../shared/terminal/files.js";
import type { ResumeResult } from "./ends.js";
import { type FoundQueue, findQueues, placeOf } from "./find-queues.js";
import { isStill, type Pause, resumeQueues } from "./pause.js";

const recordedPause = z.object({
  origin: z.string(),
  organization: z.string(),
  /** Id of the queue. */
  queue: z.string(),
  /** For people. */
  name: z.string(),
  note: z.string().min(1),
  /** Missing before the pause is confirmed. */
  at: z.string().nullish(),
});

/** The file with the pauses of a drain. Several drains may add to one. */
export class PauseRecord {
  /** @param origin of the API's address */
  constructor(
    readonly file: string,
    readonly origin: string,
    readonly organization: string,
  ) {
    writing(file, () => appendFileSync(file, ""));
  }

  /**
   * Adds a pause. It is on the disk before the pause is sent, so that a kill at any moment leaves no pause that the record
   * doesn't have. A line begins with its line break, which separates it from a line that a kill cut off.
   */
  add(one: FoundQueue, { note, at }: Pause): void {
    const { origin, organization } = this;
    const line = { origin, organization, queue: one.queue.id, name: placeOf(one), note, at };
    writing(this.file, () => appendFileSync(this.file, `\n${JSON.stringify(line)}`, { flush: true }));
  }
}

/**
 * Resumes the queues that still have exactly the pauses of a record.
 *
 * @throws if pauses belong to another service than the settings point to
 */
export async function resumeRecorded(
  client: BuildPipelineClient,
  origin: string,
  record: string,
): Promise<ResumeResult> {
  const { pauses, unread } = pausesIn(record);
  const other = pauses.find((one) => one.origin !== origin || one.organization !== client.organization);
  if (other !== undefined)
    throw new Error(
      `The record has a pause of the organization ${other.organization} at ${other.origin}, and the settings point to ` +
        `${client.organization} at ${origin}. Nothing was sent. Correct the settings, then run this again.`,
    );
  const queues = new Set(pauses.map(({ queue }) => queue));
  const { found, gone } = await findQueues(client, [], [...queues]);
  const resumed = await resumeQueues(client, found, (now) =>
    pauses.some((pause) => pause.queue === now.id && isStill(pause, now)),
  );
  return { resumed, gone, unread };
}

/** Reads a record. Of a pause's lines, the last counts, which has its time. */
function pausesIn(record: string) {
  const latest = new Map<string, z.output<typeof recordedPause>>();
  const unread: number[] = [];
  for (const [index, line] of record.split("\n").entries()) {
    if (line.trim() === "") continue;
    const pause = jsonAs(recordedPause, line);
    if (pause === undefined) unread.push(index + 1);
    else latest.set(pause.note, pause);
  }
  return { pauses: [...latest.values()], unread };
}
