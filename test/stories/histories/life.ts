import { type Emulator, scopes } from "../../../src/emulator/index.js";
import { type Act, type Meeting, Others } from "./acts.js";
import { Casting } from "./casting.js";
import type { Engine, Entry, Flags, Result } from "./engine/engine.js";
import { inject } from "./faults.js";
import type { Chapter, Command, Settings } from "./history.js";
import type { Inspection } from "./inspection.js";
import { type Evidence, invariants } from "./invariants.js";
import { Ledger } from "./ledger.js";
import type { Program } from "./program.js";
import { remoteObjects } from "./sections.js";

export interface World {
  /** Whether the creation of a team returns only what was sent. */
  readonly isTerse: boolean;
  readonly emulator: Emulator;
  readonly engine: Engine & {
    destroy(flags?: Flags): Promise<Result>;
    forget(entry: Entry): void | Promise<void>;
  };
  /** Looks at texts and properties that leave the provider. */
  readonly inspection: Inspection;
  /** Milliseconds of real time after which a command hangs. */
  readonly patienceMs: number;
  now(): number;
  /** Whether an object is on the service to which a wrong base address leads. */
  isElsewhere(id: string): boolean;
  pass(milliseconds: number): void;
  use(settings: Settings): void;
}

/** The API access tokens that settings name. */
export function tokensOf(emulator: Emulator): Readonly<Record<Settings["token"], string>> {
  const another = emulator.addMember({ name: "Deployer", email: "deployer@example.com" });
  return {
    usual: emulator.accessToken,
    rotated: emulator.createAccessToken({ scopes }),
    "of another user": emulator.createAccessToken({
      scopes,
      userId: another.id,
      admin: false,
      seesSecretTeams: false,
    }),
  };
}

/** How much really happened in a life. */
export const noCount = () => ({
  commands: 0,
  /** Requests between which others could act. */
  requests: 0,
  /** Acts of others between two requests of one command. */
  meanwhile: 0,
  /** Acts of others between commands. */
  between: 0,
  faults: 0,
  /** Commands that the user canceled while they waited for the rate limit. */
  canceled: 0,
  /** Objects of others that were taken for the stack's own, as the exception allows. */
  mistaken: 0,
});

export type Count = ReturnType<typeof noCount>;

export interface CommandOutcome {
  readonly succeeded: boolean;
  /** Ids of the objects that the state lacks. */
  readonly left: readonly string[];
  /** Whether messages say all of these ids. */
  readonly isLeftNamed: boolean;
}

export interface Played {
  readonly wrong: readonly string[];
  readonly count: Count;
  readonly outcomes: readonly CommandOutcome[];
}

export class Life {
  readonly count: Count = noCount();
  readonly outcomes: CommandOutcome[] = [];
  readonly ledger: Ledger;
  readonly casting: Casting;
  readonly others: Others;
  hangs = false;
  /** Whether the usual access token may have become unable to see something. */
  hasLostRole = false;
  #program: Program = [];

  constructor(readonly world: World) {
    const { emulator, engine } = world;
    this.ledger = new Ledger(emulator, () => world.now(), world.isTerse);
    this.casting = new Casting(emulator, engine, this.ledger);
    this.others = new Others(emulator);
  }

  /** Plays a chapter. @returns what it violates */
  async play(chapter: Chapter): Promise<string[]> {
    const { between, meanwhile, command, settings, troubles } = chapter;
    const { emulator, engine } = this.world;
    this.count.between += this.#acting(() => {
      for (const act of between) this.act(act);
    });
    this.#program = this.casting.programOf(chapter);
    const faults = troubles.map((trouble) => inject(emulator, trouble));
    this.hangs = troubles.some(({ mishap }) => mishap.startsWith("time-out"));
    const wrong = await this.run(command, settings, meanwhile);
    this.hangs = false;
    for (const fault of faults) {
      this.count.faults += fault.hits;
      fault.remove();
    }
    this.outcomes.push(this.#outcome());
    if (wrong.length > 0 || !this.#succeeded) return wrong;
    if (command.what !== "up" || command.target !== undefined) return [];
    const quiet = await engine.preview(this.#program);
    const busy = Object.entries(quiet.steps).filter(
      ([name, step]) => step !== "same" && !(step === "update" && this.#hasDrifted(name)),
    );
    if (busy.length === 0 && (quiet.succeeded || this.#refusesDrift(quiet))) return [];
    return [`I6: an unchanged program shows ${JSON.stringify(busy)} ${quiet.errors.join(" ")}`];
  }

  /** Runs a command of the current program. @returns what it violates */
  async run(command: Command, settings: Settings, meanwhile: readonly Meeting[] = []): Promise<string[]> {
    const { emulator, engine, inspection } = this.world;
    const before = engine.entries;
    const heard = engine.observed.length;
    this.world.use(settings);
    this.ledger.begin({
      mayWrite: !settings.readOnly && command.what !== "preview" && command.what !== "refresh",
      protected: this.#protectedBy(command),
      mayDestroy: before.filter(({ outs }) => outs.forceDestroy === true).map(({ id }) => id),
    });
    const stop = emulator.onRequest(this.#between(meanwhile));
    this.count.commands += 1;
    const result = await inTime(this.#start(command), this.world.patienceMs);
    stop();
    // What comes late comes after the user has read the messages.
    emulator.finishLateWork();
    this.ledger.note("this stack");
    if (result === undefined) return [`I3: ${command.what} does not end`];
    this.#succeeded = result.succeeded;
    const evidence: Evidence = {
      emulator,
      ledger: this.ledger,
      command,
      succeeded: result.succeeded,
      before,
      after: engine.entries,
      said: engine.observed,
      saidNow: engine.observed.slice(heard),
    };
    const found = Object.entries(invariants).flatMap(([name, violationsIn]) =>
      violationsIn(evidence).map((text) => `${name}: ${text}`),
    );
    for (const text of evidence.saidNow) inspection.message(text);
    this.count.mistaken = this.ledger.mistaken.size;
    return [...found, ...inspection.found.splice(0).map((text) => `I5: ${text}`)];
  }

  act(act: Act): void {
    this.hasLostRole ||= act.what === "take a role away";
    this.others.act(act, this.casting.wanted());
    this.ledger.note("others");
  }

  use(program: Program): void {
    this.#program = program;
  }

  #succeeded = false;

  #outcome(): CommandOutcome {
    const { emulator, engine } = this.world;
    const recorded = new Set(engine.entries.map(({ id }) => id));
    const left = remoteObjects(emulator).flatMap(({ id }) => (recorded.has(id) ? [] : [id]));
    const isNamed = (id: string) => engine.observed.some((text) => text.includes(id));
    return { succeeded: this.#succeeded, left, isLeftNamed: left.every(isNamed) };
  }

  #start({ what, ...flags }: Command): Promise<Result> {
    const { engine } = this.world;
    const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
    if (what === "refresh") return engine.refresh(given);
    if (what === "destroy") return engine.destroy(given);
    if (what === "preview") return engine.preview(this.#program, given);
    for (const id of this.casting.importedBy(this.#program)) this.ledger.imported.add(id);
    return engine.up(this.#program, given);
  }

  #between(meanwhile: readonly Meeting[]): Parameters<Emulator["onRequest"]>[0] {
    const waiting = meanwhile.map((meeting) => ({ ...meeting, left: meeting.skip }));
    return (request) => {
      this.ledger.arrives();
      this.count.requests += 1;
      for (const meeting of [...waiting]) {
        if (meeting.before !== undefined && meeting.before !== request.operation) continue;
        meeting.left -= 1;
        if (meeting.left >= 0) continue;
        waiting.splice(waiting.indexOf(meeting), 1);
        this.world.pass(meeting.seconds * 1_000);
        this.count.meanwhile += this.#acting(() => this.act(meeting.act));
        this.world.pass(meeting.seconds * 1_000);
      }
      this.ledger.arrived(request);
    };
  }

  /** Objects that stay on the service whatever the command: the program or the state imports them. */
  #protectedBy({ what, target }: Command): string[] {
    const { entries } = this.world.engine;
    const owned = new Set(entries.filter(({ outs }) => outs.import === undefined).map(({ id }) => id));
    const kept = entries.filter(({ outs }) => outs.import !== undefined).map(({ id }) => id);
    if (what !== "up") return kept.filter((id) => !owned.has(id));
    // Exception: with `--target` the provider does not hear about the resource that imports.
    if (target !== undefined) return [];
    return this.casting.importedBy(this.#program);
  }

  /** Exception: an update that meets a change of others records it, and the next preview shows it. */
  #hasDrifted(name: string): boolean {
    return this.world.engine.entries.some(
      (entry) => entry.name === name && this.others.changed.has(entry.id),
    );
  }

  /** Exception: an archived pipeline takes no other change, so a preview refuses what others changed before. */
  #refusesDrift({ errors }: Result): boolean {
    const { entries } = this.world.engine;
    const isDrifted = entries.some(({ id, outs }) => outs.archived === true && this.others.changed.has(id));
    return (
      isDrifted && errors.every((text) => text.includes("refuses other changes of an archived pipeline"))
    );
  }

  #acting(work: () => void): number {
    const { acts } = this.others;
    work();
    return this.others.acts - acts;
  }
}

async function inTime<Value>(command: Promise<Value>, patienceMs: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patienceMs, undefined);
  });
  try {
    return await Promise.race([command, late]);
  } finally {
    clearTimeout(timer);
  }
}
