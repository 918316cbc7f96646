import type { Connection } from "../../shared/configuration/settings.js";
import { messageOf } from "../../shared/messages/of-error.js";
import { clean, type LeftBehind, marked } from "./clean.js";
import { Ledger } from "./ledger.js";
import { ofClusters } from "./of-clusters.js";
import { ofLists, scopesOfToken } from "./of-lists.js";
import { ofNewerApi } from "./of-newer-api.js";
import { ofTeams } from "./of-teams.js";
import type { Question, Questions } from "./question.js";
import { ProbedService } from "./service.js";
import { NoAnswer, Stopped, type WireOptions } from "./wire.js";

/** Every question, in the order in which it is asked and printed. */
export const questions: Questions = { ...ofClusters, ...ofTeams, ...ofLists, ...ofNewerApi };

export const questionNames = Object.keys(questions) as (keyof Questions)[];

/** A question with its answer, or with the reason why it has none. */
export interface Answered {
  readonly name: keyof Questions;
  readonly question: Question<unknown>;
  readonly value?: unknown;
  readonly reason?: string;
}

/** The most requests of a probe, those that clean up included. */
export const mostRequests = (writes: boolean) => (writes ? 132 : 14);

/** Asks the service each question, and removes what it made: also after a failure, and after a stop. */
export async function probe(
  settings: Connection,
  options: WireOptions & {
    readonly writes: boolean;
    readonly directory: string;
    readonly signal?: AbortSignal;
  },
) {
  const service = new ProbedService(settings, options);
  if (options.writes) service.own = Ledger.start(options.directory, settings);
  const answers: Answered[] = [];
  let left: readonly LeftBehind[] = [];
  let wasStopped = false;
  service.signal = options.signal;
  try {
    // A service that can't be reached is a failure of the probe, and not a reason for each question.
    await scopesOfToken(service).catch((error) => {
      if (!(error instanceof Stopped)) throw error;
    });
    for (const name of questionNames) {
      const question: Question<unknown> = questions[name];
      service.purpose = question.asks;
      answers.push({ name, question, ...(await answerTo(question, service)) });
    }
    wasStopped = options.signal?.aborted === true;
  } finally {
    // What was begun is cleaned up, whatever stopped the questions.
    service.signal = undefined;
    service.purpose = "Cleaning up";
    if (options.writes) left = await clean(service);
    await service.close();
  }
  return { answers, left, requests: service.sent, wasStopped };
}

async function answerTo({ answer }: Question<unknown>, service: ProbedService) {
  if (typeof answer === "string") return { reason: answer };
  try {
    return { value: await answer(service) };
  } catch (error) {
    if (error instanceof NoAnswer) return { reason: error.message };
    return { reason: `Could not be answered: ${messageOf(error)}` };
  }
}

export async function cleanUp(settings: Connection, directory: string, options: WireOptions) {
  const service = new ProbedService(settings, options);
  try {
    const ledgers = Ledger.leftIn(directory, settings);
    const left: LeftBehind[] = [];
    for (const ledger of ledgers) {
      service.own = ledger;
      left.push(...(await clean(service)));
    }
    return { ledgers: ledgers.length, left, marked: await marked(service, ledgers) };
  } finally {
    await service.close();
  }
}

/** Returns the answers as a file that the emulator takes: null where there is none, with the reason. */
export function asFile(answers: readonly Answered[]) {
  const reasons = answers.flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason]]));
  return {
    answers: Object.fromEntries(answers.map(({ name, value = null }) => [name, value])),
    reasons: Object.fromEntries(reasons),
  };
}
