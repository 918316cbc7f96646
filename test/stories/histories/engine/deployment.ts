import { isDeepStrictEqual } from "node:util";
import type { Declared, Program } from "../program.js";
import { referencesOf } from "../program.js";
import { InitializationError, type Properties } from "./backend.js";
import type { Entry, Flags, Step } from "./engine.js";
import type { ProviderCalls } from "./provider-calls.js";

const IMPORTED_STAYS = "previously-imported resources that still specify an ID may not be replaced";
const IMPORTED_DIFFERS = "inputs to import do not match the existing resource";

/** The part of `pulumi up` that follows the program: resources are checked one at a time and carried out in parallel. */
export class Deployment {
  readonly steps: Record<string, Step> = {};
  readonly errors: unknown[] = [];
  readonly #running = new Map<string, Promise<void>>();
  /** Entries that were deleted because something that they refer to is replaced. */
  readonly #deletedBefore = new Set<number>();
  readonly #skipped = new Set<string>();
  /** What a preview plans to make, of which nothing is known yet. */
  readonly #planned = new Set<string>();
  /** The old names of entries that `aliases` renamed, by their numbers. */
  readonly #formerNames = new Map<number, string>();

  /** @param previews Decides what resources need, and does none of it. */
  constructor(
    private readonly calls: ProviderCalls,
    private readonly flags: Flags,
    private readonly previews = false,
  ) {}

  /** Runs the program. The first failure ends it; what runs already ends by itself. */
  async run(program: Program): Promise<void> {
    for (const declared of program) {
      await Promise.all(Object.values(referencesOf(declared)).map((name) => this.#running.get(name)));
      if (this.errors.length > 0) break;
      try {
        const work = await this.#register(declared);
        const ended = this.previews
          ? this.#plan(declared)
          : work?.().catch((error: unknown) => void this.errors.push(error));
        if (ended !== undefined) this.#running.set(declared.name, ended);
        if (this.flags.isSerial) await ended;
      } catch (error) {
        this.errors.push(error);
      }
    }
    await Promise.all(this.#running.values());
    this.calls.state.sort(program.filter(({ name }) => name in this.steps));
  }

  #plan({ name }: Declared): undefined {
    if (this.steps[name] === "create" || this.steps[name] === "replace") this.#planned.add(name);
  }

  /** Decides what a resource needs. @returns the work, if there is any */
  async #register(declared: Declared): Promise<(() => Promise<void>) | undefined> {
    const { name } = declared;
    if (declared.import !== undefined) this.calls.imports.set(name, declared.import);
    if (declared.get !== undefined) {
      const { get } = declared;
      this.steps[name] = "same";
      return () => this.calls.get(declared, get);
    }
    const old = this.#oldOf(declared);
    if (!(this.flags.target?.includes(name) ?? true)) {
      if (old === undefined) this.#skipped.add(name);
      else this.steps[name] = "same";
      return undefined;
    }
    for (const to of Object.values(referencesOf(declared)))
      if (this.#skipped.has(to)) throw new Error(`${name} needs ${to}, which is not among the targets.`);
    if (old !== undefined && this.flags.refresh === "with the program") await this.calls.refresh(old);
    const known = this.#oldOf(declared);
    const importId = this.calls.importOf(declared, known);
    return importId === undefined ? this.#decided(declared, known) : this.#import(declared, importId, known);
  }

  /** Imports what the option names, as it is: Pulumi refuses a program that states it otherwise, and a preview warns. */
  async #import(declared: Declared, importId: string, old: Entry | undefined): Promise<undefined> {
    const news = this.calls.inputsOf(declared, this.#planned);
    const read = await this.calls.import(declared, importId);
    const inputs = await this.calls.check(declared, read.inputs, news);
    const { step } = await this.calls.decide({ serial: 0, ...read }, inputs);
    if (step !== "same" && !this.previews) throw new Error(`${declared.name}: ${IMPORTED_DIFFERS}`);
    this.steps[declared.name] = "same";
    if (old !== undefined) this.calls.state.put({ ...old, replaced: true });
    this.calls.state.add({ ...read, inputs });
  }

  async #decided(declared: Declared, old: Entry | undefined): Promise<(() => Promise<void>) | undefined> {
    const { name } = declared;
    const news = this.calls.inputsOf(declared, this.#planned);
    const recreated = old !== undefined && this.#deletedBefore.has(old.serial);
    const forced = old !== undefined && !recreated && (this.flags.replace?.includes(name) ?? false);
    const fresh = old === undefined || recreated || forced || old.external === true;
    const inputs = await this.calls.check(declared, fresh ? {} : old.inputs, news);
    if (forced && this.calls.keepsImport(declared)) throw new Error(IMPORTED_STAYS);
    if (fresh) {
      this.steps[name] ??= old === undefined ? "create" : "replace";
      return this.#replacing(declared, inputs, old, forced && Boolean(declared.deleteBeforeReplace));
    }
    const { step: planned, deleteFirst } = await this.calls.decide(old, inputs);
    const differs = (argument: string) => !isDeepStrictEqual(old.inputs[argument], inputs[argument]);
    const step = planned === "update" && declared.replaceOnChanges?.some(differs) ? "replace" : planned;
    this.steps[name] = step;
    if (step === "same") {
      this.calls.state.put({ ...old, inputs, references: referencesOf(declared) });
      return undefined;
    }
    if (step === "update") return () => this.calls.update(old, declared, inputs);
    if (this.calls.keepsImport(declared)) throw new Error(IMPORTED_STAYS);
    const again = await this.calls.check(declared, {}, news);
    return this.#replacing(declared, again, old, Boolean(declared.deleteBeforeReplace ?? deleteFirst));
  }

  /** Creates, and before or after that does what a replacement does with the old entry. */
  async #replacing(
    declared: Declared,
    inputs: Properties,
    old: Entry | undefined,
    deleteFirst: boolean,
  ): Promise<() => Promise<void>> {
    const first: Entry[] = [];
    if (old !== undefined && deleteFirst && !this.#deletedBefore.has(old.serial)) {
      const dependents = await this.calls.replacedWith(old);
      first.push(...dependents.filter(({ serial }) => !this.#deletedBefore.has(serial)).reverse(), old);
      for (const { serial } of first) this.#deletedBefore.add(serial);
    }
    return async () => {
      for (const entry of first)
        if (!entry.pendingReplacement) await this.calls.delete(this.#asItWas(entry), true);
      let unfinished: InitializationError | undefined;
      await this.calls.create(declared, inputs).catch((error: unknown) => {
        if (!(error instanceof InitializationError)) throw error;
        unfinished = error;
      });
      if (old !== undefined) this.#retire(old);
      if (unfinished !== undefined) throw unfinished;
    };
  }

  /** Drops the entry that another one replaces, or notes that it is to be deleted. */
  #retire({ serial }: Entry): void {
    const kept = this.calls.state.entries.find((entry) => entry.serial === serial);
    if (kept === undefined) return;
    // Pulumi notes what it deletes first when it plans that: the creation may end before that deletion.
    const isDeletedFirst = kept.pendingReplacement || this.#deletedBefore.has(serial);
    if (isDeletedFirst || kept.external) this.calls.state.forget(kept);
    else this.calls.state.put({ ...this.#asItWas(kept), replaced: true });
  }

  /** An entry that is replaced is deleted by the URN of before. */
  #asItWas(entry: Entry): Entry {
    return { ...entry, name: this.#formerNames.get(entry.serial) ?? entry.name };
  }

  /** The entry of a resource, by its name or by the one that it had. */
  #oldOf({ name, kind, alias }: Declared): Entry | undefined {
    const named = this.calls.state.entries.find((entry) => isOf(entry, name, kind));
    if (named !== undefined || alias === undefined) return named;
    const before = this.calls.state.entries.find((entry) => isOf(entry, alias, kind));
    if (before === undefined) return undefined;
    const renamed = { ...before, name };
    this.#formerNames.set(before.serial, alias);
    this.calls.state.put(renamed);
    for (const entry of this.calls.state.entries) {
      const references = Object.entries(entry.references);
      if (!references.some(([, to]) => to === alias)) continue;
      const corrected = references.map(([key, to]) => [key, to === alias ? name : to]);
      this.calls.state.put({ ...entry, references: Object.fromEntries(corrected) });
    }
    return renamed;
  }
}

function isOf(entry: Entry, name: string, kind: string): boolean {
  return entry.name === name && entry.kind === kind && !entry.replaced;
}
