import { isDeepStrictEqual } from "node:util";
import { type Driver, UNKNOWN } from "../driver.js";

type Properties = Record<string, unknown>;

/** A resource of a program. An argument may be the id of an earlier resource: `{ idOf: "its name" }`. */
export interface Declared {
  readonly name: string;
  readonly kind: string;
  readonly args: Properties;
}

export type Program = readonly Declared[];

/** A resource in the state. */
export interface Entry {
  /** Tells it from others of its name, which wait for their deletion. */
  readonly serial: number;
  readonly name: string;
  readonly kind: string;
  readonly id: string;
  readonly inputs: Properties;
  /** As the engine hands them to the provider: secrets in plain text. */
  readonly outs: Properties;
  /** Names of the resources whose ids stand in each argument. */
  readonly references: Readonly<Record<string, string>>;
  /** It exists, but was not finished. */
  readonly unfinished: boolean;
  /** It was replaced, and waits for its deletion. */
  readonly replaced: boolean;
}

export type Step = "create" | "update" | "replace" | "same" | "delete";

/** What a command came to. */
export interface Result {
  readonly succeeded: boolean;
  readonly steps: Readonly<Record<string, Step>>;
  readonly errors: readonly string[];
}

/** An engine with one stack: the model below, or the real one. */
export interface Engine {
  /** What the state has now. */
  readonly entries: readonly Entry[];
  /** Every error and warning that the user has seen. */
  readonly told: readonly string[];
  up(program: Program): Promise<Result>;
  preview(program: Program): Promise<Result>;
  refresh(): Promise<Result>;
}

/** The resource of a name, where it does not wait for its deletion. */
export function entryOf({ entries }: Engine, name: string): Entry | undefined {
  return entries.find((entry) => entry.name === name && !entry.replaced);
}

/**
 * What Pulumi's engine does with a provider, as far as it decides what is kept and what is lost: the order of calls,
 * which values they get, what goes into the state and what is skipped after a failure. One step at a time.
 */
export class ModelEngine implements Engine {
  entries: readonly Entry[] = [];
  /** Every error and warning that the user has seen. */
  readonly told: string[] = [];
  readonly #newRun: () => Driver;
  #made = 0;

  constructor(newRun: () => Driver) {
    this.#newRun = newRun;
  }

  /** What an update would do. */
  preview(program: Program): Promise<Result> {
    return this.#command(async (driver, steps) => {
      const made = new Set<string>();
      for (const declared of program) {
        const step = await this.#plan(driver, declared, made);
        steps[declared.name] = step;
        if (step === "create" || step === "replace") made.add(declared.name);
      }
      for (const { name } of this.#superfluous(program)) steps[name] = "delete";
    });
  }

  /** Creates, updates, replaces, and deletes last; the first failure ends it, and skips the deletions. */
  up(program: Program): Promise<Result> {
    return this.#command(async (driver, steps) => {
      try {
        for (const declared of program) await this.#register(driver, declared, steps);
      } finally {
        this.#sort(program.filter(({ name }) => name in steps));
      }
      await this.#delete(driver, this.#superfluous(program), steps);
    });
  }

  /** Reads everything. One that cannot be read stays as it was, and fails the command. */
  refresh(): Promise<Result> {
    return this.#command(async (driver) => {
      const errors: unknown[] = [];
      for (const entry of this.entries) {
        try {
          const provider = await driver.kind(entry.kind);
          const { id, props = {}, inputs = {} } = await provider.read(entry.id, entry.outs);
          if (id === "") this.#forget(entry);
          else
            this.#replaceEntry(entry, {
              ...entry,
              outs: kept(props),
              inputs: kept(inputs),
              unfinished: false,
            });
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw new AggregateError(errors);
    });
  }

  destroy(): Promise<Result> {
    return this.#command((driver, steps) => this.#delete(driver, [...this.entries].reverse(), steps));
  }

  entry(name: string): Entry | undefined {
    return entryOf(this, name);
  }

  async #command(work: (driver: Driver, steps: Record<string, Step>) => Promise<void>): Promise<Result> {
    const driver = this.#newRun();
    const steps: Record<string, Step> = {};
    const errors: string[] = [];
    try {
      await work(driver, steps);
    } catch (error) {
      const all: unknown[] = error instanceof AggregateError ? error.errors : [error];
      errors.push(...all.map((one) => (one instanceof Error ? one.message : String(one))));
    }
    this.told.push(...errors, ...driver.warnings);
    return { succeeded: errors.length === 0, steps, errors };
  }

  async #plan(driver: Driver, declared: Declared, made: ReadonlySet<string>): Promise<Step> {
    const old = this.entry(declared.name);
    const news = this.#resolved(declared, made);
    const inputs = await checked(driver, declared.kind, old?.inputs ?? {}, news);
    if (old === undefined) return "create";
    const { step } = await decided(driver, old, inputs);
    if (step === "replace") await checked(driver, declared.kind, {}, news);
    return step;
  }

  async #register(driver: Driver, declared: Declared, steps: Record<string, Step>): Promise<void> {
    const { name, kind } = declared;
    const old = this.entry(name);
    const news = this.#resolved(declared, new Set());
    const inputs = await checked(driver, kind, old?.inputs ?? {}, news);
    if (old === undefined) {
      steps[name] ??= "create";
      return this.#create(driver, declared, inputs);
    }
    const { step, deleteFirst } = await decided(driver, old, inputs);
    steps[name] = step;
    if (step === "same") {
      this.#replaceEntry(old, { ...old, inputs, references: referencesOf(declared) });
    } else if (step === "update") {
      await this.#update(driver, old, declared, inputs);
    } else {
      const fresh = await checked(driver, kind, {}, news);
      if (deleteFirst) {
        await this.#delete(driver, [...(await this.#replacedWith(driver, old)), old], {});
      } else {
        this.#replaceEntry(old, { ...old, replaced: true });
      }
      try {
        await this.#create(driver, declared, fresh);
      } catch (error) {
        // What was not replaced after all is what it was.
        const waiting = this.entries.find(({ serial, replaced }) => serial === old.serial && replaced);
        if (waiting !== undefined && this.entry(name) === undefined) {
          this.#replaceEntry(waiting, { ...waiting, replaced: false });
        }
        throw error;
      }
    }
  }

  async #create(driver: Driver, declared: Declared, inputs: Properties): Promise<void> {
    const { name, kind } = declared;
    const provider = await driver.kind(kind);
    const add = (id: string, outs: Properties, unfinished: boolean) => {
      const made = { name, kind, id, inputs, outs, references: referencesOf(declared), unfinished };
      this.#made += 1;
      this.entries = [...this.entries, { serial: this.#made, ...made, replaced: false }];
    };
    try {
      const { id, outs = {} } = await provider.create(inputs);
      add(id, kept(outs), false);
    } catch (error) {
      const half = initializationError(error);
      if (half !== undefined) add(half.id, half.outs, true);
      throw error;
    }
  }

  async #update(driver: Driver, old: Entry, declared: Declared, inputs: Properties): Promise<void> {
    const provider = await driver.kind(old.kind);
    const updated = { ...old, inputs, references: referencesOf(declared) };
    try {
      const { outs = {} } = await provider.update(old.id, old.outs, inputs);
      this.#replaceEntry(old, { ...updated, outs: kept(outs), unfinished: false });
    } catch (error) {
      const half = initializationError(error);
      if (half !== undefined) this.#replaceEntry(old, { ...updated, outs: half.outs, unfinished: true });
      throw error;
    }
  }

  /** Deletes in this order. What one that stays refers to stays, too. */
  async #delete(driver: Driver, entries: readonly Entry[], steps: Record<string, Step>): Promise<void> {
    const errors: unknown[] = [];
    const staying = new Set<string>();
    for (const entry of entries) {
      if (staying.has(entry.name)) continue;
      try {
        const provider = await driver.kind(entry.kind);
        await provider.delete(entry.id, entry.outs);
        this.#forget(entry);
        if (!entry.replaced) steps[entry.name] ??= "delete";
      } catch (error) {
        errors.push(error);
        for (const name of Object.values(entry.references)) staying.add(name);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors);
  }

  /** What is due to be deleted after everything else: the replaced, and what the program lacks. Dependents first. */
  #superfluous(program: Program): Entry[] {
    const declared = new Set(program.map(({ name }) => name));
    return [...this.entries].reverse().filter((entry) => entry.replaced || !declared.has(entry.name));
  }

  /** Dependents that must be replaced when a resource is deleted before it is replaced, the last first. */
  async #replacedWith(driver: Driver, old: Entry): Promise<Entry[]> {
    const found: Entry[] = [];
    for (const entry of this.entries) {
      const names = Object.entries(entry.references).flatMap(([name, to]) => (to === old.name ? [name] : []));
      if (names.length === 0 || entry.replaced) continue;
      const unknown = Object.fromEntries(names.map((name) => [name, UNKNOWN]));
      const { step } = await decided(driver, entry, { ...entry.inputs, ...unknown });
      if (step === "replace") found.unshift(...(await this.#replacedWith(driver, entry)), entry);
    }
    return found;
  }

  #resolved({ args }: Declared, unknown: ReadonlySet<string>): Properties {
    const resolved: Properties = {};
    for (const [name, value] of Object.entries(args)) {
      const to = referenceOf(value);
      if (to === undefined) resolved[name] = value;
      else resolved[name] = unknown.has(to) ? UNKNOWN : (this.entry(to)?.id ?? UNKNOWN);
    }
    return resolved;
  }

  #forget(entry: Entry): void {
    this.entries = this.entries.filter((candidate) => candidate !== this.#current(entry));
  }

  #replaceEntry(entry: Entry, next: Entry): void {
    const current = this.#current(entry);
    this.entries = this.entries.map((candidate) => (candidate === current ? next : candidate));
  }

  /** The state has what the latest deployment came to first, in its order, and then the rest in the order before. */
  #sort(registered: Program): void {
    const first = registered.flatMap(({ name }) => this.entry(name) ?? []);
    this.entries = [...first, ...this.entries.filter((entry) => !first.includes(entry))];
  }

  #current(entry: Entry): Entry | undefined {
    return this.entries.find((candidate) => candidate.serial === entry.serial);
  }
}

async function checked(
  driver: Driver,
  kind: string,
  olds: Properties,
  news: Properties,
): Promise<Properties> {
  const provider = await driver.kind(kind);
  const { inputs = {}, failures = [] } = await provider.check(olds, news);
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
  return kept(inputs);
}

async function decided(
  driver: Driver,
  old: Entry,
  inputs: Properties,
): Promise<{ step: "same" | "update" | "replace"; deleteFirst: boolean }> {
  const provider = await driver.kind(old.kind);
  const {
    changes,
    replaces = [],
    deleteBeforeReplace = false,
  } = await provider.diff(old.id, old.outs, inputs);
  if (replaces.length > 0) return { step: "replace", deleteFirst: deleteBeforeReplace };
  const changed = changes ?? !isDeepStrictEqual(old.inputs, inputs);
  return { step: changed || old.unfinished ? "update" : "same", deleteFirst: false };
}

/** Properties as they come back from the engine: JSON, with secrets in plain text. `undefined` fails in the host. */
function kept(properties: Properties): Properties {
  const strip = (value: unknown): unknown => {
    if (value === undefined) throw new Error("Unexpected struct type: undefined reached the engine");
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== "object" || value === null) return value;
    if (Object.hasOwn(value, "4dabf18193072939515e22adb298388d")) return strip(Reflect.get(value, "value"));
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, strip(entry)]));
  };
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, strip(value)]));
}

function referenceOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("idOf" in value)) return undefined;
  return String(value.idOf);
}

function referencesOf({ args }: Declared): Record<string, string> {
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) => {
      const to = referenceOf(value);
      return to === undefined ? [] : [[name, to]];
    }),
  );
}

/** What an initialization error tells the engine to keep. */
function initializationError(error: unknown): { id: string; outs: Properties } | undefined {
  if (!(error instanceof Error) || !("reasons" in error) || !("id" in error) || !("properties" in error)) {
    return undefined;
  }
  const { id, properties } = error;
  if (typeof properties !== "object" || properties === null) return undefined;
  return { id: String(id), outs: kept({ ...properties }) };
}
