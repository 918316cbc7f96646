import type { Connection } from "../../shared/configuration/settings.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { NoAnswer } from "./answer.js";
import { clean, type LeftBehind, marked } from "./clean.js";
import { Ledger } from "./ledger.js";
import { scopesOfToken } from "./of-lists.js";
import { Service } from "./probed-service.js";
import type { Question, QuestionName } from "./question.js";
import { questionNames, questions } from "./questions.js";
import { Stopped, Wire, type WireOptions } from "./wire.js";

export interface ProbeOptions extends Omit<WireOptions, "onRequest"> {
  /** Makes objects of the probe's own, to answer more questions. */
  readonly writes: boolean;
  readonly directory: string;
  /** Called before each request, with what it is for. */
  readonly onRequest?: (sent: number, purpose: string) => void;
  /** Ends the questions, and cleans up. */
  readonly signal?: AbortSignal;
}

/** A question with its answer, or with the reason why it has none. */
export interface Answered {
  readonly name: QuestionName;
  readonly question: Question<unknown>;
  readonly value?: unknown;
  readonly reason?: string;
}

export interface ProbeResult {
  readonly answers: readonly Answered[];
  readonly left: readonly LeftBehind[];
  readonly requests: number;
  readonly wasStopped: boolean;
}

/** The most requests of a probe, those that clean up included. */
export const mostRequests = (writes: boolean) => (writes ? 123 : 14);

/** Asks the service each question, and removes what it made: also after a failure, and after a stop. */
export async function probe(settings: Connection, options: ProbeOptions): Promise<ProbeResult> {
  let purpose = "Reading";
  const wire = new Wire(settings, { ...options, onRequest: (sent) => options.onRequest?.(sent, purpose) });
  const ledger = options.writes ? Ledger.start(options.directory, settings) : undefined;
  const service = new Service(wire, ledger);
  const answers: Answered[] = [];
  let left: LeftBehind[] = [];
  let wasStopped = false;
  wire.signal = options.signal;
  try {
    // A service that can't be reached is a failure of the probe, and not a reason for each question.
    await scopesOfToken(service).catch((error) => {
      if (!(error instanceof Stopped)) throw error;
    });
    for (const name of questionNames) {
      const question: Question<unknown> = questions[name];
      purpose = question.asks;
      answers.push({ name, question, ...(await answerTo(question, service)) });
    }
    wasStopped = options.signal?.aborted === true;
  } finally {
    // What was begun is cleaned up, whatever stopped the questions.
    wire.signal = undefined;
    purpose = "Cleaning up";
    if (ledger !== undefined) left = await clean(wire, ledger);
    await wire.close();
  }
  return { answers, left, requests: wire.sent, wasStopped };
}

async function answerTo({ answer }: Question<unknown>, service: Service) {
  if (typeof answer === "string") return { reason: answer };
  try {
    return { value: await answer(service) };
  } catch (error) {
    if (error instanceof NoAnswer) return { reason: error.message };
    return { reason: `Could not be answered: ${messageOf(error)}` };
  }
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
export function asFile(answers: readonly Answered[]) {
  return {
    answers: Object.fromEntries(answers.map(({ name, value = null }) => [name, value])),
    reasons: Object.fromEntries(
      answers.flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason]])),
    ),
  };
}
