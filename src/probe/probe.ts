import type { Connection } from "../configuration/settings.js";
import { Answers } from "./answers.js";
import { clean, type LeftBehind, marked } from "./clean.js";
import { Ledger } from "./ledger.js";
import { questionNames, questions } from "./questions.js";
import { askByReading, READ_REQUESTS } from "./reads.js";
import { Service } from "./service.js";
import { Stopped, Wire, type WireOptions } from "./wire.js";
import { writingParts } from "./writes.js";

export interface ProbeOptions extends Omit<WireOptions, "onRequest"> {
  /** Makes objects of the probe's own, to answer more questions. */
  readonly writes: boolean;
  /** Directory of the ledger. */
  readonly directory: string;
  /** Called before each request, with what its part of the probe does. */
  readonly onRequest?: (sent: number, part: string) => void;
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
  if (!writes) return { makes: [], requests: READ_REQUESTS };
  const CLEANING = 40;
  const requests = writingParts.reduce((sum, part) => sum + part.requests, READ_REQUESTS + CLEANING);
  return { makes: writingParts.map(({ makes }) => makes), requests };
}

/** Asks the service each question, and removes what it made: also after a failure, and after a stop. */
export async function probe(settings: Connection, options: ProbeOptions): Promise<ProbeResult> {
  let part = "Reading";
  const wire = new Wire(settings, { ...options, onRequest: (sent) => options.onRequest?.(sent, part) });
  const answers = new Answers();
  wire.signal = options.signal;
  let left: LeftBehind[] = [];
  let wasStopped = false;
  try {
    await askByReading(wire, answers);
    if (options.writes) {
      const ledger = Ledger.start(options.directory, settings);
      try {
        for (const { makes, names, run } of writingParts) {
          part = `Making ${makes}`;
          try {
            await run(new Service(wire, ledger), answers);
          } catch (error) {
            if (error instanceof Stopped) throw error;
            // What its objects would have answered has a reason if they cannot be made.
            answers.fail(names, error);
          }
        }
      } finally {
        // What was begun is cleaned up, whatever stopped the questions.
        wire.signal = undefined;
        part = "Cleaning up";
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

/** Returns the answers as a file that the emulator takes: null where there is none, with the reason. */
export function asFile({ values, reasons }: Answers) {
  const entries = questionNames.map((name) => [name, values[name] ?? null]);
  return { answers: Object.fromEntries(entries), reasons };
}
