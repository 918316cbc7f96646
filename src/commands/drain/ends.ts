import { shellWord } from "../../shared/messages/quoted.js";
import { EXIT } from "../shared/terminal/command.js";
import type { note } from "../shared/terminal/terminal.js";
import { figuresInWords } from "../shared/workload/figures.js";
import { type FoundQueue, placeOf } from "./find-queues.js";
import { type DrainedQueue, pauseInWords, type ResumedQueue } from "./pause.js";
import type { DrainEnd } from "./step.js";

export interface DrainResult {
  readonly end: DrainEnd;
  readonly queues: readonly DrainedQueue[];
  /** What became of the queues that an interrupted drain had paused. */
  readonly resumed: readonly ResumedQueue[];
  /** Why the last look doesn't show all jobs. */
  readonly doubt?: string | undefined;
}

export interface ResumeResult {
  readonly resumed: readonly ResumedQueue[];
  /** Ids of queues that no longer exist. */
  readonly gone: readonly string[];
  /** Numbers of the record's lines that can't be read. */
  readonly unread: readonly number[];
}

/** How the command ends: what it prints for programs and for people, and its exit code. */
export interface Shown {
  readonly json: object;
  readonly sentences: readonly Parameters<typeof note>[];
  readonly code: number;
}

const ENDS: Readonly<Record<DrainEnd, string>> = {
  drained: "No job runs there any more.",
  timeout: "Time is up, and jobs still run there.",
  interrupted: "Interrupted.",
  overtaken: "Someone resumed a queue, so this ends.",
};

/** Shows the end of a drain. @param record the file that has its pauses */
export function shownDrain(drained: DrainResult, record: string | undefined): Shown {
  const { end, queues, resumed } = drained;
  const isPaused = (one: DrainedQueue) => {
    const after = resumed.find(({ queue }) => queue.id === one.queue.id);
    if (after === undefined) return one.queue.dispatch_paused && !one.deleted;
    return after.became === "failed" || after.became === "left";
  };
  const json = {
    end,
    queues: queues.map((one) => ({
      id: one.queue.id,
      key: one.queue.key,
      cluster: one.cluster.label,
      running: one.figures.running,
      waiting: one.figures.waiting,
      pausedHere: one.pause !== undefined,
      paused: isPaused(one),
      ...(one.deleted && { deleted: true }),
    })),
  };
  const code = end === "drained" ? EXIT.clean : EXIT.found;
  const nothing =
    end === "drained" ? "No queue is left to drain." : "Interrupted before any queue was paused.";
  if (queues.length === 0) return { json, sentences: [[nothing]], code };
  const lead = { text: endInWords(drained), emphasis: end === "drained" ? "green" : "yellow" } as const;
  const ours = queues.filter((one) => isPaused(one) && one.pause?.note === one.queue.dispatch_paused_note);
  const last =
    stillPausedInWords(resumed, record) ??
    (queues.every(({ pause, deleted }) => pause === undefined && !deleted)
      ? "The queues were paused before this run. Nothing was sent to them."
      : resumed.some(({ became }) => became !== "left")
        ? "The queues that this run paused are resumed."
        : ours.length > 0 && `The queues stay paused. ${howToResume(ours, record)}`);
  const others = resumed.filter(({ became }) => became === "left").map(othersPauseInWords);
  return {
    json,
    sentences: [
      [`${loadInWords(queues)}.`, lead],
      ...[...others, ...(last ? [last] : [])].map((text): [string] => [text]),
    ],
    code,
  };
}

/** Shows the end of a command that resumes. @param record the file that has the pauses. Default: queues were named */
export function shownResume({ resumed, gone, unread }: ResumeResult, record: string | undefined): Shown {
  const isEmpty = resumed.length + gone.length + unread.length === 0;
  const sentences = [
    ...(isEmpty ? [`${record} has no pause. Nothing was sent.`] : []),
    ...gone.map((id) => `The queue ${id} of the record is gone.`),
    ...unread.map(
      (line) => `Line ${line} of ${record} can't be read, so a queue that it names may stay paused.`,
    ),
    ...resumed.map((one) => {
      const { became } = one;
      const advice =
        record === undefined ? "To let jobs start again, add --yes." : "The record doesn't have this pause.";
      if (became === "left")
        return `${placeOf(one)} is ${pauseInWords(one.queue)}. Nothing was sent to it. ${advice}`;
      if (became === "failed") return `${placeOf(one)} may stay paused: ${one.reason}`;
      return `${placeOf(one)} ${became === "not paused" ? "was not paused" : `is ${became}`}.`;
    }),
  ];
  const queues = resumed.map(({ queue, cluster, became }) => ({
    id: queue.id,
    key: queue.key,
    cluster: cluster.label,
    resumed: became === "resumed",
  }));
  // Queues with another pause than the record's are no failure.
  const isFailure = ({ became }: ResumedQueue) =>
    became === "failed" || (became === "left" && record === undefined);
  return {
    json: { end: "resumed", queues },
    sentences: sentences.map((text) => [text]),
    code: unread.length > 0 || resumed.some(isFailure) ? EXIT.failed : EXIT.clean,
  };
}

/** Says how a drain ended. */
export function endInWords({ end, queues, doubt }: DrainResult): string {
  const isUnknown = end === "timeout" && queues.every(({ figures }) => figures.running === 0);
  return isUnknown ? `Time is up, and an idle queue can't be confirmed: ${doubt}.` : ENDS[end];
}

/** Returns the jobs of queues: `Linux/small: 3 running, 2 waiting`. */
export function loadInWords(queues: readonly DrainedQueue[]): string {
  return queues.map((one) => `${placeOf(one)}: ${figuresInWords(one.figures)}`).join("; ");
}

/** Says who paused a queue that this run doesn't resume. */
export function othersPauseInWords(one: FoundQueue): string {
  return `${placeOf(one)} is ${pauseInWords(one.queue)}, and not by this run, so it stays paused.`;
}

/**
 * Returns the sentence with the command that resumes queues.
 *
 * @param record the file that has their pauses
 */
export function howToResume(queues: readonly FoundQueue[], record: string | undefined): string {
  const which =
    record === undefined
      ? queues.map(({ name }) => shellWord(name)).join(" ")
      : `--record ${shellWord(record)}`;
  return `To let jobs start again: \`buildpipeline drain ${which} --resume\``;
}

/** Names queues that could not be resumed, with the command that resumes them. Undefined if there are none. */
export function stillPausedInWords(
  resumed: readonly ResumedQueue[],
  record: string | undefined,
): string | undefined {
  const failed = resumed.filter(({ became }) => became === "failed");
  if (failed.length === 0) return undefined;
  const reasons = failed.map((one) => `${placeOf(one)} (${one.reason?.replace(/[.\s]*$/, "")})`);
  return `These queues could not be resumed and may stay paused: ${reasons.join("; ")}. ${howToResume(failed, record)}`;
}
