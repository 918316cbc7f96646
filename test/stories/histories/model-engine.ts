import { type Backend, plain } from "./engine/backend.js";
import { Deployment } from "./engine/deployment.js";
import type { Engine, Entry, Flags, Result, Step } from "./engine/engine.js";
import { ProviderCalls } from "./engine/provider-calls.js";
import { State } from "./engine/state.js";
import type { Program } from "./program.js";

/**
 * What Pulumi's engine does with a provider, as far as it decides what is kept and what is lost: the order of calls,
 * which values they get, what goes into the state and what is skipped after a failure. Recorded calls of the real
 * engine hold it to that.
 */
export class ModelEngine implements Engine {
  /** Every error and warning that the user has seen. */
  readonly observed: string[] = [];
  readonly #state = new State();

  constructor(private readonly newRun: () => Backend) {}

  get entries(): readonly Entry[] {
    return this.#state.entries.map((entry) => ({
      ...entry,
      inputs: plain(entry.inputs),
      outs: plain(entry.outs),
    }));
  }

  preview(program: Program, flags: Flags = {}): Promise<Result> {
    return this.#command(async (calls, steps) => {
      const deployment = new Deployment(calls, flags, true);
      await deployment.run(program);
      Object.assign(steps, deployment.steps);
      if (deployment.errors.length === 0)
        for (const { name } of this.#superfluous(program, flags)) steps[name] = "delete";
      return deployment.errors;
    }, this.#state.copy());
  }

  /** Creates, updates, replaces, and deletes last; the first failure ends it, and skips the deletions. */
  up(program: Program, flags: Flags = {}): Promise<Result> {
    return this.#command(async (calls, steps) => {
      if (flags.refresh === "first") {
        const failed = await this.#refreshAll(calls, flags);
        if (failed.length > 0) return failed;
      }
      const deployment = new Deployment(calls, flags);
      await deployment.run(program);
      Object.assign(steps, deployment.steps);
      if (deployment.errors.length > 0) return deployment.errors;
      await this.#requireTargets(calls, program, flags);
      return this.#delete(calls, this.#superfluous(program, flags), steps);
    });
  }

  /** Reads everything. One that cannot be read stays as it was, and fails the command. */
  refresh(flags: Flags = {}): Promise<Result> {
    return this.#command((calls) => this.#refreshAll(calls, flags));
  }

  /** Deletes everything, or what is targeted and nothing outside the targets refers to. */
  destroy(flags: Flags = {}): Promise<Result> {
    return this.#command(async (calls, steps) => {
      await this.#requireTargets(calls, [], flags);
      return this.#delete(calls, this.#superfluous([], flags), steps);
    });
  }

  forget(entry: Entry): void {
    this.#state.forget(entry);
  }

  /** Goes back to what the engine had written when it was killed: entries as they were kept. */
  restore(entries: readonly Entry[]): void {
    this.#state.restore(entries);
  }

  entry(name: string): Entry | undefined {
    return this.#state.entry(name);
  }

  /** Entries with secrets as the provider marked them. */
  get entriesAsKept(): readonly Entry[] {
    return this.#state.entries;
  }

  async #command(
    work: (calls: ProviderCalls, steps: Record<string, Step>) => Promise<readonly unknown[]>,
    state = this.#state,
  ): Promise<Result> {
    const backend = this.newRun();
    const steps: Record<string, Step> = {};
    const failures = await work(new ProviderCalls(backend, state), steps).catch((error: unknown) => [error]);
    const errors = failures.map((error) => (error instanceof Error ? error.message : String(error)));
    this.observed.push(...errors, ...backend.messages);
    return { succeeded: errors.length === 0, steps, errors };
  }

  async #refreshAll(calls: ProviderCalls, { target }: Flags): Promise<unknown[]> {
    const errors: unknown[] = [];
    const chosen = this.#state.entries.filter(({ name }) => target?.includes(name) ?? true);
    const reading = chosen.map((entry) =>
      calls.refresh(entry).catch((error: unknown) => void errors.push(error)),
    );
    await Promise.all(reading);
    return errors;
  }

  /** Deletes layer by layer, each at the same time; a failure ends it after its layer. */
  async #delete(
    calls: ProviderCalls,
    entries: readonly Entry[],
    steps: Record<string, Step>,
  ): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (const layer of this.#state.layers(entries)) {
      if (errors.length > 0) break;
      const deleting = layer.map(async (entry) => {
        try {
          await calls.delete(entry);
          if (!entry.replaced) steps[entry.name] ??= "delete";
        } catch (error) {
          errors.push(error);
        }
      });
      await Promise.all(deleting);
    }
    return errors;
  }

  /** @throws when the deletion of a target would replace what is no target */
  async #requireTargets(calls: ProviderCalls, program: Program, { target }: Flags): Promise<void> {
    const registered = new Set(program.map(({ name }) => name));
    for (const name of target ?? []) {
      const entry = this.entry(name);
      if (entry === undefined) continue;
      for (const dependent of await calls.replacedWith(entry, registered)) {
        if (!target?.includes(dependent.name)) throw new Error(`${dependent.name} is no target.`);
      }
    }
  }

  /** What is due to be deleted after everything else: the replaced, and what the program lacks. */
  #superfluous(program: Program, { target }: Flags): Entry[] {
    const declared = new Set(
      program.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias])),
    );
    return this.#state.entries.filter(
      (entry) =>
        (entry.replaced || !declared.has(entry.name)) &&
        (target === undefined || target.includes(entry.name)),
    );
  }
}
