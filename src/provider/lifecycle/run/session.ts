import type { Settings } from "../../../shared/configuration/settings.js";
import type { Properties } from "../../../shared/protocol/encoded-values.js";
import type { AnyKind } from "../../kind/kind.js";
import { Disappearances } from "./disappearances.js";
import { ProgramEntries, RunRecord } from "./memory.js";
import { type Outlets, Reporter } from "./reporter.js";
import { RunService, type Transport } from "./service.js";
import { type NamesInRun, Subject, workFor } from "./subject.js";

export interface Surroundings extends Outlets, Transport {}

/** What the resources of one provider instance share. The engine starts one process for each instance. */
export class Session {
  readonly reporter: Reporter;
  readonly service: RunService;
  readonly run = new RunRecord();
  readonly entries: ProgramEntries;
  readonly disappearances: Disappearances;
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #names: NamesInRun = new Map();

  constructor(
    readonly settings: Settings,
    surroundings: Surroundings = {},
  ) {
    this.entries = new ProgramEntries(this.run, surroundings.urn ?? (() => undefined));
    this.reporter = new Reporter(surroundings);
    this.service = new RunService(settings, surroundings, this.reporter, this.run);
    this.disappearances = new Disappearances(this.service.pause);
  }

  /**
   * Works for a resource, of which the engine sent these properties, the latest ones last. What is said meanwhile names it
   * and shows none of its secrets.
   */
  about<Result>(
    kind: AnyKind,
    known: readonly Properties[],
    id: string | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return workFor(new Subject(kind, known, id, this.#names), work);
  }

  /** Does work that must not overlap with other work of the same name. */
  async oneAtATime<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const mine = (this.#last.get(name) ?? Promise.resolve()).then(work, work);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}

/** Returns a function that opens sessions: equal settings share one, so that the kinds of one host do. */
export function sessionPool(surroundings?: Surroundings): (settings: Settings) => Session {
  const sessions = new Map<string, Session>();
  return (settings) => {
    const key = JSON.stringify(settings);
    const session = sessions.get(key) ?? new Session(settings, surroundings);
    sessions.set(key, session);
    return session;
  };
}
