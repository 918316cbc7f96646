import { EXIT } from "../../cli/terminal/command.js";
import { json, note, result } from "../../cli/terminal/terminal.js";
import { type Figures, figuresInWords } from "../../cli/workload/figures.js";
import { shellWord } from "../../shared/messages/quoted.js";
import { type Pause, pauseInWords, type ResumedQueue, type ResumeResult } from "./pause.js";
import { type FoundQueue, placeOf } from "./queues.js";

const ENDS = {
  drained: "No job runs there any more.",
  timeout: "Time is up, and jobs still run there.",
  interrupted: "Interrupted.",
  overtaken: "Someone resumed a queue, so this ends.",
};
export type DrainEnd = keyof typeof ENDS;

export interface DrainedQueue extends FoundQueue {
  /** The pause that this drain sent. Undefined if the queue was paused before, and nothing here resumes it. */
  readonly pause: Pause | undefined;
  readonly deleted: boolean;
  /** Someone resumed it meanwhile. */
  readonly overtaken?: true;
  readonly figures: Figures;
}

export interface DrainResult {
  readonly end: DrainEnd;
  readonly queues: readonly DrainedQueue[];
  /** What became of the queues that an interrupted drain had paused. */
  readonly resumed: readonly ResumedQueue[];
  /** Why the last look doesn't show all jobs. */
  readonly doubt?: string | undefined;
}

interface Output {
  readonly json: boolean;
  readonly record?: string;
}

export function showDrain(drained: DrainResult, { json: asJson, record }: Output): number {
  const { end, queues, resumed } = drained;
  const isPaused = (one: DrainedQueue) => {
    const after = resumed.find(({ queue }) => queue.id === one.queue.id);
    if (after === undefined) return one.queue.dispatch_paused && !one.deleted;
    return after.became === "failed" || after.became === "left";
  };
  if (asJson) {
    const shown = queues.map((one) => ({
      id: one.queue.id,
      key: one.queue.key,
      cluster: one.cluster.label,
      running: one.figures.running,
      waiting: one.figures.waiting,
      pausedHere: one.pause !== undefined,
      paused: isPaused(one),
      ...(one.deleted && { deleted: true }),
    }));
    result(json({ end, queues: shown }));
  }
  const isDrained = end === "drained";
  const code = isDrained ? EXIT.clean : EXIT.found;
  if (queues.length === 0) {
    note(isDrained ? "No queue is left to drain." : "Interrupted before any queue was paused.");
    return code;
  }
  note(`${loadInWords(queues)}.`, { text: endInWords(drained), emphasis: isDrained ? "green" : "yellow" });
  for (const one of resumed) if (one.became === "left") note(othersPauseInWords(one));
  const ours = queues.filter((one) => isPaused(one) && one.pause?.note === one.queue.dispatch_paused_note);
  const failures = stillPausedInWords(resumed, record);
  if (failures !== undefined) note(failures);
  else if (queues.every(({ pause, deleted }) => pause === undefined && !deleted))
    note("The queues were paused before this run. Nothing was sent to them.");
  else if (resumed.some(({ became }) => became !== "left"))
    note("The queues that this run paused are resumed.");
  else if (ours.length > 0) note(`The queues stay paused. ${howToResume(ours, record)}`);
  return code;
}

export function showResume(
  { resumed, gone, unread }: ResumeResult,
  { json: asJson, record }: Output,
): number {
  const isPaused = ({ became }: ResumedQueue) => became === "failed" || became === "left";
  const code = unread.length > 0 || resumed.some(isPaused) ? EXIT.failed : EXIT.clean;
  if (asJson) {
    const queues = resumed.map(({ queue: { id, key }, cluster, became }) => ({
      id,
      key,
      cluster: cluster.label,
      resumed: became === "resumed",
    }));
    result(json({ end: code === EXIT.clean ? "resumed" : "paused", queues }));
  }
  if (resumed.length + gone.length + unread.length === 0) note(`${record} has no pause. Nothing was sent.`);
  for (const id of gone) note(`The queue ${id} of the record is gone.`);
  // Warning record-unreadable: A kill cut off a line of the record, or someone edited it.
  // Fix: `buildpipeline drain <queue> --resume` shows who paused a queue.
  for (const line of unread)
    note(`Line ${line} of ${record} can't be read, so a queue that it names may stay paused.`);
  for (const one of resumed) note(resumedInWords(one, record));
  return code;
}

function resumedInWords(one: ResumedQueue, record: string | undefined): string {
  const { became, queue, reason } = one;
  if (became === "left") {
    const advice =
      record === undefined ? "To let jobs start again, add --yes." : "The record doesn't have this pause.";
    return `${placeOf(one)} is ${pauseInWords(queue)}. Nothing was sent to it. ${advice}`;
  }
  if (became === "failed") return `${placeOf(one)} may stay paused: ${reason}`;
  return `${placeOf(one)} ${became === "not paused" ? "was not paused" : `is ${became}`}.`;
}

export function endInWords({ end, queues, doubt }: DrainResult): string {
  const isUnknown = end === "timeout" && queues.every(({ figures }) => figures.running === 0);
  return isUnknown ? `Time is up, and an idle queue can't be confirmed: ${doubt}.` : ENDS[end];
}

/** Returns the jobs of queues: `Linux/small: 3 running, 2 waiting`. */
export function loadInWords(queues: readonly DrainedQueue[]): string {
  return queues.map((one) => `${placeOf(one)}: ${figuresInWords(one.figures)}`).join("; ");
}

export function othersPauseInWords(one: FoundQueue): string {
  return `${placeOf(one)} is ${pauseInWords(one.queue)}, and not by this run, so it stays paused.`;
}

/** Names the queues, or the file that has their pauses. */
export function howToResume(queues: readonly FoundQueue[], record: string | undefined): string {
  const which =
    record === undefined
      ? queues.map(({ name }) => shellWord(name)).join(" ")
      : `--record ${shellWord(record)}`;
  return `To let jobs start again: \`buildpipeline drain ${which} --resume\``;
}

export function stillPausedInWords(
  resumed: readonly ResumedQueue[],
  record: string | undefined,
): string | undefined {
  const failed = resumed.filter(({ became }) => became === "failed");
  if (failed.length === 0) return undefined;
  const reasons = failed.map((one) => `${placeOf(one)} (${one.reason?.replace(/[.\s]*$/, "")})`);
  return `These queues could not be resumed and may stay paused: ${reasons.join("; ")}. ${howToResume(failed, record)}`;
}
