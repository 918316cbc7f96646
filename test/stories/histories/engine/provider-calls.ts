import { isDeepStrictEqual } from "node:util";
import { UNKNOWN } from "../../../support/driver.js";
import { type Declared, referenceOf, referencesOf } from "../program.js";
import { type Backend, InitializationError, type Properties, plain, type Resource } from "./backend.js";
import type { Entry } from "./engine.js";
import type { State } from "./state.js";

export interface Decision {
  readonly step: "same" | "update" | "replace";
  readonly deleteFirst: boolean;
}

/** Each call of a provider, with the values that the engine gives it and what the state keeps afterwards. */
export class ProviderCalls {
  /** The options `import` of the resources that were registered, by their names. */
  readonly imports = new Map<string, string>();

  constructor(
    private readonly backend: Backend,
    readonly state: State,
  ) {}

  /** Inputs of a resource as the program gives them; ids of what does not exist yet are unknown. */
  inputsOf(declared: Declared, unknown: ReadonlySet<string> = new Set()): Properties {
    const resolved: Properties = {};
    for (const [name, value] of Object.entries(declared.args)) {
      const to = referenceOf(value);
      if (to === undefined) resolved[name] = value;
      else resolved[name] = unknown.has(to) ? UNKNOWN : (this.#outputOf(to, value) ?? UNKNOWN);
    }
    if (declared.deleteBeforeReplace === true) resolved.deletesBeforeReplace = true;
    if (this.backend.enginesImport) return resolved;
    if (declared.import !== undefined) resolved.import = declared.import;
    const others = Object.entries(referencesOf(declared)).map(([name, to]) => [name, this.imports.get(to)]);
    if (this.imports.size > 0) resolved.importsOfOthers = Object.fromEntries(others);
    return resolved;
  }

  #outputOf(name: string, reference: unknown): unknown {
    const entry = this.state.entry(name);
    const isToken = typeof reference === "object" && reference !== null && "tokenOf" in reference;
    return isToken && entry !== undefined ? plain(entry.outs).token : entry?.id;
  }

  /** @throws with everything that is wrong with the inputs */
  async check(resource: Resource, olds: Properties, news: Properties): Promise<Properties> {
    const { inputs, failures } = await this.backend.check(resource, olds, news);
    if (failures.length > 0) throw new Error(failures.join("\n"));
    return inputs;
  }

  async decide(old: Entry, inputs: Properties): Promise<Decision> {
    const { id, outs } = old;
    const difference = await this.backend.diff(old, id, outs, inputs, old.inputs);
    const { changed, replaces, deleteBeforeReplace } = difference;
    if (replaces.length > 0 || old.pendingReplacement)
      return { step: "replace", deleteFirst: deleteBeforeReplace };
    const differs = changed ?? !isDeepStrictEqual(old.inputs, inputs);
    return { step: differs || old.unfinished ? "update" : "same", deleteFirst: false };
  }

  async create(declared: Declared, inputs: Properties): Promise<void> {
    const { name, kind } = declared;
    const add = (id: string, outs: Properties, unfinished: boolean) => {
      const references = referencesOf(declared);
      this.state.add({ name, kind, id, inputs, outs, references, unfinished, replaced: false });
    };
    try {
      const { id, outs } = await this.backend.create(declared, inputs);
      add(id, outs, false);
    } catch (error) {
      if (error instanceof InitializationError) add(error.id, error.outs, true);
      throw error;
    }
  }

  async update(old: Entry, declared: Declared, inputs: Properties): Promise<void> {
    const updated = { ...old, inputs, references: referencesOf(declared) };
    try {
      const outs = await this.backend.update(declared, old.id, old.outs, inputs, old.inputs);
      this.state.put({ ...updated, outs, unfinished: false });
    } catch (error) {
      // The engine keeps the inputs of before, so that the program still differs.
      if (error instanceof InitializationError)
        this.state.put({ ...updated, inputs: old.inputs, outs: error.outs, unfinished: true });
      throw error;
    }
  }

  /** Reads an entry for a refresh, and asks what the next update would change, as the engine does to show it. */
  async refresh(entry: Entry): Promise<void> {
    if (entry.pendingReplacement) return;
    const { id, outs, inputs } = await this.backend.read(entry, entry.id, entry.outs, entry.inputs);
    if (id === "") {
      this.state.forget(entry);
      return;
    }
    if (!entry.external) await this.backend.diff(entry, id, outs, entry.inputs, inputs);
    this.state.put({ ...entry, id, outs, inputs, unfinished: false });
  }

  /** The name that Pulumi itself is to import, where it has not done so. */
  importOf({ import: name }: Declared, old: Entry | undefined): string | undefined {
    if (!this.backend.enginesImport || name === undefined) return undefined;
    return old === undefined || old.external || (old.importId ?? old.id) !== name ? name : undefined;
  }

  /** Whether Pulumi itself refuses to replace a resource, because it still has the option `import`. */
  keepsImport(declared: Declared): boolean {
    return this.backend.enginesImport && declared.import !== undefined;
  }

  async import(declared: Declared, importId: string): Promise<Omit<Entry, "serial">> {
    const { name, kind } = declared;
    const { id, outs, inputs } = await this.backend.read(declared, importId, {}, {});
    if (id === "") throw new Error(`resource '${importId}' does not exist`);
    const references = referencesOf(declared);
    return { name, kind, id, inputs, outs, references, importId, unfinished: false, replaced: false };
  }

  async get(declared: Declared, id: string): Promise<void> {
    const inputs = this.inputsOf(declared);
    const found = await this.backend.read(declared, id, inputs, inputs);
    const { name, kind } = declared;
    const old = this.state.entry(name);
    const entry = { name, kind, id, inputs, outs: found.outs, references: referencesOf(declared) };
    const read = { ...entry, unfinished: false, replaced: false, external: true };
    if (old === undefined) this.state.add(read);
    else this.state.put({ serial: old.serial, ...read });
  }

  /** Deletes an object and its entry. One that is about to be replaced stays as a note of that. */
  async delete(entry: Entry, toReplace = false): Promise<void> {
    if (!entry.pendingReplacement && !entry.external)
      await this.backend.delete(entry, entry.id, entry.outs, entry.inputs);
    if (toReplace) this.state.put({ ...entry, pendingReplacement: true });
    else this.state.forget(entry);
  }

  /**
   * Entries that must be replaced when one is deleted before it is replaced: each after what it refers to.
   *
   * @param registered names of resources that the program has registered already: these do not depend on it any more
   */
  async replacedWith(root: Entry, registered: ReadonlySet<string> = new Set()): Promise<Entry[]> {
    const names = new Set([root.name]);
    const found: Entry[] = [];
    for (const entry of this.state.dependentsOf(root.name)) {
      const affected = Object.keys(entry.references).filter((name) =>
        names.has(entry.references[name] ?? ""),
      );
      if (affected.length === 0 || entry.external || registered.has(entry.name)) continue;
      const unknown = Object.fromEntries(affected.map((name) => [name, UNKNOWN]));
      const { step } = await this.decide(entry, { ...entry.inputs, ...unknown });
      if (step !== "replace") continue;
      names.add(entry.name);
      found.push(entry);
    }
    return found;
  }
}
