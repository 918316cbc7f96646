import type { Connection } from "../configuration/settings.js";
import { Answers, type QuestionName } from "./answers.js";
import { clean, type LeftBehind, marked } from "./clean.js";
import { Ledger } from "./ledger.js";
import { questions } from "./questions.js";
import { askByReading, readQuestions } from "./reads.js";
import { runPart, Service } from "./service.js";
import { Stopped, Wire, type WireOptions } from "./wire.js";
import { writingParts } from "./writes.js";

export interface ProbeOptions extends WireOptions {
  /** Makes objects of the probe's own, to answer more questions. */
  readonly writes: boolean;
  /** Directory of the ledger. */
  readonly directory: string;
  /** Called before each part, with what it does. */
  readonly onPart?: (part: string) => void;
  /** Ends the questions, and cleans up. */
  readonly signal?: AbortSignal;
}

/** The result of a probe. */
export interface ProbeResult {
  readonly answers: Answers;
  readonly left: readonly LeftBehind[];
  /** Requests sent. */
  readonly requests: number;
  readonly wasStopped: boolean;
}

/** What a probe makes, and its requests at most. Cleaning up is included. */
export function plan(writes: boolean): { readonly makes: readonly string[]; readonly requests: number } {
  if (!writes) return { makes: [], requests: readQuestions.requests };
  const CLEANING = 40;
  const parts = writingParts.reduce((sum, { requests }) => sum + requests, 0);
  return {
    makes: writingParts.map(({ makes }) => makes),
    requests: readQuestions.requests + parts + CLEANING,
  };
}

/** Asks the service each question, and removes what it made: also after a failure, and after a stop. */
export async function probe(settings: Connection, options: ProbeOptions): Promise<ProbeResult> {
  const wire = new Wire(settings, options);
  const answers = new Answers();
  const stop = () => wire.stop();
  options.signal?.addEventListener("abort", stop, { once: true });
  if (options.signal?.aborted) stop();
  let left: LeftBehind[] = [];
  let wasStopped = false;
  try {
    options.onPart?.("Reading");
    await askByReading(wire, answers);
    if (options.writes) {
      const ledger = Ledger.start(options.directory, settings);
      try {
        for (const part of writingParts) {
          options.onPart?.(`Making ${part.makes}`);
          await runPart(part, new Service(wire, ledger), answers);
        }
      } finally {
        // What was begun is cleaned up, whatever stopped the questions.
        options.signal?.removeEventListener("abort", stop);
        wire.resume();
        options.onPart?.("Cleaning up");
        left = await clean(wire, ledger);
      }
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    wasStopped = true;
  } finally {
    await wire.close();
  }
  for (const name of questionNames) {
    if (name in answers.values || name in answers.reasons) continue;
    const { cannotBeAsked } = questions[name];
    answers.reasons[name] = cannotBeAsked ?? (wasStopped ? "the probe was stopped" : "needs --write");
  }
  return { answers, left, requests: wire.sent, wasStopped };
}

/** Removes what earlier probes left behind, as their files in a directory prove. */
export async function cleanUp(
  settings: Connection,
  { directory, ...options }: WireOptions & { readonly directory: string },
): Promise<{
  readonly ledgers: number;
  readonly left: readonly LeftBehind[];
  readonly marked: readonly string[];
}> {
  const wire = new Wire(settings, options);
  try {
    const ledgers = Ledger.leftIn(directory, settings);
    const left: LeftBehind[] = [];
    for (const ledger of ledgers) left.push(...(await clean(wire, ledger)));
    return { ledgers: ledgers.length, left, marked: await marked(wire, ledgers) };
  } finally {
    await wire.close();
  }
}

export const questionNames = Object.keys(questions) as QuestionName[];

/** Returns the answers as a file that the emulator takes: null where there is none, with the reason. */
export function asFile({ values, reasons }: Answers) {
  const entries = questionNames.map((name) => [name, values[name] ?? (name in values ? values[name] : null)]);
  return { answers: Object.fromEntries(entries), reasons };
}
